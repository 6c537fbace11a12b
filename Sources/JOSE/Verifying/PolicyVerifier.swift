/// A policy made ready, without keys: for whoever holds keys that change.
///
/// It judges as ``TokenVerifier`` does, by the same rules in the same order, with the keys that it is given
/// for each token.
package struct PolicyVerifier: Sendable {
  private let prepared: PreparedPolicy

  /// Prepares `policy`. Throws `policyInvalid` for one that cannot be meant.
  package init(_ policy: TokenPolicy) throws(JOSEError) { prepared = try PreparedPolicy(policy) }

  /// What is demanded.
  package var policy: TokenPolicy { prepared.policy }

  /// Takes a compact token apart, as the policy lets it be written.
  package func parse(_ compact: String) throws(JOSEError) -> UnverifiedToken {
    try prepared.parse(compact)
  }

  /// Judges what comes before a key is looked for: a token that fails here is not worth fetching keys for.
  ///
  /// - Returns: the token's algorithm, which the policy allows.
  @discardableResult
  package func judgeHeader(_ token: UnverifiedToken) throws(JOSEError) -> Algorithm {
    try prepared.judgeHeader(token.parsed)
  }

  /// Verifies, with `keys`, a token whose header has been judged by ``judgeHeader(_:)``.
  package func verify(
    _ token: UnverifiedToken, of algorithm: Algorithm, keys: PreparedKeys, at now: NumericDate
  ) throws(JOSEError) -> VerifiedToken {
    try prepared.verify(token.parsed, of: algorithm, keys, at: now)
  }

  /// Verifies a token with `keys` and tells every check.
  package func explain(
    _ compact: String, keys: PreparedKeys, at now: NumericDate
  ) -> Explanation {
    var explainer = Explainer(prepared: prepared, keys: keys, now: now)
    return explainer.explain(compact)
  }
}
