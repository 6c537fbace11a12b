internal import TokenSecurityEncodings

/// A policy and its keys, in one object that all threads share and nobody changes.
final class TokenJudge: Sendable {
  let prepared: PreparedPolicy
  let keys: PreparedKeys

  init(_ prepared: PreparedPolicy, _ keys: PreparedKeys) {
    self.prepared = prepared
    self.keys = keys
  }

  func verify(_ token: ParsedToken, at now: NumericDate) throws(JOSEError) -> VerifiedToken {
    try prepared.verify(token, keys, at: now)
  }
}

extension PreparedPolicy {
  /// Judges size and header, all that comes before a key is looked for.
  func judgeHeader(_ token: ParsedToken) throws(JOSEError) -> Algorithm {
    try token.judgeLimits(limits)
    let algorithm = try judgeAlgorithm(token.header)
    try token.header.judgeParameters(policy.signature)
    if token.header.hasExtensions { try token.judgeCritical(policy.signature) }
    try judgeType(token.header)
    return algorithm
  }

  /// Judges header, key, signature and claims, in this order.
  func verify(
    _ token: ParsedToken, _ keys: PreparedKeys, at now: NumericDate
  ) throws(JOSEError) -> VerifiedToken {
    try verify(token, of: judgeHeader(token), keys, at: now)
  }

  /// Judges key, signature and claims of a token whose header has been judged.
  func verify(
    _ token: ParsedToken, of algorithm: Algorithm, _ keys: PreparedKeys, at now: NumericDate
  ) throws(JOSEError) -> VerifiedToken {
    let key = try token.verifySignature(keys, keys.candidates(token.header, algorithm, limit: candidateLimit))
    var judgement = ClaimJudgement(token, now: now)
    try judge(&judgement)
    return VerifiedToken(
      token, algorithm: algorithm, key: keys.name(key, token.header), verifiedAt: now)
  }
}

extension ParsedToken {
  /// The limits of the policy, for a token that was taken apart under wider ones.
  func judgeLimits(_ limits: TokenLimits) throws(JOSEError) {
    guard !self.limits.isWithin(limits) else { return }
    let text = compact
    _ = try CompactParts.dots(text.utf8.span, limits: limits)
    _ = try JSONDocument.object(header.document.bytes, in: .header, limits: limits)
    _ = try JSONDocument.object(claims.document.bytes, in: .payload, limits: limits)
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
