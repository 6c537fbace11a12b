internal import JOSE
internal import TokenSecurityBase

/// The kinds of issuers by rules that a document has.
private enum StandardProfile: ExactString, CaseIterable {
  /// Any issuer.
  case token = "token"
  /// ID tokens of any OpenID provider.
  case idToken = "id-token"
  /// Access tokens of any authorization server with RFC 9068.
  case accessToken = "access-token"
}

extension TrustedIssuer {
  /// Reads an issuer of a document.
  init(_ object: inout DocumentObject, _ source: KeySource) throws(PolicyDocumentError) {
    let name = try object.requiredText("profile")
    let made: TrustedIssuer
    switch (StandardProfile(name: name), IssuerProfile(name: name)) {
    case (.token, _): made = try .tokens(&object, source)
    case (.idToken, _):
      var rules = IDTokenRules(
        issuers: try object.requiredTexts("issuer"), clientIDs: try object.requiredTexts("client_ids"))
      if let algorithms = try object.algorithms() { rules.algorithms = algorithms }
      made = .openIDProvider(rules, keys: source.keys)
    case (.accessToken, _):
      var rules = AccessTokenRules(
        issuers: try object.requiredTexts("issuer"), audiences: try object.requiredTexts("audience"),
        clientIDs: try object.expectation("client_ids"), scopes: try object.texts("scopes") ?? [])
      if let algorithms = try object.algorithms() { rules.algorithms = algorithms }
      made = .authorizationServer(rules, keys: source.keys)
    case (nil, let profile?):
      let settings = try IssuerSettings(&object, profile)
      do throws(OpenIDError) { made = try .known(profile, settings, keys: source.keys) } catch {
        throw .issuer(error)
      }
    case (nil, nil):
      let names = StandardProfile.allCases.map(\.name) + IssuerProfile.allCases.map(\.name)
      throw object.refused("profile", "is \(name.quoted) and must be \(names.quotedList)")
    }
    self = made
    try apply(&object)
  }

  /// Applies the limits that every profile has.
  private mutating func apply(_ object: inout DocumentObject) throws(PolicyDocumentError) {
    if let leeway = try object.seconds("leeway", 0...TokenPolicy.largestLeeway.wholeSeconds) {
      policy.leeway = leeway
    }
    if let longest = try object.number("maximum_lifetime", 1...31_536_000) {
      policy.maximumLifetime = .seconds(longest)
    }
    if let age = try object.number("maximum_age", 1...31_536_000) { policy.maximumAge = .seconds(age) }
    if let classes = try object.texts("acr") {
      policy.checks += TokenCheck.authenticationContext(.oneOf(classes))
    }
    if let methods = try object.admission("binding") { policy.binding = methods }
    if let actors = try object.admission("actors") { policy.actors = actors }
  }
}

extension TrustedIssuer {
  /// An issuer by rules that the document has.
  fileprivate static func tokens(
    _ object: inout DocumentObject, _ source: KeySource
  ) throws(PolicyDocumentError) -> TrustedIssuer {
    let issuers = try object.requiredTexts("issuer")
    var policy = TokenPolicy(
      issuer: .oneOf(issuers),
      audience: try object.expectation("audience"))
    if let algorithms = try object.algorithms() { policy.signature.algorithms = algorithms }
    if let types = try object.texts("type") { policy.signature.type = .oneOf(types) }
    if let subjects = try object.texts("subject") { policy.subject = .oneOf(subjects) }
    policy.requiredClaims = try object.texts("required_claims") ?? []
    for claim in try object.entries("claims") {
      let values = claim.value.array ?? [claim.value]
      guard !values.isEmpty else {
        throw object.refused("claims", "has an empty list, which no claim equals")
      }
      policy.claims.append(TokenPolicy.ClaimExpectation(claim.name, .oneOf(values)))
    }
    if let keys = source.keys { return TrustedIssuer(policy: policy, keys: keys) }
    guard issuers.count == 1, let issuer = issuers.first else {
      throw object.refused("keys", "is required for several issuers")
    }
    return TrustedIssuer(policy: policy, keys: .remote(.discovery(issuer: issuer)))
  }
}

extension DocumentObject {
  /// The algorithms, which reduce those that the keys allow; nil for all.
  mutating func algorithms() throws(PolicyDocumentError) -> Set<Algorithm>? {
    guard let names = try texts("algorithms") else { return nil }
    var algorithms: Set<Algorithm> = []
    for name in names {
      guard let algorithm = Algorithm(name: name) else {
        throw refused("algorithms", "has \(name.quoted), which is not supported")
      }
      algorithms.insert(algorithm)
    }
    return algorithms
  }

  /// A required text or list of texts, or `{"unchecked_because": "…"}`.
  mutating func expectation(_ name: String) throws(PolicyDocumentError) -> Expectation<String> {
    if let reason = try reason(name) { return .unchecked(because: reason) }
    return .oneOf(try requiredTexts(name))
  }

  /// A text or list of texts, or `{"unchecked_because": "…"}`; nil if the member is absent.
  mutating func admission(_ name: String) throws(PolicyDocumentError) -> Admission? {
    if let reason = try reason(name) { return .unchecked(because: reason) }
    return try texts(name).map { .only($0) }
  }

  private mutating func reason(_ name: String) throws(PolicyDocumentError) -> String? {
    guard value(name)?.object != nil, var object = try object(name) else { return nil }
    let reason = try object.requiredText("unchecked_because")
    try object.refuseOthers()
    return reason
  }
}
