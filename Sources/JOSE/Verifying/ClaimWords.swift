internal import TokenSecurityEncodings

/// A claim rule in words: what the policy demands, what the token has.
struct ClaimWords {
  let name: String
  let reference: String?
  let expected: String
  let actual: String?
  /// Why the policy leaves it unchecked, where it does.
  let unchecked: String?

  init(_ rule: ClaimRule, _ policy: TokenPolicy, _ judgement: ClaimJudgement?) {
    func claim(_ name: String) -> String? {
      guard let judgement else { return nil }
      return judgement.token.claims.document.member(name).map {
        judgement.token.claims.document.value(at: $0).words
      } ?? "absent"
    }
    func time(_ name: String, _ date: NumericDate?) -> String? {
      guard let judgement else { return nil }
      return date.map { "\($0), \($0.relative(to: judgement.now))" } ?? claim(name)
    }
    func leeway(_ seconds: Int64) -> String {
      seconds == 0 ? "" : ", give or take \(TimeSpan(seconds: seconds))"
    }
    let start =
      policy.startLeeway == 0
      ? "not in the future, if there is one"
      : "at most \(TimeSpan(seconds: policy.startLeeway)) ahead, if present"
    func age(_ limit: Limit) -> String {
      Words.demand(limit) + (limit.longest == nil ? "" : leeway(policy.endLeeway))
    }
    switch rule {
    case .types:
      self.init(
        "claims", "RFC 7519 section 4.1", "registered claims of their types",
        judgement.map { "\($0.token.claims.document.object().members.count) claims" })
    case .expiration:
      let isOptional = if case .optional = policy.expiration { true } else { false }
      self.init(
        "exp", "RFC 7519 section 4.1.4",
        (isOptional ? "in the future, if there is one" : "in the future")
          + leeway(policy.endLeeway),
        time("exp", judgement?.dates.expiration))
    case .notBefore:
      self.init(
        "nbf", "RFC 7519 section 4.1.5", start,
        time("nbf", judgement?.dates.notBefore))
    case .issuedAt:
      self.init(
        "iat", "RFC 7519 section 4.1.6", start,
        time("iat", judgement?.dates.issuedAt))
    case .lifetime:
      let life =
        judgement?.dates.expiration.map { end in
          judgement?.dates.issuedAt.map { "\(TimeSpan(from: $0, to: end))" }
            ?? "\(TimeSpan(from: judgement?.now ?? end, to: end)) left"
        } ?? "no end"
      self.init(
        "lifetime", nil, Words.demand(policy.maximumLifetime),
        judgement == nil ? nil : life, policy.maximumLifetime.reason)
    case .age:
      self.init(
        "age", nil, age(policy.maximumAge), time("iat", judgement?.dates.issuedAt),
        policy.maximumAge.reason)
    case .authenticationAge:
      self.init(
        "auth_time", "OpenID Connect Core section 3.1.3.7",
        age(policy.maximumAuthenticationAge),
        time("auth_time", judgement?.dates.authenticationTime), policy.maximumAuthenticationAge.reason)
    case .issuer:
      self.init(
        "iss", "RFC 7519 section 4.1.1", Words.demand(policy.issuer), claim("iss"),
        policy.issuer.reason)
    case .audience:
      self.init(
        "aud", "RFC 7519 section 4.1.3", Words.demand(policy.audience), claim("aud"),
        policy.audience.reason)
    case .subject:
      self.init(
        "sub", "RFC 7519 section 4.1.2", Words.demand(policy.subject), claim("sub"),
        policy.subject.reason)
    case .required(let index):
      let name = policy.requiredClaims[index]
      self.init(name.bounded(to: 64), nil, "present", claim(name))
    case .value(let index):
      let expected = policy.claims[index]
      self.init(
        expected.name.bounded(to: 64), nil, Words.demand(expected.expectation),
        claim(expected.name), expected.expectation.reason)
    case .custom(let index):
      let check = policy.checks[index]
      self.init(
        check.name, check.reference, check.demand,
        judgement.flatMap { check.finding(TokenClaims($0.token.claims), $0.token.header) })
    }
  }

  private init(
    _ name: String, _ reference: String?, _ expected: String, _ actual: String?,
    _ unchecked: String? = nil
  ) {
    self.name = name
    self.reference = reference
    self.expected = expected
    self.actual = actual
    self.unchecked = unchecked
  }
}

/// Demands and findings as people read them.
enum Words {
  static func demand(_ expectation: Expectation<String>) -> String {
    switch expectation {
    case .oneOf(let values): list(values.map(\.quoted), none: "nothing", separator: " or ")
    case .absent: "absent"
    case .unchecked: "not asked"
    }
  }

  static func demand(_ expectation: Expectation<JSONValue>) -> String {
    switch expectation {
    case .oneOf(let values): list(values.map(\.words), none: "nothing", separator: " or ")
    case .absent: "absent"
    case .unchecked: "not asked"
    }
  }

  static func demand(_ limit: Limit) -> String {
    switch limit {
    case .atMost(let duration): "at most \(TimeSpan(duration))"
    case .rule(let rule): "at most \(TimeSpan(rule.longest)) (\(rule.name))"
    case .unchecked: "not asked"
    }
  }

  static func keys(_ keys: [JWK]) -> String {
    list(
      keys.map { "\($0.kind.name) of \($0.bits) bits" + ($0.keyID.map { ", kid \($0.quoted)" } ?? "") },
      none: "none", separator: "; ")
  }

  static func list(_ texts: [String], none: String, separator: String = ", ") -> String {
    guard !texts.isEmpty else { return none }
    let shown = texts.prefix(6).joined(separator: separator)
    return texts.count > 6 ? shown + " and \(texts.count - 6) more" : shown
  }
}

extension JSONValue {
  /// The value as JSON of at most 96 characters, escaped for a terminal.
  var words: String {
    if let string { return string.quoted }
    if let strings { return Words.list(strings.map(\.quoted), none: "an empty array") }
    return description.bounded(to: 96)
  }
}

extension Expectation {
  /// Why the value is not looked at, where it is not.
  var reason: String? { if case .unchecked(let reason) = self { reason } else { nil } }
}

extension Limit {
  /// Why there is no limit, where there is none.
  var reason: String? { if case .unchecked(let reason) = self { reason } else { nil } }
}
