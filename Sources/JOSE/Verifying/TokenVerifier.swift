internal import TokenSecurityEncodings

/// Verifies signed tokens (RFC 7519 section 7.2) with a set of keys and a policy.
///
///     let verifier = try TokenVerifier(
///       keys: JWKSet(json: text),
///       policy: TokenPolicy(issuer: "https://issuer.example", audience: "my-api"))
///     let token = try verifier.verify(compact)
///
/// Make one verifier and keep it: it prepares each key once. Verifying is synchronous; any number of
/// threads can do it at once, and none waits for another.
public struct TokenVerifier: Sendable {
  /// What is demanded.
  public var policy: TokenPolicy { judge.prepared.policy }

  private let judge: TokenJudge

  /// Prepares `keys`. Throws `policyInvalid` for a policy that cannot be meant.
  public init(keys: JWKSet, policy: TokenPolicy) throws(JOSEError) {
    judge = TokenJudge(
      try PreparedPolicy(policy), try PreparedKeys(keys, rules: policy.signature))
  }

  /// Verifies a compact token.
  ///
  /// - Parameters:
  ///   - compact: the token: three parts, nothing around them.
  ///   - now: the instant that the token is judged at.
  /// - Throws: the first rule that the token breaks, in the order form, header, key, signature, claims.
  public func verify(
    _ compact: String, at now: NumericDate = .now
  ) throws(JOSEError) -> VerifiedToken {
    try verify(judge.prepared.parse(compact), at: now)
  }

  /// Verifies a token that has been taken apart.
  public func verify(
    _ token: UnverifiedToken, at now: NumericDate = .now
  ) throws(JOSEError) -> VerifiedToken {
    try judge.verify(token.parsed, at: now)
  }

  /// Verifies a compact token and tells every check: what was demanded, what was found, whether it held.
  ///
  /// The verdict is the one of `verify`, from the same rules in the same order. After the
  /// signature holds, all claims are judged, so that everything that is wrong can be seen at once.
  public func explain(_ compact: String, at now: NumericDate = .now) -> Explanation {
    var explainer = Explainer(prepared: judge.prepared, keys: judge.keys, now: now)
    return explainer.explain(compact)
  }
}
