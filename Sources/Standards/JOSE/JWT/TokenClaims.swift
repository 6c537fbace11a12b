public import TokenSecurityBase

/// The claims of a token (RFC 7519 section 4).
///
/// Used both for reading and for issuing tokens. A claim of the wrong type reads as nil. A ``TokenVerifier``
/// refuses tokens with registered claims of a wrong type, so in a ``VerifiedToken`` nil means absent.
///
///     var claims = TokenClaims(issuer: "https://issuer.example", audience: ["api"])
///     claims["cognito:groups"] = ["admins"]
public struct TokenClaims: Sendable, Hashable {
  private(set) var storage: Storage

  enum Storage: Sendable {
    case read(ClaimsDocument)
    case built(JSONObject)
  }

  init(_ document: ClaimsDocument) {
    storage = .read(document)
  }

  /// Claims from JSON.
  ///
  /// - Parameter object: the claims. Default: none.
  public init(_ object: JSONObject = JSONObject()) {
    storage = .built(object)
  }

  /// Common claims. The signer adds `exp` and `iat`.
  ///
  /// - Parameters:
  ///   - issuer: `iss`.
  ///   - subject: `sub`.
  ///   - audience: `aud`; left out if empty.
  ///   - tokenID: `jti`.
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

  /// The claim called `name`; nil if absent. Assigning nil removes it.
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

  /// True if the claim called `name` is present.
  package func has(_ name: String) -> Bool {
    switch storage {
    case .read(let claims): claims.document.member(name) != nil
    case .built(let object): object[name] != nil
    }
  }

  /// True if the claim called `name` is a string or absent.
  package func isText(_ name: String) -> Bool {
    switch storage {
    case .read(let claims):
      claims.document.member(name).map { claims.document.kind(at: $0) == .string } ?? true
    case .built(let object): object[name].map { $0.string != nil } ?? true
    }
  }

  /// True if the claim called `name` is an array of strings or absent.
  package func isTexts(_ name: String) -> Bool {
    switch storage {
    case .read(let claims):
      claims.document.member(name).map { place in
        claims.document.kind(at: place) == .array && claims.document.allElements(of: place, are: .string)
      } ?? true
    case .built(let object): object[name].map { $0.strings != nil } ?? true
    }
  }

  /// True if the claim called `name` is this string, byte for byte.
  package func has(_ name: String, _ text: String) -> Bool {
    switch storage {
    case .read(let claims):
      claims.document.member(name).map { claims.document.isString(at: $0, text) } ?? false
    case .built(let object): object[name]?.string?.isIdentical(to: text) ?? false
    }
  }

  /// `iss`, the issuer.
  public var issuer: String? {
    if case .read(let claims) = storage {
      return claims.places.issuer.flatMap { claims.document.string(at: $0) }
    }
    return self["iss"]?.string
  }
  /// `sub`, the subject.
  public var subject: String? { self["sub"]?.string }
  /// `aud`, the recipients. One string is the same as an array of one.
  public var audience: [String]? {
    guard let value = self["aud"] else { return nil }
    return value.string.map { [$0] } ?? value.strings
  }
  /// `exp`, the time from which the token is refused.
  public var expiration: NumericDate? { date("exp") }
  /// `nbf`, the time before which the token is refused.
  public var notBefore: NumericDate? { date("nbf") }
  /// `iat`, the time of issue.
  public var issuedAt: NumericDate? { date("iat") }
  /// `jti`, the token's identifier.
  public var tokenID: String? { self["jti"]?.string }
  /// `scope`, the scopes of an access token (RFC 8693 section 4.2); empty without one.
  public var scopes: [String] {
    (self["scope"]?.string ?? "").utf8.split(separator: 0x20).map { String(Substring($0)) }
  }
  /// `client_id`, the client of an access token (RFC 8693 section 4.3).
  public var clientID: String? { self["client_id"]?.string }
  /// `auth_time`, the time of the user's sign-in (OpenID Connect Core section 2).
  public var authenticationTime: NumericDate? { date("auth_time") }

  private func date(_ name: String) -> NumericDate? {
    self[name]?.number.flatMap(NumericDate.init)
  }

  /// The JSON text that is signed.
  package var json: [UInt8] {
    switch storage {
    case .read(let claims): claims.document.bytes
    case .built(let object): JSONWriter.write(object)
    }
  }
}

extension TokenClaims {
  /// Compares the JSON values, not their text.
  ///
  /// - Parameters:
  ///   - a: claims.
  ///   - b: claims.
  /// - Returns: true if both are the same JSON object.
  public static func == (a: TokenClaims, b: TokenClaims) -> Bool { a.object == b.object }

  /// Hashes the JSON values.
  ///
  /// - Parameter hasher: the hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(object) }
}

extension TokenClaims {
  /// Unavailable: a claim can be any JSON value.
  @available(*, unavailable, message: "write claims[name]?.string: a claim can be any JSON value")
  public subscript(name: String) -> String? { nil }
}
