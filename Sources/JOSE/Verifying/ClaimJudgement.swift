internal import TokenSecurityEncodings

/// A token's claims in front of their judge.
struct ClaimJudgement {
  let token: ParsedToken
  let now: NumericDate
  private(set) var dates = RegisteredDates()

  init(_ token: ParsedToken, now: NumericDate) {
    self.token = token
    self.now = now
  }

  /// Judges one rule. `types` comes first: it reads the dates that the others compare.
  @inline(__always)
  mutating func judge(_ rule: ClaimRule, _ prepared: PreparedPolicy) throws(JOSEError) {
    switch rule {
    case .types: dates = try RegisteredDates(token.claims)
    case .expiration: try judgeExpiration(prepared)
    case .notBefore:
      if let start = dates.notBefore, now.advanced(bySeconds: prepared.startLeeway) < start {
        throw .notYetValid(from: start, now: now)
      }
    case .issuedAt:
      if let issuedAt = dates.issuedAt, now.advanced(bySeconds: prepared.startLeeway) < issuedAt {
        throw .issuedInFuture(at: issuedAt, now: now)
      }
    case .lifetime: try judgeLifetime(prepared)
    case .age:
      if let limit = prepared.longestAge {
        try judgeAge("iat", dates.issuedAt, limit, prepared)
      }
    case .authenticationAge:
      if let limit = prepared.longestAuthenticationAge {
        try judgeAge("auth_time", dates.authenticationTime, limit, prepared)
      }
    case .issuer: try judgeIssuer(prepared)
    case .audience: try judgeAudience(prepared)
    case .subject: try judgeSubject(prepared)
    case .required(let index):
      guard prepared.requiredNames.member(index, of: token.claims.document) != nil else {
        throw .claimMissing(name: prepared.policy.requiredClaims[index])
      }
    case .value(let index): try judgeValue(index, prepared)
    case .custom(let index):
      if let error = prepared.checks[index](TokenClaims(token.claims), token.header, now) { throw error }
    }
  }

  private func judgeExpiration(_ prepared: PreparedPolicy) throws(JOSEError) {
    guard let expiration = dates.expiration else {
      guard case .optional = prepared.policy.expiration else { throw .claimMissing(name: "exp") }
      return
    }
    // RFC 7519 section 4.1.4: on or after that time the token is refused.
    guard now < expiration.advanced(bySeconds: prepared.endLeeway) else {
      throw .expired(at: expiration, now: now)
    }
  }

  private func judgeLifetime(_ prepared: PreparedPolicy) throws(JOSEError) {
    guard let expiration = dates.expiration else { return }
    let life = expiration.seconds(since: dates.issuedAt ?? now)
    if dates.issuedAt != nil, life < 0 { throw .lifetimeNegative(.seconds(life)) }
    guard life > prepared.longestLife else { return }
    throw .lifetimeTooLong(.seconds(life), limit: .seconds(prepared.longestLife))
  }

  private func judgeAge(
    _ name: String, _ date: NumericDate?, _ limit: Int64, _ prepared: PreparedPolicy
  ) throws(JOSEError) {
    guard let date else { throw .claimMissing(name: name) }
    guard date <= now.advanced(bySeconds: prepared.startLeeway) else {
      throw .issuedInFuture(at: date, now: now)
    }
    let age = now.seconds(since: date)
    guard age <= limit.saturatingSum(prepared.endLeeway) else {
      throw .tooOld(claim: name, age: .seconds(age), limit: .seconds(limit))
    }
  }

  private func judgeIssuer(_ prepared: PreparedPolicy) throws(JOSEError) {
    let place = token.claims.places.issuer
    if try matches(prepared.issuers, "iss", place, prepared.policy.issuer) { return }
    throw .issuerMismatch(
      expected: prepared.policy.issuer.values ?? [],
      actual: token.claims.document.string(at: place) ?? "")
  }

  private func judgeSubject(_ prepared: PreparedPolicy) throws(JOSEError) {
    let place = token.claims.places.subject
    if try matches(prepared.subjects, "sub", place, prepared.policy.subject) { return }
    throw .subjectMismatch(
      expected: prepared.policy.subject.values ?? [],
      actual: token.claims.document.string(at: place) ?? "")
  }

  private func judgeAudience(_ prepared: PreparedPolicy) throws(JOSEError) {
    let place = token.claims.places.audience
    if try matches(prepared.audiences, "aud", place, prepared.policy.audience) { return }
    let document = token.claims.document
    let elements = document.elements(of: place)
    for element in elements where prepared.audiences.contains(document, at: element) { return }
    throw .audienceMismatch(
      expected: prepared.policy.audience.values ?? [],
      actual: document.string(at: place).map { [$0] } ?? elements.compactMap { document.string(at: $0) })
  }

  private func judgeValue(_ index: Int, _ prepared: PreparedPolicy) throws(JOSEError) {
    let place = prepared.claimNames.member(index, of: token.claims.document) ?? -1
    if place >= 0, prepared.accepts(index, token.claims.document, at: place) { return }
    let name = prepared.policy.claims[index].name
    switch prepared.policy.claims[index].expectation {
    case .unchecked: return
    case .absent:
      guard place < 0 else { throw .claimUnexpected(name: name) }
    case .oneOf(let wanted):
      guard place >= 0 else { throw .claimMissing(name: name) }
      let found = token.claims.document.value(at: place)
      guard !wanted.contains(where: { $0.isIdentical(to: found) }) else { return }
      if let array = found.array,
        array.contains(where: { element in wanted.contains { $0.isIdentical(to: element) } })
      {
        return
      }
      throw .claimMismatch(name: name, expected: wanted, actual: found)
    }
  }

  /// True where the claim is as expected: one of the accepted texts or, where none are named, absent if it
  /// must be. The expectation itself is looked at only then: it counts references, the table does not.
  private func matches(
    _ accepted: TextTable, _ name: String, _ place: Int,
    _ expectation: @autoclosure () -> Expectation<String>
  ) throws(JOSEError) -> Bool {
    guard accepted.count > 0 else {
      if case .absent = expectation(), place >= 0 { throw .claimUnexpected(name: name) }
      return true
    }
    guard place >= 0 else { throw .claimMissing(name: name) }
    return accepted.contains(token.claims.document, at: place)
  }
}

extension JSONValue {
  /// Like `==`, with strings compared byte for byte.
  fileprivate func isIdentical(to other: JSONValue) -> Bool {
    if let mine = string, let theirs = other.string { return mine.isIdentical(to: theirs) }
    return self == other
  }
}
