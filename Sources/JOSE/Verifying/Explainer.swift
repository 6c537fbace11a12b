internal import TokenSecurityEncodings

/// Makes an ``Explanation``: the rules of ``TokenVerifier/verify(_:at:)`` in the same order, with words.
struct Explainer {
  let prepared: PreparedPolicy
  let keys: PreparedKeys
  let now: NumericDate
  private var checks: [Explanation.Check] = []
  private var refusal: JOSEError?

  init(prepared: PreparedPolicy, keys: PreparedKeys, now: NumericDate) {
    self.prepared = prepared
    self.keys = keys
    self.now = now
  }

  private var policy: TokenPolicy { prepared.policy }

  mutating func explain(_ compact: String) -> Explanation {
    let limits = policy.signature.limits
    let bytes = compact.utf8.count
    let acceptsPadding = policy.signature.acceptsPadding
    let parts = judge(
      "form", "RFC 7515 section 7.1",
      "three parts, at most \(limits.token) bytes", actual: "\(bytes) bytes"
    ) { () throws(JOSEError) in
      try CompactParts(compact.utf8.span, limits: limits, acceptsPadding: acceptsPadding)
    }
    let header = judge(
      "header", "RFC 7515 section 4", "one JSON object, no name twice",
      actual: parts.map { "\($0.header.count) bytes" }
    ) { () throws(JOSEError) in
      try parts.map { parts throws(JOSEError) in try JOSEHeader(parts.header, limits: limits) }
    }
    let claims = judge(
      "payload", "RFC 7519 section 7.2", "one JSON object, no name twice",
      actual: parts.map { "\($0.payload.count) bytes" }
    ) { () throws(JOSEError) in
      try parts.map { parts throws(JOSEError) in try ClaimsDocument(parts.payload, limits: limits) }
    }
    var token: ParsedToken? = nil
    if refusal == nil, let parts, let header = header ?? nil, let claims = claims ?? nil {
      token = ParsedToken(compact, parts, limits: limits, header: header, claims: claims)
    }
    let algorithm = explainHeader(token)
    let key = explainSignature(token, algorithm)
    explainClaims(token)
    let result: Result<VerifiedToken, JOSEError> =
      if refusal == nil, let token, let algorithm, let key {
        .success(
          VerifiedToken(
            token, algorithm: algorithm, key: keys.name(key, token.header), verifiedAt: now))
      } else {
        .failure(refusal ?? .tokenEmpty)
      }
    return Explanation(checks: checks, result: result, header: header ?? nil, checkedAt: now)
  }

  private mutating func explainHeader(_ token: ParsedToken?) -> Algorithm? {
    let rules = policy.signature
    let allowed =
      rules.algorithms.count == Algorithm.allCases.count
      ? "one that the key allows"
      : rules.algorithms.map(\.name).sorted().joined(separator: " or ")
    let algorithm = judge(
      "alg", "RFC 8725 section 3.1", allowed, actual: token?.header["alg"]?.words
    ) { () throws(JOSEError) in
      try token?.header.judgeAlgorithm(rules)
    }
    let extras = token?.header.parameters.names.filter { !["alg", "kid", "typ"].contains($0) }
    judge(
      "parameters", "RFC 7515 section 4.1", "no key of its own, nothing of encryption",
      actual: extras.map { Words.list($0.map { $0.bounded(to: 24) }, none: "none of these") }
    ) { () throws(JOSEError) in
      try token?.header.judgeParameters(rules)
    }
    judge(
      "crit", "RFC 7515 section 4.1.11",
      rules.understoodCritical.isEmpty
        ? "only extensions that are understood"
        : "only " + rules.understoodCritical.map(\.text).sorted().joined(separator: ", "),
      actual: token.map { $0.header["crit"]?.words ?? "absent" }
    ) { () throws(JOSEError) in
      try token?.judgeCritical(rules)
    }
    judge(
      "typ", "RFC 7515 section 4.1.9", Words.demand(rules.type),
      actual: token.map { $0.header["typ"]?.words ?? "absent" },
      unchecked: rules.type.reason
    ) { () throws(JOSEError) in
      try token?.header.judgeType(rules)
    }
    return algorithm ?? nil
  }

  private mutating func explainSignature(
    _ token: ParsedToken?, _ algorithm: Algorithm?
  ) -> Int? {
    let kid = token?.header.keyID
    let keys = self.keys
    let candidateLimit = prepared.candidateLimit
    let candidates = judge(
      "key", "RFC 7517 section 4.5",
      (kid.map { "a key with kid \($0.quoted)" } ?? "a key") + " for \(algorithm?.name ?? "alg")",
      actual: nil
    ) { () throws(JOSEError) -> PreparedKeys.Candidates? in
      guard let token, let algorithm else { return nil }
      return try keys.candidates(token.header, algorithm, limit: candidateLimit)
    }
    if let found = candidates ?? nil { amendLast(actual: Words.keys(keys.keys(found))) }
    let key = judge(
      "signature", "RFC 7515 section 5.2", "holds for header and payload",
      actual: token.map { "\($0.signature.count) bytes" }
    ) { () throws(JOSEError) -> Int? in
      guard let token, let candidates = candidates ?? nil else { return nil }
      return try token.verifySignature(keys, candidates)
    }
    return key ?? nil
  }

  // Nothing of the claims is shown before the signature holds; behind it all of them are
  // judged, and the first that fails is the verdict.
  private mutating func explainClaims(_ token: ParsedToken?) {
    let rules = prepared.rules
    guard refusal == nil, let token else {
      for rule in rules {
        let words = ClaimWords(rule, policy, nil)
        append(words, outcome: .notReached)
      }
      return
    }
    var judgement = ClaimJudgement(token, now: now)
    var typesHold = true
    for rule in rules {
      // A check with effects would change something for a token that is refused.
      guard typesHold, refusal == nil || !hasEffects(rule) else {
        append(ClaimWords(rule, policy, nil), outcome: .notReached)
        continue
      }
      var outcome = Explanation.Outcome.passed
      do {
        try judgement.judge(rule, prepared)
      } catch {
        outcome = .failed(error)
        refusal = refusal ?? error
        typesHold = rule != .types
      }
      let words = ClaimWords(rule, policy, judgement)
      if outcome == .passed, let reason = words.unchecked { outcome = .unchecked(because: reason) }
      append(words, outcome: outcome)
    }
  }

  private func hasEffects(_ rule: ClaimRule) -> Bool {
    if case .custom(let index) = rule { policy.checks[index].hasEffects } else { false }
  }

  private mutating func append(_ words: ClaimWords, outcome: Explanation.Outcome) {
    checks.append(
      Explanation.Check(
        name: words.name, reference: words.reference, expected: words.expected,
        actual: outcome == .notReached ? nil : words.actual, outcome: outcome))
  }

  private mutating func amendLast(actual: String) {
    guard let last = checks.popLast() else { return }
    checks.append(
      Explanation.Check(
        name: last.name, reference: last.reference, expected: last.expected, actual: actual,
        outcome: last.outcome))
  }

  @discardableResult
  private mutating func judge<R>(
    _ name: String, _ reference: String, _ expected: String, actual: String?,
    unchecked: String? = nil, _ body: () throws(JOSEError) -> R
  ) -> R? {
    var outcome = Explanation.Outcome.notReached
    var value: R? = nil
    if refusal == nil {
      do {
        value = try body()
        outcome = unchecked.map { .unchecked(because: $0) } ?? .passed
      } catch {
        outcome = .failed(error)
        refusal = error
      }
    }
    checks.append(
      Explanation.Check(
        name: name, reference: reference, expected: expected,
        actual: outcome == .notReached ? nil : actual, outcome: outcome))
    return value
  }
}
