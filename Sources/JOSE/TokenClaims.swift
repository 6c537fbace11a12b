public import Encodings

/// The claims of a token (RFC 7519 section 4).
///
/// The same type is read from a token and written into one. Reading a claim of the wrong type gives nil;
/// a ``TokenVerifier`` refuses tokens whose registered claims have one, so that nil in a
/// ``VerifiedToken`` means absent.
///
///     var claims = TokenClaims(issuer: "https://issuer.example", audience: ["api"])
///     claims["cognito:groups"] = ["admins"]
public struct TokenClaims: Sendable, Hashable {
  private var storage: Storage

  private enum Storage: Sendable {
    case parsed(JSONDocument, Places)
    case built(JSONObject)
  }

  /// Where registered claims stand in a parsed document; -1 where they do not.
  struct Places: Sendable, Hashable {
    var issuer = -1
    var subject = -1
    var audience = -1
    var expiration = -1
    var notBefore = -1
    var issuedAt = -1
    var tokenID = -1
    var authenticationTime = -1
  }

  /// Reads the JSON of a token's payload.
  init(_ bytes: [UInt8], limits: TokenLimits) throws(JOSEError) {
    let document: JSONDocument
    do {
      document = try JSONDocument(bytes, limits: limits.json)
    } catch {
      throw .json(.payload, error)
    }
    guard document.kind(at: 0) == .object else {
      throw .notAnObject(.payload, found: document.value().kind)
    }
    storage = .parsed(document, Self.places(document))
  }

  /// Claims made by the caller.
  public init(_ object: JSONObject = JSONObject()) {
    storage = .built(object)
  }

  /// The claims that most tokens have. `exp` and `iat` come from the signer.
  public init(
    issuer: String? = nil, subject: String? = nil, audience: [String] = [],
    tokenID: String? = nil
  ) {
    self.init()
    self["iss"] = issuer.map(JSONValue.string)
    self["sub"] = subject.map(JSONValue.string)
    switch audience.count {
    case 0: break
    case 1: self["aud"] = .string(audience[0])
    default: self["aud"] = .array(audience.map(JSONValue.string))
    }
    self["jti"] = tokenID.map(JSONValue.string)
  }

  /// All claims as JSON, in their order.
  public var object: JSONObject {
    switch storage {
    case .parsed(let document, _): document.object()
    case .built(let object): object
    }
  }

  /// The claim called `name`, or nil where it is not there.
  public subscript(name: String) -> JSONValue? {
    get {
      switch storage {
      case .parsed(let document, _): document.member(name).map { document.value(at: $0) }
      case .built(let object): object[name]
      }
    }
    set {
      var object = object
      object[name] = newValue
      storage = .built(object)
    }
  }

  /// `iss`, who issued the token.
  public var issuer: String? { self["iss"]?.string }
  /// `sub`, whom the token is about.
  public var subject: String? { self["sub"]?.string }
  /// `aud`, whom the token is for; one string and an array of one mean the same.
  public var audience: [String]? {
    guard let value = self["aud"] else { return nil }
    return value.string.map { [$0] } ?? value.strings
  }
  /// `exp`, from when on the token is refused.
  public var expiration: NumericDate? { date("exp") }
  /// `nbf`, until when the token is refused.
  public var notBefore: NumericDate? { date("nbf") }
  /// `iat`, when the token was issued.
  public var issuedAt: NumericDate? { date("iat") }
  /// `jti`, the token's own identifier.
  public var tokenID: String? { self["jti"]?.string }
  /// `auth_time`, when the user signed in (OpenID Connect Core section 2).
  public var authenticationTime: NumericDate? { date("auth_time") }

  private func date(_ name: String) -> NumericDate? {
    self[name]?.number.flatMap(NumericDate.init)
  }

  /// The claims as the text that is signed.
  var json: [UInt8] {
    switch storage {
    case .parsed(let document, _): document.bytes
    case .built(let object): JSONWriter.write(object)
    }
  }

  /// The parsed text with its places; claims that were made here are written and read first.
  func parsed(limits: TokenLimits) throws(JOSEError) -> (JSONDocument, Places) {
    switch storage {
    case .parsed(let document, let places): return (document, places)
    case .built: return try TokenClaims(json, limits: limits).parsed(limits: limits)
    }
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

extension TokenClaims {
  /// Claims are equal when they say the same, however they are written.
  public static func == (a: TokenClaims, b: TokenClaims) -> Bool { a.object == b.object }

  public func hash(into hasher: inout Hasher) { hasher.combine(object) }
}
