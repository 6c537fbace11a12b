internal import TokenSecurityBase

/// A token's payload as JSON, with the places of its registered claims.
struct ClaimsDocument: Sendable {
  let document: JSONDocument
  let places: Places

  /// The places of the registered claims.
  struct Places: Sendable {
    var issuer: Int?
    var subject: Int?
    var audience: Int?
    var expiration: Int?
    var notBefore: Int?
    var issuedAt: Int?
    var tokenID: Int?
    var authenticationTime: Int?
    var confirmation: Int?
    var actor: Int?
  }

  init(_ bytes: consuming [UInt8], limits: TokenLimits) throws(JOSEError) {
    // A detached payload (RFC 7515 appendix F).
    guard !bytes.isEmpty else { throw .payloadPlacement(expected: .attached) }
    // RFC 7519 section 5.2, instead of a syntax error at its first letter.
    guard bytes.first != UInt8(ascii: "e") || !Self.isToken(bytes) else {
      throw .notAnObject(.payload, actual: "a nested token")
    }
    let document = try JSONDocument.object(bytes, in: .payload, limits: limits)
    places = Self.places(document)
    self.document = document
  }

  /// True for what begins like a token, whose header begins with `{"`, and has the dots of a JWS or JWE.
  private static func isToken(_ bytes: [UInt8]) -> Bool {
    let dots = bytes.reduce(0) { $1 == UInt8(ascii: ".") ? $0 + 1 : $0 }
    return bytes.starts(with: "ey".utf8) && (dots == 2 || dots == 4)
  }

  private static func places(_ document: JSONDocument) -> Places {
    var places = Places()
    document.forEachMember(of: 0) { (name: Int, value: Int) in
      // A name with escapes can mean any other name (RFC 8259 section 8.3). Without them, all names that
      // matter have three or nine bytes.
      let length = document.length(at: name)
      guard length == 3 || length == 9 || document.isEscaped(at: name) else { return }
      if document.isEscaped(at: name) {
        let text = document.string(at: name) ?? ""
        note(text.utf8.span, value, &places)
      } else {
        document.withBytes(at: name) { note($0, value, &places) }
      }
    }
    return places
  }

  @inline(__always)
  private static func note(_ name: borrowing Span<UInt8>, _ value: Int, _ places: inout Places) {
    if name.count == 9, ByteSearch.has("auth_time", name, at: 0) { places.authenticationTime = value }
    guard name.count == 3 else { return }
    switch (name[0], name[1], name[2]) {
    case (UInt8(ascii: "i"), UInt8(ascii: "s"), UInt8(ascii: "s")): places.issuer = value
    case (UInt8(ascii: "s"), UInt8(ascii: "u"), UInt8(ascii: "b")): places.subject = value
    case (UInt8(ascii: "a"), UInt8(ascii: "u"), UInt8(ascii: "d")): places.audience = value
    case (UInt8(ascii: "e"), UInt8(ascii: "x"), UInt8(ascii: "p")): places.expiration = value
    case (UInt8(ascii: "n"), UInt8(ascii: "b"), UInt8(ascii: "f")): places.notBefore = value
    case (UInt8(ascii: "i"), UInt8(ascii: "a"), UInt8(ascii: "t")): places.issuedAt = value
    case (UInt8(ascii: "j"), UInt8(ascii: "t"), UInt8(ascii: "i")): places.tokenID = value
    case (UInt8(ascii: "c"), UInt8(ascii: "n"), UInt8(ascii: "f")): places.confirmation = value
    case (UInt8(ascii: "a"), UInt8(ascii: "c"), UInt8(ascii: "t")): places.actor = value
    default: break
    }
  }
}
