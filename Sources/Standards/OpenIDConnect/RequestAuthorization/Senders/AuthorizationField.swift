internal import TokenSecurityBase

/// The token of a request's `Authorization` fields (RFC 6750 section 2.1, RFC 9449 section 7.1).
enum AuthorizationField {
  /// How a token is sent.
  enum Scheme: Sendable, Hashable, CaseIterable {
    case bearer
    case dpop

    /// The name in small letters; its case does not count.
    fileprivate var name: [UInt8] { Array(self == .bearer ? "bearer".utf8 : "dpop".utf8) }
  }

  /// Result of reading the fields.
  enum Found {
    case token(String, Scheme)
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
    guard let scheme = Scheme.allCases.first(where: { begins(bytes, $0) }) else { return .none }
    let token = bytes[scheme.name.count...].drop { $0 == 0x20 }
    guard !token.isEmpty, token.allSatisfy(isTokenByte) else { return .malformed }
    return .token(String(decoding: token, as: UTF8.self), scheme)
  }

  private static func begins(_ bytes: [UInt8], _ scheme: Scheme) -> Bool {
    let name = scheme.name
    return bytes.count > name.count && bytes.prefix(name.count).map(\.lowercasedASCII) == name
      && bytes[name.count] == 0x20
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
