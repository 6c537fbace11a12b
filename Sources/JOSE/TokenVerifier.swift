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
  public var policy: TokenPolicy { prepared.policy }

  private let prepared: PreparedPolicy
  private let keys: PreparedKeys

  /// Prepares `keys`. Throws `policyInvalid` for a policy that cannot be meant.
  public init(keys: JWKSet, policy: TokenPolicy) throws(JOSEError) {
    prepared = try PreparedPolicy(policy)
    self.keys = try PreparedKeys(keys, rules: policy.signature)
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
    try verify(UnverifiedToken(compact, limits: prepared.limits), at: now)
  }

  /// Verifies a token that has been taken apart.
  public func verify(
    _ token: UnverifiedToken, at now: NumericDate = .now
  ) throws(JOSEError) -> VerifiedToken {
    let parsed = token.parsed
    try parsed.judgeSize(prepared.limits)
    let algorithm = try prepared.judgeAlgorithm(parsed.header)
    try parsed.header.judgeParameters(prepared.ignoresKeySources)
    if parsed.header.hasExtensions { try parsed.judgeCritical(prepared.policy.signature) }
    try prepared.judgeType(parsed.header)
    let key = try parsed.verifySignature(
      keys, keys.candidates(parsed.header, algorithm), algorithm)
    var judgement = ClaimJudgement(parsed, now: now)
    try prepared.judge(&judgement)
    return VerifiedToken(
      parsed, algorithm: algorithm, key: keys.name(key, parsed.header), verifiedAt: now)
  }

  /// Verifies a compact token and tells every check: what was demanded, what was found, whether it held.
  ///
  /// The verdict is the one of ``verify(_:at:)``, from the same rules in the same order. After the
  /// signature holds, all claims are judged, so that everything that is wrong can be seen at once.
  public func explain(_ compact: String, at now: NumericDate = .now) -> Explanation {
    var explainer = Explainer(prepared: prepared, keys: keys, now: now)
    return explainer.explain(compact)
  }
}

extension ParsedToken {
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

  /// The number of the key that the signature holds for.
  func verifySignature(
    _ keys: PreparedKeys, _ candidates: PreparedKeys.Candidates, _ algorithm: Algorithm
  ) throws(JOSEError) -> Int {
    let text = compact
    let bytes = signature
    return try keys.verify(
      candidates, algorithm, input: text.utf8.span.extracting(first: signingInputSize),
      signature: bytes.span)
  }
}
