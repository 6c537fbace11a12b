internal import Encodings

/// The rules that claims are judged by, in their order. The list that decides is the list that explains.
enum ClaimRule: Sendable, Hashable {
  case types
  case expiration
  case notBefore
  case issuedAt
  case lifetime
  case age
  case authenticationAge
  case issuer
  case audience
  case subject
  /// The claim at this place of the policy's `requiredClaims`.
  case required(Int)
  /// The claim at this place of the policy's `claims`.
  case value(Int)
  /// The check at this place of the policy's `checks`.
  case custom(Int)

  /// All rules of a policy. Those that a policy leaves unchecked are among them, to be explained.
  static func all(of policy: TokenPolicy) -> [ClaimRule] {
    [
      .types, .expiration, .notBefore, .issuedAt, .lifetime, .age, .authenticationAge, .issuer,
      .audience, .subject,
    ] + policy.requiredClaims.indices.map(ClaimRule.required)
      + policy.claims.indices.map(ClaimRule.value) + policy.checks.indices.map(ClaimRule.custom)
  }
}

/// Claims in front of their judge: what they say, by what policy, at which instant.
struct ClaimJudgement {
  let claims: TokenClaims
  let document: JSONDocument
  let places: TokenClaims.Places
  let header: JOSEHeader
  let now: NumericDate
  private(set) var expiration: NumericDate?
  private(set) var notBefore: NumericDate?
  private(set) var issuedAt: NumericDate?
  private(set) var authenticationTime: NumericDate?

  init(
    _ claims: TokenClaims, _ header: JOSEHeader, limits: TokenLimits, now: NumericDate
  ) throws(JOSEError) {
    self.claims = claims
    (document, places) = try claims.parsed(limits: limits)
    self.header = header
    self.now = now
  }

  /// Judges one rule. `types` comes first: it reads the dates that the others compare.
  mutating func judge(_ rule: ClaimRule, _ policy: TokenPolicy) throws(JOSEError) {
    switch rule {
    case .types: try readTypes()
    case .expiration: try judgeExpiration(policy)
    case .notBefore:
      if let notBefore, now.advanced(bySeconds: policy.leeway) < notBefore {
        throw .notYetValid(from: notBefore, now: now)
      }
    case .issuedAt:
      if let issuedAt, now.advanced(bySeconds: policy.leeway) < issuedAt {
        throw .issuedInFuture(at: issuedAt, now: now)
      }
    case .lifetime: try judgeLifetime(policy)
    case .age: try judgeAge("iat", issuedAt, policy.maximumAge, policy)
    case .authenticationAge:
      try judgeAge("auth_time", authenticationTime, policy.maximumAuthenticationAge, policy)
    case .issuer: try judgeIssuer(policy.issuer)
    case .audience: try judgeAudience(policy.audience)
    case .subject: try judgeSubject(policy.subject)
    case .required(let index):
      let name = policy.requiredClaims[index]
      guard document.member(name) != nil else { throw .claimMissing(name: name) }
    case .value(let index): try judgeValue(policy.claims[index])
    case .custom(let index):
      let check = policy.checks[index]
      if let message = check.judge(claims, header, now) {
        throw .checkFailed(name: check.name, message: message)
      }
    }
  }

  private mutating func readTypes() throws(JOSEError) {
    try judgeString("iss", places.issuer)
    try judgeString("sub", places.subject)
    try judgeString("jti", places.tokenID)
    if places.audience >= 0 {
      var isRight = document.kind(at: places.audience) == .string
      if document.kind(at: places.audience) == .array {
        isRight = document.elements(of: places.audience).allSatisfy {
          document.kind(at: $0) == .string
        }
      }
      guard isRight else {
        throw .claimType(name: "aud", expected: "a string or an array of strings")
      }
    }
    expiration = try date("exp", places.expiration)
    notBefore = try date("nbf", places.notBefore)
    issuedAt = try date("iat", places.issuedAt)
    authenticationTime = try date("auth_time", places.authenticationTime)
  }

  private func judgeString(_ name: String, _ place: Int) throws(JOSEError) {
    guard place < 0 || document.kind(at: place) == .string else {
      throw .claimType(name: name, expected: "a string")
    }
  }

  private func date(_ name: String, _ place: Int) throws(JOSEError) -> NumericDate? {
    place < 0 ? nil : try NumericDate(document, at: place, name: name)
  }

  private func judgeExpiration(_ policy: TokenPolicy) throws(JOSEError) {
    guard let expiration else {
      guard case .optional = policy.expiration else { throw .claimMissing(name: "exp") }
      return
    }
    // RFC 7519 section 4.1.4: on or after that time the token is refused.
    guard now < expiration.advanced(bySeconds: policy.leeway) else {
      throw .expired(at: expiration, now: now)
    }
  }

  private func judgeLifetime(_ policy: TokenPolicy) throws(JOSEError) {
    guard let expiration else { return }
    let life = expiration.seconds(since: issuedAt ?? now)
    if issuedAt != nil, life < 0 { throw .lifetimeNegative(seconds: life) }
    if case .seconds(let limit) = policy.maximumLifetime, life > limit {
      throw .lifetimeTooLong(seconds: life, limit: limit)
    }
  }

  private func judgeAge(
    _ name: String, _ date: NumericDate?, _ limit: Limit, _ policy: TokenPolicy
  ) throws(JOSEError) {
    guard case .seconds(let limit) = limit else { return }
    guard let date else { throw .claimMissing(name: name) }
    guard date <= now.advanced(bySeconds: policy.leeway) else {
      throw .issuedInFuture(at: date, now: now)
    }
    let age = now.seconds(since: date)
    guard age <= limit + policy.leeway else { throw .tooOld(claim: name, age: age, limit: limit) }
  }

  private func judgeIssuer(_ expectation: Expectation<String>) throws(JOSEError) {
    guard let wanted = try wanted(expectation, "iss", places.issuer) else { return }
    for issuer in wanted where document.isString(at: places.issuer, issuer) { return }
    throw .issuerMismatch(expected: wanted, found: document.string(at: places.issuer) ?? "")
  }

  private func judgeSubject(_ expectation: Expectation<String>) throws(JOSEError) {
    guard let wanted = try wanted(expectation, "sub", places.subject) else { return }
    for subject in wanted where document.isString(at: places.subject, subject) { return }
    throw .subjectMismatch(expected: wanted, found: document.string(at: places.subject) ?? "")
  }

  private func judgeAudience(_ expectation: Expectation<String>) throws(JOSEError) {
    guard let wanted = try wanted(expectation, "aud", places.audience) else { return }
    let isArray = document.kind(at: places.audience) == .array
    let found = isArray ? document.elements(of: places.audience) : [places.audience]
    for audience in wanted {
      for place in found where document.isString(at: place, audience) { return }
    }
    throw .audienceMismatch(
      expected: wanted, found: found.compactMap { document.string(at: $0) })
  }

  private func judgeValue(_ claim: TokenPolicy.ClaimExpectation) throws(JOSEError) {
    let place = document.member(claim.name) ?? -1
    switch claim.expectation {
    case .unchecked: return
    case .absent:
      guard place < 0 else { throw .claimUnexpected(name: claim.name) }
    case .oneOf(let wanted):
      guard place >= 0 else { throw .claimMissing(name: claim.name) }
      for case .string(let text) in wanted where document.isString(at: place, text) { return }
      let found = document.value(at: place)
      guard !wanted.contains(where: { $0.isIdentical(to: found) }) else { return }
      if let array = found.array,
        array.contains(where: { element in wanted.contains { $0.isIdentical(to: element) } })
      {
        return
      }
      throw .claimMismatch(name: claim.name, expected: wanted, found: found)
    }
  }

  /// The values to compare with, or nil where there is nothing to compare.
  private func wanted(
    _ expectation: Expectation<String>, _ name: String, _ place: Int
  ) throws(JOSEError) -> [String]? {
    switch expectation {
    case .unchecked: return nil
    case .absent:
      guard place < 0 else { throw .claimUnexpected(name: name) }
      return nil
    case .oneOf(let wanted):
      guard place >= 0 else { throw .claimMissing(name: name) }
      return wanted
    }
  }
}

extension JSONValue {
  /// Like `==`, with strings compared byte for byte.
  fileprivate func isIdentical(to other: JSONValue) -> Bool {
    if let mine = string, let theirs = other.string { return mine.isIdentical(to: theirs) }
    return self == other
  }
}
