internal import TokenSecurityBase

/// Makes an ``Explanation``: the rules of ``TokenVerifier`` in the same order, with words.
struct Explainer {
  let verifier: PolicyVerifier
  let keys: PreparedKeys
  let now: NumericDate
  private var checks: [Explanation.Check] = []
  /// The first rule that the token breaks. A list, since memcheck reports that optimised code reads bytes of an optional
  /// error that its case does not set.
  private var errors: [JOSEError] = []
  private var firstError: JOSEError? { errors.first }

  init(verifier: PolicyVerifier, keys: PreparedKeys, now: NumericDate) {
    self.verifier = verifier
    self.keys = keys
    self.now = now
  }

  private var policy: TokenPolicy { verifier.policy }

  mutating func explain(_ compact: String) -> Explanation {
    let limits = policy.signature.limits
    let acceptsPadding = policy.signature.acceptsPadding
    let parts = check(.form(compact, limits), compact) { compact throws(JOSEError) in
      try CompactParts(compact.utf8.span, limits: limits, acceptsPadding: acceptsPadding)
    }
    let header = check(.header(parts?.header.count), parts) { parts throws(JOSEError) in
      try JOSEHeader(parts.header, limits: limits)
    }
    let claims = check(.payload(parts?.payload.count), parts) { parts throws(JOSEError) in
      try ClaimsDocument(parts.payload, limits: limits)
    }
    if let error = firstError, let header = verifier.header(of: compact, after: error),
      let explanation = explain(compact, header)
    {
      return explanation
    }
    var token: ParsedToken? = nil
    if let parts, let header, let claims {
      token = ParsedToken(
        compact, limits: limits, header: header, claims: claims, signature: parts.signature,
        signingInputSize: parts.signingInputSize)
    }
    let algorithm = explainHeader(token?.header)
    let key = explainSignature(token, algorithm)
    explainClaims(token)
    var result: Result<VerifiedToken, JOSEError> = .failure(firstError ?? .tokenEmpty)
    if errors.isEmpty, let token, let algorithm, let key {
      result = .success(
        VerifiedToken(token, algorithm: algorithm, key: keys.name(key, token.header), verifiedAt: now))
    }
    return Explanation(checks: checks, result: result, header: header, checkedAt: now)
  }

  /// The explanation of a token whose payload cannot be read, if its header breaks a rule: that is the reason.
  private mutating func explain(_ compact: String, _ header: JOSEHeader) -> Explanation? {
    var other = Explainer(verifier: verifier, keys: keys, now: now)
    other.append(.form(compact, policy.signature.limits), .passed)
    other.append(.header(header.document.bytes.count), .passed)
    other.append(.payload(nil), .notReached)
    let algorithm = other.explainHeader(header)
    guard let error = other.firstError else { return nil }
    _ = other.explainSignature(nil, algorithm)
    other.explainClaims(nil)
    return Explanation(checks: other.checks, result: .failure(error), header: header, checkedAt: now)
  }

  private mutating func explainHeader(_ header: JOSEHeader?) -> Algorithm? {
    let headers = verifier.headers
    var algorithm: Algorithm? = nil
    for rule in HeaderRule.allCases {
      check(RuleDescription(rule, headers.rules, header), header) { header throws(JOSEError) in
        try headers.check(rule, header, protected: header, payload: .base64url, &algorithm)
      }
    }
    return algorithm
  }

  private mutating func explainSignature(_ token: ParsedToken?, _ algorithm: Algorithm?) -> Int? {
    let (verifier, keys) = (verifier, keys)
    let kid = token?.header.keyID.map { "a key with kid \($0.quoted)" } ?? "a key"
    let candidates = check(
      RuleDescription(
        name: "key", reference: "RFC 7517 section 4.5",
        expected: kid + " for \(algorithm?.name ?? "alg")", actual: nil), token
    ) { token throws(JOSEError) in
      guard let algorithm else { throw .algorithmMissing }
      return try verifier.candidates(token, algorithm, keys)
    }
    if let candidates, let last = checks.indices.last {
      checks[last].actual = Summary.keys(keys.keys(candidates))
    }
    return check(
      RuleDescription(
        name: "signature", reference: "RFC 7515 section 5.2", expected: "valid for header and payload",
        actual: token.map { "\($0.signature.count) bytes" }), candidates
    ) { candidates throws(JOSEError) in
      guard let token else { throw .tokenEmpty }
      return try token.verifySignature(keys, candidates)
    }
  }

  // Claims are shown only after the signature was verified. Then all of them are checked, and the first that
  // fails decides the result.
  private mutating func explainClaims(_ token: ParsedToken?) {
    var claims = errors.isEmpty ? token.map { ClaimVerification($0, now: now) } : nil
    for rule in verifier.rules {
      // A check with effects would change something for a token that is refused.
      guard claims != nil, errors.isEmpty || !hasEffects(rule) else {
        append(RuleDescription(rule, policy, nil), .notReached)
        continue
      }
      var outcome = Explanation.Outcome.passed
      do {
        try claims?.check(rule, verifier)
      } catch {
        outcome = .failed(error)
        if errors.isEmpty { errors = [error] }
      }
      append(RuleDescription(rule, policy, claims), outcome)
      // Without the registered claims' types no other rule can be checked.
      if rule == .types, !errors.isEmpty { claims = nil }
    }
  }

  private func hasEffects(_ rule: ClaimRule) -> Bool {
    if case .custom(let index) = rule { policy.checks[index].hasEffects } else { false }
  }

  private mutating func append(_ rule: RuleDescription, _ outcome: Explanation.Outcome) {
    var outcome = outcome
    if outcome == .passed, let reason = rule.unchecked { outcome = .unchecked(because: reason) }
    checks.append(
      Explanation.Check(
        name: rule.name, reference: rule.reference, expected: rule.expected,
        actual: outcome == .notReached ? nil : rule.actual, outcome: outcome))
  }

  /// Runs a check that needs `input`, unless an earlier one failed.
  @discardableResult
  private mutating func check<Input, Output>(
    _ rule: RuleDescription, _ input: Input?, _ body: (Input) throws(JOSEError) -> Output
  ) -> Output? {
    guard errors.isEmpty, let input else {
      append(rule, .notReached)
      return nil
    }
    do {
      let output = try body(input)
      append(rule, .passed)
      return output
    } catch {
      errors = [error]
      append(rule, .failed(error))
      return nil
    }
  }
}
