public import TokenLifetime
internal import TokenSecurityBase

/// Issues tokens (RFC 7519 section 7.1): signs claims as a compact JWS, with `iat` and `exp` set from a
/// lifetime.
///
///     let signer = try TokenSigner(key: key)
///     var claims = TokenClaims(issuer: "https://issuer.example", subject: "jane", audience: ["api"])
///     let token = try signer.issue(claims)   // for 15 minutes
public struct TokenSigner: Sendable {
  /// The allowed lifetimes.
  public let lifetimes: LifetimeRule

  private let signer: JWSSigner
  /// The header, the same for all tokens.
  private let encodedHeader: [UInt8]

  /// Prepares `key`.
  ///
  /// - Parameters:
  ///   - key: a private key or a shared secret.
  ///   - algorithm: the algorithm. Default: the key's `alg`.
  ///   - type: the header's `typ`; nil leaves it out.
  ///   - lifetimes: the allowed lifetimes. Default: those of developer tokens, 24 hours at most, 15 minutes
  ///     if none is requested.
  /// - Throws: what ``JWSSigner/init(key:algorithm:)`` throws.
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

  /// Signs `claims` with `iat` set to `now` and `exp` to `lifetime` later, replacing both.
  ///
  /// - Parameters:
  ///   - claims: the claims.
  ///   - lifetime: whole seconds, within ``lifetimes``. Default: the standard of these.
  ///   - now: the time of issue. Default: the current time.
  /// - Returns: the token.
  /// - Throws: `lifetimeRefused` for a lifetime that is not allowed, `claimType` for a registered claim of
  ///   the wrong type.
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

  /// Signs `claims` unchanged, without `exp` if they have none: for tests, and for tokens with other
  /// lifetimes.
  ///
  /// - Parameter claims: the claims.
  /// - Returns: the token.
  /// - Throws: `claimType` or `dateOutOfRange` for a malformed registered claim.
  public func sign(_ claims: TokenClaims) throws(JOSEError) -> String {
    let json = claims.json
    let document = try ClaimsDocument(json, limits: TokenLimits(token: 1 << 20))
    _ = try RegisteredDates.read(document.document, document.places)
    return try signer.sign(json, encodedHeader: encodedHeader)
  }
}
