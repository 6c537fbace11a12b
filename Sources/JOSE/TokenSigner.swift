internal import Encodings

/// Issues tokens (RFC 7519 section 7.1): claims in, a compact JWS out, with `iat` and `exp` set from a
/// lifetime.
///
///     let signer = try TokenSigner(key: key)
///     var claims = TokenClaims(issuer: "https://issuer.example", subject: "jane", audience: ["api"])
///     let token = try signer.issue(claims)   // for 15 minutes
public struct TokenSigner: Sendable {
  /// How long a token lives where nobody says: 15 minutes, in seconds.
  public static let defaultLifetime: Int64 = 900
  /// The longest that a token may be made to live: 24 hours, in seconds.
  public static let longestLifetime: Int64 = 86_400

  private let signer: JWSSigner
  private let type: String?

  /// Prepares `key`.
  ///
  /// - Parameters:
  ///   - key: a private key or a shared secret.
  ///   - algorithm: the one to sign with; nil where the key's own `alg` names one.
  ///   - type: the header's `typ`; nil leaves it out.
  public init(
    key: JWK, algorithm: Algorithm? = nil, type: String? = "JWT"
  ) throws(JOSEError) {
    signer = try JWSSigner(key: key, algorithm: algorithm)
    self.type = type
  }

  /// The algorithm.
  public var algorithm: Algorithm { signer.algorithm }

  /// Signs `claims` with `iat` set to `now` and `exp` to `lifetime` seconds later; whatever the claims
  /// said of the two is replaced.
  ///
  /// - Parameters:
  ///   - claims: what the token claims.
  ///   - lifetime: 1 to 86,400 seconds; 900 unless said otherwise.
  ///   - now: when it is issued.
  /// - Throws: `policyInvalid` for another lifetime, `claimType` where a registered claim has the wrong type.
  public func issue(
    _ claims: TokenClaims, lifetime: Int64 = defaultLifetime, at now: NumericDate = .now
  ) throws(JOSEError) -> String {
    guard (1...Self.longestLifetime).contains(lifetime) else {
      throw .policyInvalid(
        rule: "a lifetime of \(lifetime) s is asked for where 1 to \(Self.longestLifetime) s are allowed")
    }
    var claims = claims
    claims["iat"] = .number(JSONNumber(now.seconds))
    claims["exp"] = .number(JSONNumber(now.seconds + lifetime))
    return try sign(claims)
  }

  /// Signs `claims` as they are, without `exp` if they have none: for tests, and for kinds of token that
  /// have a life of their own.
  public func sign(_ claims: TokenClaims) throws(JOSEError) -> String {
    var header = JSONObject()
    header["typ"] = type.map(JSONValue.string)
    _ = try RegisteredDates(ClaimsDocument(claims.json, limits: TokenLimits(token: 1 << 20)))
    return try signer.sign(claims.json, header: header)
  }
}
