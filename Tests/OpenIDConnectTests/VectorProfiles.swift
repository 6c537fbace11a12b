internal import JOSE
internal import OpenIDConnect
internal import TokenSecurityBase
internal import TokenSecurityVectorFiles

/// The policy and the keys of a vector's profile.
struct VectorProfile {
  let policy: TokenPolicy
  let keys: JWKSet

  /// Parses `input.profile` and `input.sign_in`. Unknown members are errors.
  init(_ input: JSONObject, _ file: VectorFile) throws {
    try VectorFile.Case.check(
      input, knows: ["profile", "token", "at", "sign_in", "used", "nonce", "access_token"])
    let profile = try input.object("profile")
    let clients = profile["clients"]?.strings ?? []
    var policy: TokenPolicy
    var known: Set<String> = ["kind", "clients"]
    switch profile["kind"]?.string {
    case "id":
      known.formUnion(["issuers", "trusted", "parties", "acr", "amr"])
      var rules = IDTokenRules(issuers: profile["issuers"]?.strings ?? [], clientIDs: clients)
      rules.trustedAudiences = profile["trusted"]?.strings ?? []
      rules.authorizedParties = profile["parties"]?.strings ?? clients
      if let acr = profile["acr"]?.strings { rules.authenticationContext = .oneOf(acr) }
      rules.authenticationMethods = profile["amr"]?.strings ?? []
      policy = rules.policy
    case "access":
      known.formUnion(["issuers", "audiences", "scopes"])
      policy =
        AccessTokenRules(
          issuers: profile["issuers"]?.strings ?? [], audiences: profile["audiences"]?.strings ?? [],
          clientIDs: .oneOf(clients), scopes: profile["scopes"]?.strings ?? []
        ).policy
    case "logout":
      known.formUnion(["issuers"])
      let used = input["used"] == true
      policy =
        LogoutTokenRules(issuers: profile["issuers"]?.strings ?? [], clientIDs: clients) { _, _, _ in !used }
        .policy
    case "user-pool":
      known.formUnion(["pool", "use", "groups", "scopes", "revoked"])
      var rules = CognitoUserPoolRules(
        pool: try CognitoUserPoolIssuer(profile["pool"]?.string ?? ""),
        use: try CognitoUserPoolIssuer.Use(name: profile["use"]?.string ?? "").orThrow("no use"),
        clientIDs: .oneOf(clients), groups: profile["groups"]?.strings ?? [],
        scopes: profile["scopes"]?.strings ?? [])
      if let revoked = profile["revoked"]?.strings { rules.isRevoked = { revoked.contains($0) } }
      policy = rules.policy
    case "identity-pool":
      known.formUnion(["pool", "guests", "providers"])
      policy =
        CognitoIdentityPoolRules(
          pool: try CognitoIdentityPool(profile["pool"]?.string ?? ""),
          acceptsGuests: profile["guests"] == true,
          providers: profile["providers"]?.strings ?? []
        ).policy
    case "load-balancer":
      known.formUnion(["arn"])
      policy = try LoadBalancer(arn: profile["arn"]?.string ?? "")
        .policy(clientID: .oneOf(clients), issuer: .unchecked(because: "the signer is judged"))
    default:
      known.formUnion(["domains", "tenant"])
      policy = try Self.provider(profile, clients).policy
    }
    try VectorFile.Case.check(profile, knows: known)
    if let signIn = input["sign_in"]?.object { try Self.signIn(signIn).apply(to: &policy) }
    self.policy = policy
    keys = try Self.keys(profile, file)
  }

  private static func provider(_ profile: JSONObject, _ clients: [String]) throws -> TrustedIssuer {
    switch profile["kind"]?.string {
    case "google": try .google(clientIDs: clients, hostedDomains: profile["domains"]?.strings ?? [])
    case "apple": try .apple(clientIDs: clients)
    case "amazon": try .loginWithAmazon(clientIDs: clients)
    case "facebook": try .facebookLimitedLogin(appIDs: clients)
    case "microsoft": try .microsoftEntra(tenant: profile["tenant"]?.string ?? "", clientIDs: clients)
    default: throw VectorFileError("no such profile")
    }
  }

  private static func signIn(_ object: JSONObject) throws -> SignIn {
    try VectorFile.Case.check(object, knows: ["nonce", "access_token", "code", "hashes", "max_age"])
    return SignIn(
      nonce: object["nonce"]?.string.map { .exactly($0) } ?? .absent,
      accessToken: object["access_token"]?.string, code: object["code"]?.string,
      hashes: object["hashes"] == nil ? .required : .optional(because: "the vector says so"),
      maximumAge: object["max_age"]?.number?.int64.map { .seconds($0) }
        ?? .unchecked(because: "none was sent"))
  }

  private static func keys(_ profile: JSONObject, _ file: VectorFile) throws -> JWKSet {
    switch profile["kind"]?.string {
    case "identity-pool":
      let text = try file.extras.object("identity_pool_keys")
      return try JWKSet(json: JSONValue.object(text).description.utf8.span, form: .loose)
    case "load-balancer":
      let key = try file.extras.object("load_balancer_key")
      var jwk = try KeyFile.pem(SecretBytes((key["pem"]?.string ?? "").utf8.span))
      jwk.keyID = key["kid"]?.string
      return JWKSet([jwk])
    default: return try JWKSet(json: JSONValue.object(try file.extras.object("keys")).description)
    }
  }
}

extension JSONObject {
  func object(_ name: String) throws -> JSONObject { try self[name]?.object.orThrow("no \(name)") ?? [:] }
  func text(_ name: String) throws -> String { try (self[name]?.string).orThrow("no \(name)") }
  func seconds(_ name: String) throws -> Int64 { try (self[name]?.number?.int64).orThrow("no \(name)") }
}

extension Optional {
  func orThrow(_ message: String) throws -> Wrapped {
    guard let self else { throw VectorFileError(message) }
    return self
  }
}
