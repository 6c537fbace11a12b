internal import TokenSecurityCrypto
internal import TokenSecurityEncodings
internal import JOSE
internal import OpenIDConnect

extension ProfileOptions {
  /// The profile that the options name, or nil where they name none.
  func made(beside demands: PolicyOptions) throws(OpenIDError) -> Profile? {
    if let userPool { return try self.userPool(userPool) }
    if let identityPool { return try self.identityPool(identityPool) }
    if let provider { return try self.provider(provider, demands) }
    if let loadBalancer { return try self.loadBalancer(loadBalancer) }
    return standard(demands)
  }

  private func userPool(_ id: String) throws(OpenIDError) -> Profile {
    let pool = try CognitoUserPool(id)
    let use: CognitoUserPool.Use =
      switch self.use {
      case .id: .id
      case .access: .access
      default: .either
      }
    let rules = CognitoUserPoolRules(
      pool: pool, use: use, clientIDs: clients, groups: group, scopes: scope, resources: resource)
    return Profile(
      option: "--user-pool", policy: rules.policy, location: try pool.keys, isOfIDTokens: use == .id)
  }

  private func identityPool(_ id: String) throws(OpenIDError) -> Profile {
    let pool = try CognitoIdentityPool(id)
    let rules = CognitoIdentityPoolRules(pool: pool, acceptsGuests: allowGuests)
    return Profile(
      option: "--identity-pool", policy: rules.policy, location: try pool.keys, keyForm: .loose)
  }

  private func provider(
    _ provider: Provider, _ demands: PolicyOptions
  ) throws(OpenIDError) -> Profile {
    let (server, audiences) = (demands.issuer.first ?? "", demands.audience)
    let issuer: TrustedIssuer =
      switch provider {
      case .google: try .google(clientIDs: clientID)
      case .apple: try .apple(clientIDs: clientID)
      case .amazon: try .loginWithAmazon(clientIDs: clientID)
      case .facebook: try .facebookLimitedLogin(appIDs: clientID)
      case .microsoft: try .microsoftEntra(tenant: tenant ?? "", clientIDs: clientID)
      case .okta:
        try .okta(issuer: server, audiences: audiences, clientIDs: clientsIfGiven, scopes: scope)
      case .auth0:
        try .auth0(
          issuer: server, audiences: audiences, clientIDs: clientsIfGiven, scopes: scope,
          permissions: permission)
      case .keycloak:
        try .keycloak(issuer: server, audiences: audiences, clientIDs: clientsIfGiven, scopes: scope)
      }
    var profile = Profile(option: "--provider", policy: issuer.policy)
    if case .remote(let location) = issuer.keys { profile.location = location }
    profile.usesIssuerOptions = provider.givesAccessTokens
    profile.isOfIDTokens = !provider.givesAccessTokens
    return profile
  }

  private func loadBalancer(_ arn: String) throws(OpenIDError) -> Profile {
    let balancer = try LoadBalancer(arn: arn)
    return Profile(
      option: "--load-balancer",
      policy: balancer.policy(clientID: clients, issuer: .unchecked(because: "the signer is judged")),
      loadBalancer: balancer)
  }

  /// `--use` alone: the standards' own rules for ID and access tokens.
  private func standard(_ demands: PolicyOptions) -> Profile? {
    switch use {
    case .id:
      let rules = IDTokenRules(
        issuers: demands.issuer, clientIDs: clientID.isEmpty ? demands.audience : clientID)
      return Profile(option: "--use", policy: rules.policy, usesIssuerOptions: true, isOfIDTokens: true)
    case .access:
      let rules = AccessTokenRules(
        issuers: demands.issuer, audiences: demands.audience, clientIDs: clientsIfGiven, scopes: scope,
        types: demands.typ.isEmpty ? ["at+jwt"] : demands.typ)
      return Profile(option: "--use", policy: rules.policy, usesIssuerOptions: true)
    default: return nil
    }
  }

  private var clients: Expectation<String> {
    anyClient ? .unchecked(because: "--any-client") : .oneOf(clientID)
  }

  private var clientsIfGiven: Expectation<String> {
    clientID.isEmpty ? .unchecked(because: "any client") : .oneOf(clientID)
  }

  /// What is missing, or has no place beside the rest.
  func problem(_ profile: Profile?) -> String? {
    let option = profile?.option
    if anyClient, !clientID.isEmpty { return "--client-id and --any-client contradict each other" }
    switch option {
    case "--user-pool" where use == nil: return "--user-pool needs --use id, --use access or --use either"
    case "--user-pool", "--load-balancer":
      if clientID.isEmpty, !anyClient {
        return "\(option ?? "") needs --client-id, or --any-client where you mean that"
      }
    case "--provider":
      if let problem = problemWithProvider() { return problem }
    case "--use": if use == .either { return "--use either is for --user-pool" }
    case nil where use != nil: return "--use either is for --user-pool"
    default: break
    }
    if option != "--user-pool", !group.isEmpty { return "--group is for --user-pool" }
    if !resource.isEmpty, option != "--user-pool" || use == .id {
      return "--resource is for access tokens of --user-pool"
    }
    if !permission.isEmpty, provider != .auth0 { return "--permission is for --provider auth0" }
    if !scope.isEmpty, use != .access, provider?.givesAccessTokens != true {
      return "--scope is for access tokens: say --use access"
    }
    if tenant != nil, provider != .microsoft { return "--tenant is for --provider microsoft" }
    if allowGuests, identityPool == nil { return "--allow-guests is for --identity-pool" }
    if !clientID.isEmpty, option == nil || option == "--identity-pool" {
      return "--client-id has no meaning here: say --use, --user-pool, --provider or --load-balancer"
    }
    return nil
  }

  private func problemWithProvider() -> String? {
    guard let provider else { return nil }
    guard provider.givesAccessTokens else {
      if let use, use != .id { return "--provider \(provider.name) is for ID tokens" }
      return clientID.isEmpty ? "--provider needs --client-id" : nil
    }
    guard use == nil || use == .access else {
      return
        "--provider \(provider.name) is for access tokens; for its ID tokens say --use id, --issuer and --discover"
    }
    return nil
  }
}

/// What a profile demands, and where its keys are.
struct Profile {
  /// The option that named it.
  let option: String
  var policy: TokenPolicy
  var location: KeySetLocation?
  var keyForm: KeyForm = .standard
  var loadBalancer: LoadBalancer?
  /// True where issuer and audience come from the options of these names.
  var usesIssuerOptions = false
  /// True where the tokens say who signed in.
  var isOfIDTokens = false

  /// Demands what belongs to one sign-in.
  mutating func apply(_ signIn: SignIn) { signIn.apply(to: &policy) }
}
