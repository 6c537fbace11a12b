internal import JOSE
internal import TokenSecurityBase

extension TrustedIssuer {
  /// Reads an issuer whose profile knows its rules.
  static func known(
    _ object: inout DocumentObject, _ profile: IssuerProfile
  ) throws(PolicyDocumentError) -> TrustedIssuer {
    switch profile {
    case .cognitoUserPool: return try cognitoUserPool(&object)
    case .cognitoIdentityPool:
      let (pool, guests) = (try object.requiredText("pool"), try object.bool("accepts_guests"))
      let providers = try object.texts("providers") ?? []
      return try made { () throws(OpenIDError) in
        try .cognitoIdentityPool(pool, acceptsGuests: guests, providers: providers)
      }
    case .google:
      let (clients, domains) = (
        try object.requiredTexts("client_ids"), try object.texts("hosted_domains") ?? []
      )
      return try made { () throws(OpenIDError) in try .google(clientIDs: clients, hostedDomains: domains) }
    case .apple:
      let clients = try object.requiredTexts("client_ids")
      return try made { () throws(OpenIDError) in try .apple(clientIDs: clients) }
    case .microsoftEntra:
      let (tenant, clients) = (try object.requiredText("tenant"), try object.requiredTexts("client_ids"))
      return try made { () throws(OpenIDError) in try .microsoftEntra(tenant: tenant, clientIDs: clients) }
    case .okta:
      let server = try Server(&object)
      return try made { () throws(OpenIDError) in
        try .okta(
          issuer: server.issuer, audiences: server.audiences, clientIDs: server.clientIDs,
          scopes: server.scopes)
      }
    case .auth0:
      let (server, permissions) = (try Server(&object), try object.texts("permissions") ?? [])
      return try made { () throws(OpenIDError) in
        try .auth0(
          issuer: server.issuer, audiences: server.audiences, clientIDs: server.clientIDs,
          scopes: server.scopes, permissions: permissions)
      }
    case .keycloak:
      let (server, isBound) = (try Server(&object), try object.bool("bound_to_proof"))
      return try made { () throws(OpenIDError) in
        try .keycloak(
          issuer: server.issuer, audiences: server.audiences, clientIDs: server.clientIDs,
          scopes: server.scopes, isBoundToProof: isBound)
      }
    case .token, .idToken, .accessToken:
      throw object.refused("profile", "has no rules of its own")
    }
  }

  private static func cognitoUserPool(
    _ object: inout DocumentObject
  ) throws(PolicyDocumentError) -> TrustedIssuer {
    let pool = try object.requiredText("pool")
    let name = try object.requiredText("use")
    guard let use = CognitoUserPoolIssuer.Use(name: name) else {
      let names = CognitoUserPoolIssuer.Use.allCases.map(\.name)
      throw object.refused("use", "is \(name.quoted) and must be \(names.quotedList)")
    }
    let clients = try object.requiredTexts("client_ids")
    let (groups, scopes) = (try object.texts("groups") ?? [], try object.texts("scopes") ?? [])
    let (resources, issuer) = (try object.texts("resources") ?? [], try object.text("issuer"))
    var replicas: [AWSRegion] = []
    for name in try object.texts("replica_regions") ?? [] {
      do throws(AWSNameError) { replicas.append(try AWSRegion(name)) } catch {
        throw object.refused("replica_regions", "has \(name.quoted): \(error)")
      }
    }
    return try made { () throws(OpenIDError) in
      var rules = CognitoUserPoolRules(
        pool: try CognitoUserPoolIssuer(pool), use: use, clientIDs: .oneOf(clients), groups: groups,
        scopes: scopes,
        resources: resources)
      rules.issuer = issuer
      rules.replicaRegions = replicas
      return try .cognitoUserPool(rules)
    }
  }

  private static func made(
    _ body: () throws(OpenIDError) -> TrustedIssuer
  ) throws(PolicyDocumentError) -> TrustedIssuer {
    do throws(OpenIDError) { return try body() } catch { throw .issuer(error) }
  }

  /// The settings that authorization servers have in common.
  private struct Server {
    let issuer: String
    let audiences: [String]
    let clientIDs: Expectation<String>
    let scopes: [String]

    init(_ object: inout DocumentObject) throws(PolicyDocumentError) {
      issuer = try object.requiredText("issuer")
      audiences = try object.requiredTexts("audience")
      clientIDs = try object.expectation("client_ids")
      scopes = try object.texts("scopes") ?? []
    }
  }
}
