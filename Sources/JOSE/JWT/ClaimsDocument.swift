internal import TokenSecurityEncodings

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
  }

  init(_ bytes: [UInt8], limits: TokenLimits) throws(JOSEError) {
    document = try JSONDocument.object(bytes, in: .payload, limits: limits)
    places = Self.places(document)
  }

  private static func places(_ document: JSONDocument) -> Places {
    var places = Places()
    document.forEachMember(of: 0) { (name: Int, value: Int) in
      guard !document.isEscaped(at: name) else {
        note(document.string(at: name) ?? "", value, &places)
        return
      }
      switch document.length(at: name) {
      case 3:
        switch (
          document.byte(0, at: name), document.byte(1, at: name), document.byte(2, at: name)
        ) {
        case (UInt8(ascii: "i"), UInt8(ascii: "s"), UInt8(ascii: "s")): places.issuer = value
        case (UInt8(ascii: "s"), UInt8(ascii: "u"), UInt8(ascii: "b")): places.subject = value
        case (UInt8(ascii: "a"), UInt8(ascii: "u"), UInt8(ascii: "d")): places.audience = value
        case (UInt8(ascii: "e"), UInt8(ascii: "x"), UInt8(ascii: "p")): places.expiration = value
        case (UInt8(ascii: "n"), UInt8(ascii: "b"), UInt8(ascii: "f")): places.notBefore = value
        case (UInt8(ascii: "i"), UInt8(ascii: "a"), UInt8(ascii: "t")): places.issuedAt = value
        case (UInt8(ascii: "j"), UInt8(ascii: "t"), UInt8(ascii: "i")): places.tokenID = value
        default: break
        }
      case 9:
        if document.isString(at: name, "auth_time") { places.authenticationTime = value }
      default: break
      }
    }
    return places
  }

  private static func note(_ name: String, _ value: Int, _ places: inout Places) {
    switch name {
    case "iss": places.issuer = value
    case "sub": places.subject = value
    case "aud": places.audience = value
    case "exp": places.expiration = value
    case "nbf": places.notBefore = value
    case "iat": places.issuedAt = value
    case "jti": places.tokenID = value
    case "auth_time": places.authenticationTime = value
    default: break
    }
  }
}
