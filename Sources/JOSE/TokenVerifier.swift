internal import Encodings

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
  public var policy: TokenPolicy { core.policy }

  private let core: Core

  /// Everything in one object, so that handing a verifier around counts one reference.
  private final class Core: Sendable {
    let policy: TokenPolicy
    let keys: PreparedKeys
    let rules: [ClaimRule]

    init(_ policy: TokenPolicy, _ keys: PreparedKeys) {
      self.policy = policy
      self.keys = keys
      rules = ClaimRule.all(of: policy)
    }
  }

  /// Prepares `keys`. Throws `policyInvalid` for a policy that cannot be meant.
  public init(keys: JWKSet, policy: TokenPolicy) throws(JOSEError) {
    try policy.validate()
    core = Core(policy, try PreparedKeys(keys, rules: policy.signature))
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
    try verify(UnverifiedToken(compact, limits: core.policy.signature.limits), at: now)
  }

  /// Verifies a token that has been taken apart.
  public func verify(
    _ token: UnverifiedToken, at now: NumericDate = .now
  ) throws(JOSEError) -> VerifiedToken {
    let policy = core.policy
    try token.judgeSize(policy.signature.limits)
    let algorithm = try token.header.judgeAlgorithm(policy.signature)
    try token.header.judgeParameters(policy.signature)
    try token.judgeCritical(policy.signature)
    try token.header.judgeType(policy.signature)
    let candidates = try core.keys.candidates(token.header, algorithm)
    let key = try core.keys.verify(
      candidates, algorithm,
      input: token.compact.utf8.span.extracting(first: token.signingInputSize),
      signature: token.signature.span)
    var judgement = try ClaimJudgement(
      token.claims, token.header, limits: policy.signature.limits, now: now)
    for rule in core.rules { try judgement.judge(rule, policy) }
    return VerifiedToken(token, algorithm: algorithm, keyID: key.keyID, verifiedAt: now)
  }

  /// Verifies a compact token and tells every check: what was demanded, what was found, whether it held.
  ///
  /// The verdict is the one of ``verify(_:at:)``, from the same rules in the same order. After the
  /// signature holds, all claims are judged, so that everything that is wrong can be seen at once.
  public func explain(_ compact: String, at now: NumericDate = .now) -> Explanation {
    var explainer = Explainer(policy: core.policy, keys: core.keys, now: now)
    return explainer.explain(compact, rules: core.rules)
  }
}

extension UnverifiedToken {
  /// The limits of the policy, for a token that was taken apart under others.
  func judgeSize(_ limits: TokenLimits) throws(JOSEError) {
    guard compact.utf8.count <= limits.token else {
      throw .tokenTooLarge(size: compact.utf8.count, limit: limits.token)
    }
  }

  func judgeCritical(_ rules: SignatureRules) throws(JOSEError) {
    // `b64` is understood well enough to refuse it by name.
    let isEncoded = try header.judgeCritical(
      understood: rules.understoodCritical.union(["b64"]))
    guard isEncoded else { throw .unencodedPayload }
  }
}
