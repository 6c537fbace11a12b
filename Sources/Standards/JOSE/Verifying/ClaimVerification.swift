internal import TokenSecurityBase

/// The verification of one token's claims.
struct ClaimVerification {
  let token: ParsedToken
  let now: NumericDate
  private(set) var dates = RegisteredDates()

  init(_ token: ParsedToken, now: NumericDate) {
    self.token = token
    self.now = now
  }

  /// Checks one rule. `types` comes first: it reads the dates that other rules compare.
  @inline(__always)
  mutating func check(_ rule: ClaimRule, _ verifier: PolicyVerifier) throws(JOSEError) {
    switch rule {
    case .types: dates = try .read(token.claims.document, token.claims.places)
    case .expiration: try checkExpiration(verifier)
    case .notBefore:
      if let start = dates.notBefore, now.advanced(bySeconds: verifier.startLeeway) < start {
        throw .notYetValid(from: start, now: now)
      }
    case .issuedAt:
      if let issuedAt = dates.issuedAt, now.advanced(bySeconds: verifier.startLeeway) < issuedAt {
        throw .issuedInFuture(at: issuedAt, now: now)
      }
    case .lifetime: try checkLifetime(verifier)
    case .age:
      if let limit = verifier.maximumAge { try checkAge("iat", dates.issuedAt, limit, verifier) }
    case .authenticationAge:
      if let limit = verifier.maximumAuthenticationAge {
        try checkAge("auth_time", dates.authenticationTime, limit, verifier)
      }
    case .issuer:
      let place = token.claims.places.issuer
      if try matches(verifier.issuers, "iss", place, verifier.policy.issuer) { return }
      throw .issuerMismatch(expected: verifier.policy.issuer.values ?? [], actual: text(place))
    case .audience: try checkAudience(verifier)
    case .subject:
      let place = token.claims.places.subject
      if try matches(verifier.subjects, "sub", place, verifier.policy.subject) { return }
      throw .subjectMismatch(expected: verifier.policy.subject.values ?? [], actual: text(place))
    case .binding:
      if let place = token.claims.places.confirmation { try checkBinding(place, verifier.policy) }
    case .actors: if let place = token.claims.places.actor { try checkActor(place, verifier.policy) }
    case .required(let index):
      guard verifier.requiredNames.member(index, of: token.claims.document) != nil else {
        throw .claimMissing(name: verifier.policy.requiredClaims[index])
      }
    case .value(let index): try checkValue(index, verifier)
    case .custom(let index):
      if let error = verifier.checks[index](TokenClaims(token.claims), token.header, now) { throw error }
    }
  }

  private func checkExpiration(_ verifier: PolicyVerifier) throws(JOSEError) {
    guard let expiration = dates.expiration else {
      guard case .optional = verifier.policy.expiration else { throw .claimMissing(name: "exp") }
      return
    }
    // RFC 7519 section 4.1.4: the token must not be accepted on or after that time.
    guard now < expiration.advanced(bySeconds: verifier.endLeeway) else {
      throw .expired(at: expiration, now: now)
    }
  }

  private func checkLifetime(_ verifier: PolicyVerifier) throws(JOSEError) {
    guard let expiration = dates.expiration else { return }
    let lifetime = expiration.seconds(since: dates.issuedAt ?? now)
    if dates.issuedAt != nil, lifetime < 0 { throw .lifetimeNegative(.seconds(lifetime)) }
    guard let limit = verifier.maximumLifetime, lifetime > limit else { return }
    throw .lifetimeTooLong(.seconds(lifetime), limit: .seconds(limit))
  }

  private func checkAge(
    _ name: String, _ date: NumericDate?, _ limit: Int64, _ verifier: PolicyVerifier
  ) throws(JOSEError) {
    guard let date else { throw .claimMissing(name: name) }
    guard date <= now.advanced(bySeconds: verifier.startLeeway) else {
      throw .issuedInFuture(at: date, now: now)
    }
    let age = now.seconds(since: date)
    guard age <= limit.saturatingSum(verifier.endLeeway) else {
      throw .tooOld(claim: name, age: .seconds(age), limit: .seconds(limit))
    }
  }

  private func checkAudience(_ verifier: PolicyVerifier) throws(JOSEError) {
    let place = token.claims.places.audience
    if try matches(verifier.audiences, "aud", place, verifier.policy.audience) { return }
    let document = token.claims.document
    let elements = place.map { document.elements(of: $0) } ?? []
    for element in elements where verifier.audiences.contains(document, at: element) { return }
    throw .audienceMismatch(
      expected: verifier.policy.audience.values ?? [],
      actual: place.flatMap { document.string(at: $0) }.map { [$0] }
        ?? elements.compactMap { document.string(at: $0) })
  }

  private func checkBinding(_ place: Int, _ policy: TokenPolicy) throws(JOSEError) {
    if case .unchecked = policy.binding { return }
    guard let methods = token.claims.document.value(at: place).object?.names else {
      throw .claimType(name: "cnf", expected: "an object")
    }
    let accepted = policy.binding.values
    guard !methods.isEmpty, methods.allSatisfy({ accepted.contains($0) }) else {
      throw .tokenBound(methods: methods, accepted: accepted)
    }
  }

  private func checkActor(_ place: Int, _ policy: TokenPolicy) throws(JOSEError) {
    if case .unchecked = policy.actors { return }
    guard let actor = token.claims.document.value(at: place).object else {
      throw .claimType(name: "act", expected: "an object")
    }
    let subject = actor["sub"]?.string
    guard let subject, policy.actors.values.contains(subject), isOfTokensIssuer(actor) else {
      throw .tokenDelegated(actor: subject, accepted: policy.actors.values)
    }
  }

  /// RFC 8693 section 4.1: a `sub` alone may name someone else at another issuer. Without `iss` it is of the token's.
  private func isOfTokensIssuer(_ actor: JSONObject) -> Bool {
    guard let issuer = actor["iss"] else { return true }
    guard let issuer = issuer.string, let place = token.claims.places.issuer else { return false }
    return issuer.isIdentical(to: text(place))
  }

  private func checkValue(_ index: Int, _ verifier: PolicyVerifier) throws(JOSEError) {
    let document = token.claims.document
    let place = verifier.claimNames.member(index, of: document)
    if let place, verifier.accepts(index, document, at: place) { return }
    let name = verifier.policy.claims[index].name
    switch verifier.policy.claims[index].expectation {
    case .unchecked: return
    case .absent:
      guard place == nil else { throw .claimUnexpected(name: name) }
    case .oneOf(let expected):
      guard let place else { throw .claimMissing(name: name) }
      let actual = document.value(at: place)
      func isExpected(_ value: JSONValue) -> Bool { expected.contains { $0.isIdentical(to: value) } }
      guard !isExpected(actual), !(actual.array ?? []).contains(where: isExpected) else { return }
      throw .claimMismatch(name: name, expected: expected, actual: actual)
    }
  }

  /// True if the claim is one of the accepted texts or, if the policy names none, absent where it must be.
  /// The expectation is evaluated only then: reading it counts references.
  private func matches(
    _ accepted: TextTable, _ name: String, _ place: Int?,
    _ expectation: @autoclosure () -> Expectation<String>
  ) throws(JOSEError) -> Bool {
    guard accepted.count > 0 else {
      if case .absent = expectation(), place != nil { throw .claimUnexpected(name: name) }
      return true
    }
    guard let place else { throw .claimMissing(name: name) }
    return accepted.contains(token.claims.document, at: place)
  }

  private func text(_ place: Int?) -> String { place.flatMap { token.claims.document.string(at: $0) } ?? "" }
}

extension JSONValue {
  /// Like `==`, with strings compared byte for byte.
  fileprivate func isIdentical(to other: JSONValue) -> Bool {
    if let text = string, let otherText = other.string { return text.isIdentical(to: otherText) }
    return self == other
  }
}
