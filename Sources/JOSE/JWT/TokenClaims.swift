public import TokenSecurityEncodings

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
    case read(ClaimsDocument)
    case built(JSONObject)
  }

  init(_ document: ClaimsDocument) {
    storage = .read(document)
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
    case .read(let claims): claims.document.object()
    case .built(let object): object
    }
  }

  /// The claim called `name`, or nil where it is not there.
  public subscript(name: String) -> JSONValue? {
    get {
      switch storage {
      case .read(let claims): claims.document.member(name).map { claims.document.value(at: $0) }
      case .built(let object): object[name]
      }
    }
    set {
      var object = object
      object[name] = newValue
      storage = .built(object)
    }
  }

  /// True where there is a claim called `name`.
  package func has(_ name: String) -> Bool {
    switch storage {
    case .read(let claims): claims.document.member(name) != nil
    case .built(let object): object[name] != nil
    }
  }

  /// True where the claim called `name` is text, or is not there.
  package func isText(_ name: String) -> Bool {
    switch storage {
    case .read(let claims):
      claims.document.member(name).map { claims.document.kind(at: $0) == .string } ?? true
    case .built(let object): object[name].map { $0.string != nil } ?? true
    }
  }

  /// True where the claim called `name` is an array of texts, or is not there.
  package func isTexts(_ name: String) -> Bool {
    switch storage {
    case .read(let claims):
      claims.document.member(name).map { place in
        claims.document.kind(at: place) == .array && claims.document.allElements(of: place, are: .string)
      } ?? true
    case .built(let object): object[name].map { $0.strings != nil } ?? true
    }
  }

  /// True where the claim called `name` is this text, byte for byte.
  package func has(_ name: String, _ text: String) -> Bool {
    switch storage {
    case .read(let claims):
      claims.document.member(name).map { claims.document.isString(at: $0, text) } ?? false
    case .built(let object): object[name]?.string?.isIdentical(to: text) ?? false
    }
  }

  /// `iss`, who issued the token.
  public var issuer: String? {
    if case .read(let claims) = storage {
      return claims.places.issuer.flatMap { claims.document.string(at: $0) }
    }
    return self["iss"]?.string
  }
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
    case .read(let claims): claims.document.bytes
    case .built(let object): JSONWriter.write(object)
    }
  }
}

extension TokenClaims {
  /// Claims are equal when they say the same, however they are written.
  public static func == (a: TokenClaims, b: TokenClaims) -> Bool { a.object == b.object }

  public func hash(into hasher: inout Hasher) { hasher.combine(object) }
}
