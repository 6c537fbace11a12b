internal import TokenSecurityEncodings

/// Verifies signed tokens (RFC 7519 section 7.2) with a set of keys and a policy.
///
///     let verifier = try TokenVerifier(
///       keys: JWKSet(json: text),
///       policy: TokenPolicy(issuer: "https://issuer.example", audience: "my-api"))
///     let token = try verifier.verify(compact)
///
/// Make one verifier and keep it: it prepares each key once. Verification is synchronous. Any number of
/// threads can share a verifier without waiting for one another.
public struct TokenVerifier: Sendable {
  /// The policy.
  public var policy: TokenPolicy { verifier.policy }

  private let verifier: PolicyVerifier
  private let keys: PreparedKeys

  /// Prepares `keys` and `policy`.
  ///
  /// - Parameters:
  ///   - keys: the issuer's keys.
  ///   - policy: what tokens must be like.
  /// - Throws: `policyInvalid` for a policy that contradicts itself, `library` if libcrypto refuses a key.
  public init(keys: JWKSet, policy: TokenPolicy) throws(JOSEError) {
    verifier = try PolicyVerifier(policy)
    self.keys = try PreparedKeys(keys, rules: policy.signature)
  }

  /// Verifies a compact token.
  ///
  /// - Parameters:
  ///   - compact: the token: three parts, nothing around them.
  ///   - now: the time of the verification. Default: the current time.
  /// - Returns: the verified token.
  /// - Throws: the first rule that the token breaks, in the order form, header, key, signature, claims.
  public func verify(_ compact: String, at now: NumericDate = .now) throws(JOSEError) -> VerifiedToken {
    try verify(verifier.parse(compact), at: now)
  }

  /// Verifies a parsed token.
  ///
  /// - Parameters:
  ///   - token: the token.
  ///   - now: the time of the verification. Default: the current time.
  /// - Returns: the verified token.
  /// - Throws: the first rule that the token breaks, in the order size, header, key, signature, claims.
  public func verify(_ token: UnverifiedToken, at now: NumericDate = .now) throws(JOSEError) -> VerifiedToken
  {
    try verifier.verify(token, keys: keys, at: now)
  }

  /// Verifies a compact token and reports every check: expected value, actual value, outcome.
  ///
  /// The result is the same as of `verify`, by the same rules in the same order. If the signature is valid,
  /// all claims are checked, so that all problems are visible at once.
  ///
  /// - Parameters:
  ///   - compact: the token.
  ///   - now: the time of the verification. Default: the current time.
  /// - Returns: the checks and the result.
  public func explain(_ compact: String, at now: NumericDate = .now) -> Explanation {
    verifier.explain(compact, keys: keys, at: now)
  }
}
