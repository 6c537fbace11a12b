internal import JOSE
internal import TokenSecurityBase

extension IssuerSettings {
  /// Reads the settings that a profile has in a document.
  init(_ object: inout DocumentObject, _ profile: IssuerProfile) throws(PolicyDocumentError) {
    self.init()
    switch profile {
    case .cognitoUserPool:
      pool = try object.requiredText("pool")
      let name = try object.requiredText("use")
      guard let use = CognitoUserPoolIssuer.Use(name: name) else {
        let names = CognitoUserPoolIssuer.Use.allCases.map(\.name)
        throw object.refused("use", "is \(name.quoted) and must be \(names.quotedList)")
      }
      self.use = use
      clientIDs = try object.expectation("client_ids")
      groups = try object.texts("groups") ?? []
      scopes = try object.texts("scopes") ?? []
      resources = try object.texts("resources") ?? []
      issuer = try object.text("issuer")
      for name in try object.texts("replica_regions") ?? [] {
        do throws(AWSNameError) { replicaRegions.append(try AWSRegion(name)) } catch {
          throw object.refused("replica_regions", "has \(name.quoted): \(error)")
        }
      }
    case .cognitoIdentityPool:
      pool = try object.requiredText("pool")
      acceptsGuests = try object.bool("accepts_guests")
      providers = try object.texts("providers") ?? []
    case .google, .apple, .amazon, .facebook, .microsoftEntra:
      if profile == .microsoftEntra { tenant = try object.requiredText("tenant") }
      clientIDs = .oneOf(try object.requiredTexts("client_ids"))
      if profile == .google { hostedDomains = try object.texts("hosted_domains") ?? [] }
    case .okta, .auth0, .keycloak:
      issuer = try object.requiredText("issuer")
      audiences = try object.requiredTexts("audience")
      clientIDs = try object.expectation("client_ids")
      scopes = try object.texts("scopes") ?? []
      if profile == .auth0 { permissions = try object.texts("permissions") ?? [] }
      if profile == .keycloak { isBoundToProof = try object.bool("bound_to_proof") }
    }
  }
}
