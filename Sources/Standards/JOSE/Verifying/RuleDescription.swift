internal import TokenSecurityBase

/// A rule in words: what the policy expects and what the token has.
struct RuleDescription {
  let name: String
  var reference: String? = nil
  let expected: String
  var actual: String? = nil
  /// Why the policy leaves it unchecked, if it does.
  var unchecked: String? = nil

  init(name: String, reference: String? = nil, expected: String, actual: String? = nil) {
    self.name = name
    self.reference = reference
    self.expected = expected
    self.actual = actual
  }

  static func form(_ compact: String, _ limits: TokenLimits) -> RuleDescription {
    RuleDescription(
      name: "form", reference: "RFC 7515 section 7.1",
      expected: "three parts, at most \(limits.token) bytes", actual: "\(compact.utf8.count) bytes")
  }

  static func header(_ size: Int?) -> RuleDescription {
    RuleDescription(
      name: "header", reference: "RFC 7515 section 4", expected: "one JSON object, no name twice",
      actual: size.map { "\($0) bytes" })
  }

  static func payload(_ size: Int?) -> RuleDescription {
    RuleDescription(
      name: "payload", reference: "RFC 7519 section 7.2", expected: "one JSON object, no name twice",
      actual: size.map { "\($0) bytes" })
  }

  /// `header` is nil if the token could not be parsed.
  init(_ rule: HeaderRule, _ rules: SignatureRules, _ header: JOSEHeader?) {
    func parameter(_ name: String) -> String? { header.map { $0[name]?.summary ?? "absent" } }
    switch rule {
    case .algorithm:
      name = "alg"
      reference = "RFC 8725 section 3.1"
      expected =
        rules.algorithms.count == Algorithm.allCases.count
        ? "one that the key allows" : rules.algorithms.map(\.name).sorted().joined(separator: " or ")
      actual = header?["alg"]?.summary
    case .parameters:
      name = "parameters"
      reference = "RFC 7515 section 4.1"
      expected = "no key, nothing of encryption"
      let others = header?.parameters.names.filter { !["alg", "kid", "typ"].contains($0) }
      actual = others.map { Summary.list($0.map { $0.bounded(to: 24) }, empty: "none of these") }
    case .critical:
      name = "crit"
      reference = "RFC 7515 section 4.1.11"
      expected =
        rules.understoodCritical.isEmpty
        ? "only extensions that are understood"
        : "only " + rules.understoodCritical.map(\.text).sorted().joined(separator: ", ")
      actual = parameter("crit")
    case .type:
      name = "typ"
      reference = "RFC 7515 section 4.1.9"
      expected = Summary.expected(rules.type)
      actual = parameter("typ")
      unchecked = rules.type.reason
    }
  }

  /// `claims` is nil if the claims were not checked; nothing of them is shown then.
  init(_ rule: ClaimRule, _ policy: TokenPolicy, _ claims: ClaimVerification?) {
    let dates = claims?.dates
    func claim(_ name: String) -> String? {
      guard let document = claims?.token.claims.document else { return nil }
      return document.member(name).map { document.value(at: $0).summary } ?? "absent"
    }
    func time(_ name: String, _ date: NumericDate?) -> String? {
      guard let claims else { return nil }
      return date.map { "\($0), \($0.relative(to: claims.now))" } ?? claim(name)
    }
    func leeway(_ seconds: Int64) -> String {
      seconds == 0 ? "" : ", give or take \(TimeSpan(seconds: seconds))"
    }
    func age(_ limit: Limit) -> String {
      Summary.expected(limit) + (limit.longest == nil ? "" : leeway(policy.endLeeway))
    }
    let start =
      policy.startLeeway == 0
      ? "not in the future, if present"
      : "at most \(TimeSpan(seconds: policy.startLeeway)) ahead, if present"
    switch rule {
    case .types:
      self.init(
        name: "claims", reference: "RFC 7519 section 4.1", expected: "registered claims of their types",
        actual: claims.map { "\($0.token.claims.document.object().members.count) claims" })
    case .expiration:
      let isOptional = if case .optional = policy.expiration { true } else { false }
      self.init(
        name: "exp", reference: "RFC 7519 section 4.1.4",
        expected: (isOptional ? "in the future, if present" : "in the future") + leeway(policy.endLeeway),
        actual: time("exp", dates?.expiration))
    case .notBefore:
      self.init(
        name: "nbf", reference: "RFC 7519 section 4.1.5", expected: start,
        actual: time("nbf", dates?.notBefore))
    case .issuedAt:
      self.init(
        name: "iat", reference: "RFC 7519 section 4.1.6", expected: start,
        actual: time("iat", dates?.issuedAt))
    case .lifetime:
      self.init(
        name: "lifetime", expected: Summary.expected(policy.maximumLifetime),
        actual: claims.map(Self.lifetime), unchecked: policy.maximumLifetime.reason)
    case .age:
      self.init(
        name: "age", expected: age(policy.maximumAge), actual: time("iat", dates?.issuedAt),
        unchecked: policy.maximumAge.reason)
    case .authenticationAge:
      self.init(
        name: "auth_time", reference: "OpenID Connect Core section 3.1.3.7",
        expected: age(policy.maximumAuthenticationAge),
        actual: time("auth_time", dates?.authenticationTime),
        unchecked: policy.maximumAuthenticationAge.reason)
    case .issuer:
      self.init(
        name: "iss", reference: "RFC 7519 section 4.1.1", expected: Summary.expected(policy.issuer),
        actual: claim("iss"), unchecked: policy.issuer.reason)
    case .audience:
      self.init(
        name: "aud", reference: "RFC 7519 section 4.1.3", expected: Summary.expected(policy.audience),
        actual: claim("aud"), unchecked: policy.audience.reason)
    case .subject:
      self.init(
        name: "sub", reference: "RFC 7519 section 4.1.2", expected: Summary.expected(policy.subject),
        actual: claim("sub"), unchecked: policy.subject.reason)
    case .binding:
      self.init(
        name: "cnf", reference: "RFC 7800 section 3.1", expected: Summary.expected(policy.binding),
        actual: claim("cnf"), unchecked: policy.binding.reason)
    case .actors:
      self.init(
        name: "act", reference: "RFC 8693 section 4.1", expected: Summary.expected(policy.actors),
        actual: claim("act"), unchecked: policy.actors.reason)
    case .required(let index):
      let name = policy.requiredClaims[index]
      self.init(name: name.bounded(to: 64), expected: "present", actual: claim(name))
    case .value(let index):
      let rule = policy.claims[index]
      self.init(
        name: rule.name.bounded(to: 64), expected: Summary.expected(rule.expectation),
        actual: claim(rule.name), unchecked: rule.expectation.reason)
    case .custom(let index):
      let check = policy.checks[index]
      self.init(
        name: check.name, reference: check.reference, expected: check.expected,
        actual: claims.flatMap { check.actual(TokenClaims($0.token.claims), $0.token.header) })
    }
  }

  init(
    name: String, reference: String? = nil, expected: String, actual: String?, unchecked: String? = nil
  ) {
    self.name = name
    self.reference = reference
    self.expected = expected
    self.actual = actual
    self.unchecked = unchecked
  }

  private static func lifetime(_ claims: ClaimVerification) -> String {
    guard let end = claims.dates.expiration else { return "no end" }
    guard let start = claims.dates.issuedAt else { return "\(TimeSpan(from: claims.now, to: end)) left" }
    return "\(TimeSpan(from: start, to: end))"
  }
}
