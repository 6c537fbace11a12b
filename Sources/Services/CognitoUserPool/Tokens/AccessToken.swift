internal import JOSE
internal import TokenLifetime
internal import TokenSecurityBase

/// An access token whose signature and dates were verified. Whether its sign-in is live is another question.
package struct AccessToken: Sendable {
  /// The pool.
  package let poolID: String
  package let sub: String
  package let clientID: String
  /// `origin_jti`.
  package let signInID: String
  package let deviceKey: String?
  package let hasOwnScope: Bool
  /// The key that signed it.
  package let keyID: String

  /// Maximum size of a token in bytes.
  static let sizeLimit = 1 << 20

  /// Reads the pool's id in a token that is not verified.
  ///
  /// - Parameters:
  ///   - token: the token.
  ///   - issuers: `iss` without the pool's id, each with a slash after it.
  /// - Returns: the parsed token and the id; nil for a token that is not an access token of these issuers.
  static func parse(_ token: String, issuers: [String]) -> (token: UnverifiedToken, poolID: String)? {
    guard let parsed = try? UnverifiedToken(token, limits: TokenLimits(token: sizeLimit)),
      let issuer = parsed.claims.issuer, let poolID = issuers.lazy.compactMap(issuer.rest(after:)).first,
      (try? UserPoolID(poolID)) != nil
    else { return nil }
    return (parsed, poolID)
  }

  /// Checks dates and algorithm. The other claims are compared below.
  private static let verifier = Result { () throws(JOSEError) in
    var policy = TokenPolicy(
      issuer: .unchecked(because: "the pool was found by it"),
      audience: .unchecked(because: "access tokens have none"), algorithms: [.rs256])
    policy.leeway = .clockDifference
    policy.signature.limits = TokenLimits(token: sizeLimit)
    return try PolicyVerifier(policy)
  }

  /// Verifies a token with keys.
  ///
  /// - Throws: `expired` or the first other rule that it breaks.
  init(
    _ token: UnverifiedToken, poolID: String, keys: PreparedKeys, at now: Timestamp
  ) throws(JOSEError) {
    let verified = try Self.verifier.get().verify(token, keys: keys, at: now)
    let claims = verified.claims
    guard claims["token_use"]?.string?.isIdentical(to: "access") == true, let sub = claims.subject,
      let clientID = claims["client_id"]?.string, let signInID = claims["origin_jti"]?.string,
      let keyID = verified.keyID
    else { throw .claimMissing(name: "token_use") }
    // The leeway is for issuers whose clock is ahead. No token lives longer for it.
    if let end = claims.expiration, end <= now { throw .expired(at: end, now: now) }
    self.poolID = poolID
    self.sub = sub
    self.clientID = clientID
    self.signInID = signInID
    self.keyID = keyID
    deviceKey = claims["device_key"]?.string
    hasOwnScope =
      claims["scope"]?.string?.parts(at: " ").contains { $0.isIdentical(to: TokenContents.ownScope) } ?? false
  }
}
