internal import TokenLifetime
internal import TokenSecurityBase

/// A policy prepared for verification, without keys: these are a parameter, for callers whose keys change.
/// ``TokenVerifier`` adds fixed ones.
///
/// Verification reads plain values here. Strings and sets of the policy itself would be reference-counted for
/// each token, and threads would contend for the counts.
package final class PolicyVerifier: Sendable {
  /// The policy.
  package let policy: TokenPolicy

  let headers: HeaderVerifier
  let rules: [ClaimRule]
  let issuers: TextTable
  let audiences: TextTable
  let subjects: TextTable
  let requiredNames: TextTable
  /// The names of the policy's `claims`.
  let claimNames: TextTable
  private let texts: TextTable
  private let textEnds: [Int]
  /// Seconds that the issuer's clock may be ahead: for `nbf`, `iat` and `auth_time`.
  let startLeeway: Int64
  /// Seconds by which `exp` and the limits of ages are extended.
  let endLeeway: Int64
  /// Limits in seconds; nil for none.
  let maximumLifetime: Int64?
  let maximumAge: Int64?
  let maximumAuthenticationAge: Int64?
  let checks: [@Sendable (TokenClaims, JOSEHeader, NumericDate) -> JOSEError?]

  private let limits: TokenLimits
  private let candidateLimit: Int
  private let acceptsPadding: Bool

  /// Prepares `policy`.
  ///
  /// - Throws: `policyInvalid` for a policy that contradicts itself.
  package init(_ policy: TokenPolicy) throws(JOSEError) {
    try policy.validate()
    self.policy = policy
    headers = HeaderVerifier(policy.signature)
    rules = ClaimRule.all(of: policy)
    issuers = TextTable(policy.issuer.values ?? [])
    audiences = TextTable(policy.audience.values ?? [])
    subjects = TextTable(policy.subject.values ?? [])
    requiredNames = TextTable(policy.requiredClaims)
    claimNames = TextTable(policy.claims.map(\.name))
    let accepted = policy.claims.map { ($0.expectation.values ?? []).compactMap(\.string) }
    texts = TextTable(accepted.flatMap { $0 })
    textEnds = accepted.indices.map { index in accepted[...index].reduce(0) { $0 + $1.count } }
    startLeeway = policy.startLeeway
    endLeeway = policy.endLeeway
    maximumLifetime = policy.maximumLifetime.longest
    maximumAge = policy.maximumAge.longest
    maximumAuthenticationAge = policy.maximumAuthenticationAge.longest
    checks = policy.checks.map(\.check)
    limits = policy.signature.limits
    candidateLimit = policy.signature.candidateLimit
    acceptsPadding = policy.signature.acceptsPadding
  }

  /// Parses a compact token, with the limits and the padding that the policy allows.
  ///
  /// If the payload cannot be read, the first rule that the header breaks is the error.
  package func parse(_ compact: String) throws(JOSEError) -> UnverifiedToken {
    do {
      return UnverifiedToken(
        try ParsedToken(compact, limits: limits, acceptsPadding: acceptsPadding))
    } catch {
      if let header = header(of: compact, after: error) {
        _ = try headers.verify(header, protected: header, payload: .base64url)
      }
      throw error
    }
  }

  /// The header of a token whose payload cannot be read.
  func header(of compact: String, after error: JOSEError) -> JOSEHeader? {
    UnreadablePayload.header(of: compact, after: error, limits: limits, acceptsPadding: acceptsPadding)
  }

  /// Verifies size and header: a token that fails here is not worth fetching keys for.
  ///
  /// - Returns: the token's algorithm, which the policy allows.
  @discardableResult
  package func verifyHeader(_ token: UnverifiedToken) throws(JOSEError) -> Algorithm {
    if !token.parsed.limits.isWithin(limits) { try token.parsed.check(limits) }
    return try headers.verify(token.parsed.header, protected: token.parsed.header, payload: .base64url)
  }

  /// Verifies header, key, signature and claims, in this order.
  package func verify(
    _ token: UnverifiedToken, keys: PreparedKeys, at now: NumericDate
  ) throws(JOSEError) -> VerifiedToken {
    try verify(token, of: verifyHeader(token), keys: keys, at: now)
  }

  /// Verifies a compact token whose header is known: its payload, signature and claims.
  func verify(
    _ compact: String, _ header: KnownHeader, keys: PreparedKeys, at now: NumericDate
  ) throws(JOSEError) -> VerifiedToken {
    let token = try ParsedToken(
      compact, knownHeader: header.size, limits: limits, acceptsPadding: acceptsPadding)
    _ = try token.verifySignature(keys, header.candidates)
    try verifyClaims(token, at: now)
    return VerifiedToken(token, algorithm: header.algorithm, key: header.key, verifiedAt: now)
  }

  /// The header of a token that these keys verified. Nil for a policy with checks of its own, which read the
  /// header of each token, and if it may be a token of several keys.
  func knownHeader(of token: VerifiedToken, keys: PreparedKeys) -> KnownHeader? {
    guard checks.isEmpty,
      let candidates = try? candidates(token.parsed, token.algorithm, keys), candidates.isOne,
      let size = ByteSearch.firstIndex(of: UInt8(ascii: "."), in: token.compact.utf8.span, from: 0)
    else { return nil }
    return KnownHeader(
      of: token.compact, size: size, token.algorithm, candidates,
      key: keys.name(candidates.first, token.header))
  }

  /// Verifies key, signature and claims of a token whose header passed ``verifyHeader(_:)``.
  package func verify(
    _ token: UnverifiedToken, of algorithm: Algorithm, keys: PreparedKeys, at now: NumericDate
  ) throws(JOSEError) -> VerifiedToken {
    let token = token.parsed
    let key = try token.verifySignature(keys, candidates(token, algorithm, keys))
    try verifyClaims(token, at: now)
    return VerifiedToken(
      token, algorithm: algorithm, key: keys.name(key, token.header), verifiedAt: now)
  }

  /// Verifies a token that this policy has verified before, without repeating what depends on its text and
  /// the keys alone.
  ///
  /// - Returns: nil if another set of keys verified it.
  package func verify(
    _ cached: CachedToken, keys: PreparedKeys, at now: NumericDate
  ) throws(JOSEError) -> VerifiedToken? {
    guard cached.keys === keys.identity else { return nil }
    try verifyClaims(cached.token.parsed, at: now)
    return VerifiedToken(cached.token, verifiedAt: now)
  }

  @inline(__always)
  private func verifyClaims(_ token: ParsedToken, at now: NumericDate) throws(JOSEError) {
    var claims = ClaimVerification(token, now: now)
    for index in rules.indices { try claims.check(rules[index], self) }
  }

  /// Verifies a compact token and reports every check.
  package func explain(_ compact: String, keys: PreparedKeys, at now: NumericDate) -> Explanation {
    var explainer = Explainer(verifier: self, keys: keys, now: now)
    return explainer.explain(compact)
  }

  /// The keys that may have signed `token`.
  func candidates(
    _ token: ParsedToken, _ algorithm: Algorithm, _ keys: PreparedKeys
  ) throws(JOSEError) -> PreparedKeys.Candidates {
    try keys.candidates(token.header, algorithm, limit: candidateLimit)
  }

  /// True if the string at `place` is one of the texts that the policy's claim at `index` accepts.
  func accepts(_ index: Int, _ document: JSONDocument, at place: Int) -> Bool {
    for text in (index == 0 ? 0 : textEnds[index - 1])..<textEnds[index]
    where texts.matches(text, document, at: place) {
      return true
    }
    return false
  }
}

extension ParsedToken {
  /// Checks narrower limits than those that the token was parsed with.
  fileprivate func check(_ limits: TokenLimits) throws(JOSEError) {
    let text = compact
    _ = try CompactParts.dots(text.utf8.span, limits: limits)
    _ = try JSONDocument.object(header.document.bytes, in: .header, limits: limits)
    _ = try JSONDocument.object(claims.document.bytes, in: .payload, limits: limits)
  }

  /// The index of the key for which the signature is valid.
  func verifySignature(
    _ keys: PreparedKeys, _ candidates: PreparedKeys.Candidates
  ) throws(JOSEError) -> Int {
    let text = compact
    let bytes = signature
    return try keys.verify(
      candidates, input: text.utf8.span.extracting(first: signingInputSize), signature: bytes.span)
  }
}
