internal import TokenSecurityEncodings
public import TokenLifetime

/// Issues tokens (RFC 7519 section 7.1): claims in, a compact JWS out, with `iat` and `exp` set from a
/// lifetime.
///
///     let signer = try TokenSigner(key: key)
///     var claims = TokenClaims(issuer: "https://issuer.example", subject: "jane", audience: ["api"])
///     let token = try signer.issue(claims)   // for 15 minutes
public struct TokenSigner: Sendable {
  /// How long tokens may live.
  public let lifetimes: LifetimeRule

  private let signer: JWSSigner
  /// The same for all tokens.
  private let encodedHeader: [UInt8]

  /// Prepares `key`.
  ///
  /// - Parameters:
  ///   - key: a private key or a shared secret.
  ///   - algorithm: the one to sign with; nil where the key's own `alg` names one.
  ///   - type: the header's `typ`; nil leaves it out.
  ///   - lifetimes: how long tokens may live; those of developer tokens, 15 minutes if nothing is said and 24
  ///     hours at the most, unless said otherwise.
  public init(
    key: JWK, algorithm: Algorithm? = nil, type: String? = "JWT",
    lifetimes: LifetimeRule = .developerToken
  ) throws(JOSEError) {
    self.lifetimes = lifetimes
    signer = try JWSSigner(key: key, algorithm: algorithm)
    var header = JSONObject()
    header["typ"] = type.map(JSONValue.string)
    encodedHeader = try signer.encodedHeader(header)
  }

  /// The algorithm.
  public var algorithm: Algorithm { signer.algorithm }

  /// Signs `claims` with `iat` set to `now` and `exp` to `lifetime` later. Both replace what the claims have.
  ///
  /// - Parameters:
  ///   - claims: what the token claims.
  ///   - lifetime: whole seconds, checked by ``lifetimes``. Default: its standard.
  ///   - now: when it is issued.
  /// - Throws: `lifetimeRefused` for a lifetime that the rule does not allow, `claimType` where a registered
  ///   claim has the wrong type.
  public func issue(
    _ claims: TokenClaims, lifetime: Duration? = nil, at now: Timestamp = .now
  ) throws(JOSEError) -> String {
    let seconds: Int64
    do {
      seconds = try lifetimes.validate(requested: lifetime).wholeSeconds
    } catch {
      throw .lifetimeRefused(error)
    }
    var claims = claims
    claims["iat"] = .number(JSONNumber(now.seconds))
    claims["exp"] = .number(JSONNumber(now.seconds.saturatingSum(seconds)))
    return try sign(claims)
  }

  /// Signs `claims` as they are, without `exp` if they have none: for tests, and for kinds of token that
  /// have a life of their own.
  public func sign(_ claims: TokenClaims) throws(JOSEError) -> String {
    let json = claims.json
    _ = try RegisteredDates(ClaimsDocument(json, limits: TokenLimits(token: 1 << 20)))
    return try signer.sign(json, encodedHeader: encodedHeader)
  }
}
