import HTTPTypes

/// The bearer token in a request's `Authorization` header (RFC 6750 section 2.1).
enum BearerToken: Equatable {
  /// The header is missing or has another scheme.
  case absent
  /// There are several headers, or the value is malformed.
  case malformed
  case present(String)

  init(_ headers: HTTPFields) {
    let values = headers[values: .authorization]
    guard let value = values.first else {
      self = .absent
      return
    }
    guard values.count == 1 else {
      self = .malformed
      return
    }
    // The scheme is case-insensitive (RFC 9110 section 11.1).
    let parts = value.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts[0].lowercased() == "bearer" else {
      self = .absent
      return
    }
    guard parts.count == 2, !parts[1].isEmpty, parts[1].utf8.allSatisfy(Self.isTokenByte) else {
      self = .malformed
      return
    }
    self = .present(String(parts[1]))
  }

  // b64token of RFC 6750 section 2.1.
  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "+"),
      UInt8(ascii: "/"), UInt8(ascii: "="):
      true
    default: false
    }
  }
}
