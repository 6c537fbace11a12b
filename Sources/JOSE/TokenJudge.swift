internal import Encodings

/// A policy and its keys, in one object that all threads share and nobody changes.
final class TokenJudge: Sendable {
  let prepared: PreparedPolicy
  let keys: PreparedKeys

  init(_ prepared: PreparedPolicy, _ keys: PreparedKeys) {
    self.prepared = prepared
    self.keys = keys
  }

  /// Judges header, key, signature and claims, in this order.
  func verify(_ token: ParsedToken, at now: NumericDate) throws(JOSEError) -> VerifiedToken {
    try token.judgeSize(prepared.limits)
    let algorithm = try prepared.judgeAlgorithm(token.header)
    try token.header.judgeParameters(prepared.ignoresKeySources)
    if token.header.hasExtensions { try token.judgeCritical(prepared.policy.signature) }
    try prepared.judgeType(token.header)
    let key = try token.verifySignature(keys, keys.candidates(token.header, algorithm))
    var judgement = ClaimJudgement(token, now: now)
    try prepared.judge(&judgement)
    return VerifiedToken(
      token, algorithm: algorithm, key: keys.name(key, token.header), verifiedAt: now)
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
    guard try header.judgeCritical(rules) else { throw .unencodedPayload }
  }

  /// The number of the key that the signature holds for.
  func verifySignature(
    _ keys: PreparedKeys, _ candidates: PreparedKeys.Candidates
  ) throws(JOSEError) -> Int {
    let text = compact
    let bytes = signature
    return try keys.verify(
      candidates, input: text.utf8.span.extracting(first: signingInputSize),
      signature: bytes.span)
  }
}
