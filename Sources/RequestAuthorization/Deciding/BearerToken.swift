internal import TokenSecurityEncodings

/// The token of a request's `Authorization` fields (RFC 6750 section 2.1).
enum BearerToken {
  /// What the fields have.
  enum Found {
    case token(String)
    /// No field, or one of another scheme.
    case none
    /// Several fields, or a token of characters that tokens do not have.
    case malformed
  }

  /// Reads the fields.
  static func read(_ fields: [String]) -> Found {
    guard let field = fields.first else { return .none }
    guard fields.count == 1 else { return .malformed }
    let bytes = Array(field.utf8)
    let scheme = Array("bearer".utf8)
    guard bytes.count > scheme.count, bytes.prefix(scheme.count).map(\.lowercasedASCII) == scheme,
      bytes[scheme.count] == 0x20
    else { return .none }
    let token = bytes[scheme.count...].drop { $0 == 0x20 }
    guard !token.isEmpty, token.allSatisfy(isTokenByte) else { return .malformed }
    return .token(String(decoding: token, as: UTF8.self))
  }

  /// The characters of `b64token`.
  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="):
      true
    default: false
    }
  }
}
