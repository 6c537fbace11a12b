public import JOSE
internal import TokenSecurityBase

/// A header field of responses that has the value of a claim.
public struct ClaimHeader: Sendable, Hashable {
  /// The field's name.
  public let name: String
  /// The names of members on the way to the claim: `["realm_access", "roles"]`.
  public let path: [String]

  /// Maximum size of a value in bytes.
  public static let limit = 4_096

  /// The field's value: empty where the token does not have the claim, so that the field always replaces what a client
  /// sent.
  ///
  /// Texts are as they are, numbers and truth values as in JSON, lists of texts with commas between them, and anything
  /// else as JSON. Bytes beyond visible ASCII and spaces, the percent sign, and commas within texts are percent-encoded
  /// (RFC 3986 section 2.1), so that no value ends the field, and no text looks like a list.
  ///
  /// - Parameter claims: the claims of a verified token.
  /// - Returns: the value; nil for one of more than 4,096 bytes.
  public func value(in claims: TokenClaims) -> String? {
    guard let first = path.first, var value = claims[first] else { return "" }
    for name in path.dropFirst() {
      guard let next = value.object?[name] else { return "" }
      value = next
    }
    let text: String
    if let string = value.string {
      text = Self.encoded(string, alsoCommas: true)
    } else if let strings = value.strings {
      text = strings.map { Self.encoded($0, alsoCommas: true) }.joined(separator: ",")
    } else if case .null = value {
      text = ""
    } else {
      text = Self.encoded(String(decoding: JSONWriter.write(value), as: UTF8.self), alsoCommas: false)
    }
    return text.utf8.count <= Self.limit ? text : nil
  }

  /// A text as a field's value.
  ///
  /// - Parameters:
  ///   - text: any text.
  ///   - alsoCommas: true where commas separate texts.
  /// - Returns: visible ASCII.
  package static func encoded(_ text: String, alsoCommas: Bool) -> String {
    var bytes: [UInt8] = []
    let (comma, digits) = (UInt8(ascii: ","), Array("0123456789ABCDEF".utf8))
    for (index, byte) in text.utf8.enumerated() {
      // A space at an end would be taken for one around the value.
      let isAtEnd = index == 0 || index == text.utf8.count - 1
      let isPlain = byte == 0x20 ? !isAtEnd : (0x21...0x7E).contains(byte)
      if isPlain, byte != UInt8(ascii: "%"), !(alsoCommas && byte == comma) {
        bytes.append(byte)
      } else {
        bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0x0F)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Whether a name can be that of a field: letters, digits and hyphens, at most 64, and none that HTTP itself or this
  /// service's responses use.
  static func allows(_ name: String) -> Bool {
    hasFieldCharacters(name) && !reserved.contains(ExactString(name.lowercasedASCII))
      && !instructions.contains { name.lowercasedASCII.rest(after: $0) != nil }
  }

  /// Whether a name has 1 to 64 letters, digits and hyphens.
  static func hasFieldCharacters(_ name: String) -> Bool {
    (1...64).contains(name.utf8.count)
      && name.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x2D
      }
  }

  /// Fields by which responses give orders to nginx and Envoy.
  private static let instructions = ["x-accel-", "x-envoy-"]

  private static let reserved: Set<ExactString> = [
    "authorization", "cache-control", "connection", "content-encoding", "content-length", "content-type",
    "cookie", "date", "dpop", "dpop-nonce", "expect", "host", "keep-alive", "location", "proxy-authenticate",
    "proxy-authorization", "server", "set-cookie", "status", "te", "trailer", "transfer-encoding", "upgrade",
    "via",
    "www-authenticate",
  ]
}

extension DocumentObject {
  /// The members of `headers`: names of fields, each once, at most 32.
  package mutating func headerFields() throws(PolicyDocumentError) -> [JSONObject.Member] {
    let members = try entries("headers")
    var names: Set<ExactString> = []
    for member in members {
      guard ClaimHeader.allows(member.name) else {
        throw refused("headers", "have \(member.name.quoted), which cannot be such a field")
      }
      guard names.insert(ExactString(member.name.lowercasedASCII)).inserted else {
        throw refused("headers", "have \(member.name.quoted) twice; case does not count")
      }
    }
    guard members.count <= 32 else { throw refused("headers", "are more than 32") }
    return members
  }
}
