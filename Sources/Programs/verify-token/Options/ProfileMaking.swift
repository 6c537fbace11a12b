internal import JOSE
internal import OpenIDConnect
internal import TokenSecurityBase
internal import TokenSecurityCrypto

extension ProfileOptions {
  /// The selected profile; nil if none is selected.
  func makeProfile(_ options: PolicyOptions) throws(OpenIDError) -> Profile? {
    if userPool != nil { return try known(.cognitoUserPool, "--user-pool", options) }
    if identityPool != nil { return try known(.cognitoIdentityPool, "--identity-pool", options) }
    if let provider { return try known(provider.profile, "--provider", options) }
    if let loadBalancer { return try self.loadBalancer(loadBalancer) }
    return standard(options)
  }

  private func known(
    _ name: IssuerProfile, _ option: String, _ options: PolicyOptions
  ) throws(OpenIDError) -> Profile {
    let isUserPool = name == .cognitoUserPool
    var settings = IssuerSettings()
    settings.pool = userPool ?? identityPool ?? ""
    settings.use = use ?? .either
    settings.tenant = tenant ?? ""
    settings.issuer = options.issuer.first
    settings.audiences = options.audience
    settings.clientIDs = isUserPool ? clients : clientsIfGiven
    settings.groups = group
    settings.scopes = scope
    settings.permissions = permission
    settings.resources = resource
    settings.acceptsGuests = allowGuests
    do throws(AWSNameError) {
      if isUserPool { settings.replicaRegions = try replicaRegion.map(AWSRegion.init) }
    } catch { throw OpenIDError(error) }
    let issuer: TrustedIssuer
    // An issuer whose keys cannot be fetched is accepted with keys from a file.
    do { issuer = try .known(name, settings) } catch {
      issuer = try .known(name, settings, keys: .fixed(JWKSet([])))
    }
    var profile = Profile(option: option, policy: issuer.policy, separateKeys: issuer.separateKeys)
    if case .remote(let location) = issuer.keys { profile.location = location }
    if name == .cognitoIdentityPool { profile.keyForm = .loose }
    profile.usesIssuerOptions = name.isAuthorizationServer
    profile.usesOwnIssuer = isUserPool && !options.issuer.isEmpty
    profile.isForIDTokens = isUserPool ? use == .id : provider != nil && !name.isAuthorizationServer
    return profile
  }

  private func loadBalancer(_ arn: String) throws(OpenIDError) -> Profile {
    let balancer = try LoadBalancer(arn: arn)
    return Profile(
      option: "--load-balancer",
      policy: balancer.policy(clientID: clients, issuer: .unchecked(because: "the signer is checked")),
      loadBalancer: balancer)
  }

  /// The profile for `--use` alone: OpenID Connect for ID tokens, RFC 9068 for access tokens.
  private func standard(_ options: PolicyOptions) -> Profile? {
    switch use {
    case .id:
      let rules = IDTokenRules(
        issuers: options.issuer, clientIDs: clientID.isEmpty ? options.audience : clientID)
      return Profile(option: "--use", policy: rules.policy, usesIssuerOptions: true, isForIDTokens: true)
    case .access:
      let rules = AccessTokenRules(
        issuers: options.issuer, audiences: options.audience, clientIDs: clientsIfGiven, scopes: scope,
        types: options.typ.isEmpty ? ["at+jwt"] : options.typ)
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

  /// The first option that is missing or does not fit the others, or nil.
  func conflict(_ profile: Profile?) -> String? {
    let option = profile?.option
    if anyClient, !clientID.isEmpty { return "--client-id and --any-client exclude each other" }
    switch option {
    case "--user-pool" where use == nil: return "--user-pool needs --use id, --use access or --use either"
    case "--user-pool", "--load-balancer":
      if clientID.isEmpty, !anyClient {
        return "\(option ?? "") needs --client-id, or --any-client to accept any"
      }
    case "--provider":
      if let conflict = providerConflict() { return conflict }
    case "--use": if use == .either { return "--use either needs --user-pool" }
    case nil where use != nil: return "--use either needs --user-pool"
    default: break
    }
    if option != "--user-pool", !group.isEmpty { return "--group needs --user-pool" }
    if !replicaRegion.isEmpty, option != "--user-pool" || profile?.usesOwnIssuer == true {
      return "--replica-region needs --user-pool without --issuer"
    }
    if !resource.isEmpty, option != "--user-pool" || use == .id {
      return "--resource is for access tokens of --user-pool"
    }
    if !permission.isEmpty, provider?.profile != .auth0 { return "--permission needs --provider auth0" }
    if !scope.isEmpty, use != .access, provider?.profile.isAuthorizationServer != true {
      return "--scope is for access tokens: add --use access"
    }
    if tenant != nil, provider?.profile != .microsoftEntra { return "--tenant needs --provider microsoft" }
    if allowGuests, identityPool == nil { return "--allow-guests needs --identity-pool" }
    if !clientID.isEmpty, option == nil || option == "--identity-pool" {
      return "--client-id needs --use, --user-pool, --provider or --load-balancer"
    }
    return nil
  }

  private func providerConflict() -> String? {
    guard let provider else { return nil }
    guard provider.profile.isAuthorizationServer else {
      if let use, use != .id { return "--provider \(provider.name) is for ID tokens" }
      return clientID.isEmpty ? "--provider needs --client-id" : nil
    }
    guard use == nil || use == .access else {
      return
        "--provider \(provider.name) is for access tokens; for its ID tokens give --use id, --issuer and --discover"
    }
    return nil
  }
}

/// The rules of an issuer, and the location of its keys.
struct Profile {
  /// The option that selected it.
  let option: String
  var policy: TokenPolicy
  var location: KeySetLocation?
  /// The locations of the keys of other issuers than the first.
  var separateKeys: [ExactString: KeySetLocation] = [:]
  var keyForm: KeyForm = .standard
  var loadBalancer: LoadBalancer?
  /// True if --issuer and --audience apply.
  var usesIssuerOptions = false
  /// True if --issuer applies.
  var usesOwnIssuer = false
  var isForIDTokens = false

  /// Adds the checks of one sign-in.
  mutating func apply(_ signIn: SignIn) { signIn.apply(to: &policy) }
}
