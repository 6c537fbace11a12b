internal import ArgumentParser
internal import CryptoPrimitives
internal import JOSE
internal import OpenIDConnect

/// The options that name whose tokens are meant, so that issuer, audience and keys follow.
struct ProfileOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The tokens of a Cognito user pool, by its id. Needs --use and --client-id.", valueName: "id"))
  var userPool: String?

  @Option(
    help: ArgumentHelp("A client id of ours. May be given more than once.", valueName: "id"))
  var clientID: [String] = []

  @Flag(help: "Accept tokens that any client asked for.")
  var anyClient = false

  @Option(help: "The kind of token that is wanted: id, access, or with --user-pool either.")
  var use: Use?

  @Option(
    help: ArgumentHelp(
      "A group of the user pool that the user must be in, or in another that is given.", valueName: "name"))
  var group: [String] = []

  @Option(
    help: ArgumentHelp(
      "A scope that an access token must have, besides others that are given.", valueName: "name"))
  var scope: [String] = []

  @Option(
    help: ArgumentHelp(
      "The OpenID tokens of a Cognito identity pool, developer-authenticated ones among them, by its id.",
      valueName: "id"))
  var identityPool: String?

  @Flag(help: "Accept tokens of guests of the identity pool, who have not signed in.")
  var allowGuests = false

  @Option(help: "The ID tokens of a provider: google, apple, amazon, facebook, microsoft. Needs --client-id.")
  var provider: Provider?

  @Option(help: ArgumentHelp("The tenant's id, for --provider microsoft.", valueName: "id"))
  var tenant: String?

  @Option(
    help: ArgumentHelp(
      "What an Application Load Balancer says of a user (x-amzn-oidc-data), by its ARN. Needs --client-id.",
      valueName: "arn"))
  var loadBalancer: String?

  @Option(help: ArgumentHelp("The nonce that was sent, which the ID token must have.", valueName: "text"))
  var nonce: String?

  @Option(
    help: ArgumentHelp(
      "The access token that came with the ID token: at_hash must be its hash.", valueName: "file"),
    completion: .file())
  var accessToken: String?

  enum Use: String, ExpressibleByArgument, CaseIterable {
    case id
    case access
    case either
  }

  enum Provider: String, ExpressibleByArgument, CaseIterable {
    case google
    case apple
    case amazon
    case facebook
    case microsoft
  }

  /// The profile that is named, or nil where none is. Throws `UsageProblem` for what contradicts itself.
  func profile(issuers: [String], audiences: [String]) throws -> Profile? {
    let named = [userPool != nil, identityPool != nil, provider != nil, loadBalancer != nil]
    guard named.filter({ $0 }).count <= 1 else {
      throw UsageProblem(
        "give one of --user-pool, --identity-pool, --provider and --load-balancer, not several")
    }
    var profile: Profile?
    do throws(OpenIDError) {
      profile =
        if let userPool {
          try self.userPool(userPool)
        } else if let identityPool {
          try self.identityPool(identityPool)
        } else if let provider {
          try self.provider(provider)
        } else if let loadBalancer {
          try self.loadBalancer(loadBalancer)
        } else {
          standard(issuers: issuers, audiences: audiences)
        }
    } catch {
      throw UsageProblem("\(error) [\(error.codeName)]")
    }
    if let problem = problem(profile) { throw UsageProblem(problem) }
    guard nonce != nil || accessToken != nil else { return profile }
    guard profile?.isOfIDTokens == true else {
      throw UsageProblem("--nonce and --access-token are for ID tokens: say --use id, or name a provider")
    }
    let signIn = SignIn(
      nonce: nonce.map { .exactly($0) } ?? .unchecked(because: "no --nonce"),
      accessToken: try accessToken.map(Self.token))
    profile?.apply(signIn)
    return profile
  }

  private func userPool(_ id: String) throws(OpenIDError) -> Profile {
    let pool = try CognitoUserPool(id)
    let use: CognitoUserPool.Use =
      switch self.use {
      case .id: .id
      case .access: .access
      default: .either
      }
    let rules = CognitoUserPoolRules(pool: pool, use: use, clientIDs: clients, groups: group, scopes: scope)
    return Profile(
      option: "--user-pool", policy: rules.policy, location: try pool.keys, isOfIDTokens: use == .id)
  }

  private func identityPool(_ id: String) throws(OpenIDError) -> Profile {
    let pool = try CognitoIdentityPool(id)
    let rules = CognitoIdentityPoolRules(pool: pool, acceptsGuests: allowGuests)
    return Profile(
      option: "--identity-pool", policy: rules.policy, location: try pool.keys, keyForm: .loose)
  }

  private func provider(_ provider: Provider) throws(OpenIDError) -> Profile {
    let issuer: TrustedIssuer =
      switch provider {
      case .google: try .google(clientIDs: clientID)
      case .apple: try .apple(clientIDs: clientID)
      case .amazon: try .loginWithAmazon(clientIDs: clientID)
      case .facebook: try .facebookLimitedLogin(appIDs: clientID)
      case .microsoft: try .microsoftEntra(tenant: tenant ?? "", clientIDs: clientID)
      }
    guard case .remote(let location) = issuer.keys else {
      return Profile(option: "--provider", policy: issuer.policy)
    }
    return Profile(
      option: "--provider", policy: issuer.policy, location: location, isOfIDTokens: true)
  }

  private func loadBalancer(_ arn: String) throws(OpenIDError) -> Profile {
    let balancer = try LoadBalancer(arn: arn)
    return Profile(
      option: "--load-balancer",
      policy: balancer.policy(clientID: clients, issuer: .unchecked(because: "the signer is judged")),
      loadBalancer: balancer)
  }

  /// `--use` alone: the standards' own rules for ID and access tokens.
  private func standard(issuers: [String], audiences: [String]) -> Profile? {
    switch use {
    case .id:
      let rules = IDTokenRules(issuers: issuers, clientIDs: clientID.isEmpty ? audiences : clientID)
      return Profile(option: "--use", policy: rules.policy, usesIssuerOptions: true, isOfIDTokens: true)
    case .access:
      let rules = AccessTokenRules(
        issuers: issuers, audiences: audiences,
        clientIDs: clientID.isEmpty ? .unchecked(because: "any client") : .oneOf(clientID), scopes: scope)
      return Profile(option: "--use", policy: rules.policy, usesIssuerOptions: true)
    default: return nil
    }
  }

  private var clients: Expectation<String> {
    anyClient ? .unchecked(because: "--any-client") : .oneOf(clientID)
  }

  /// What is missing, or has no place beside the rest.
  private func problem(_ profile: Profile?) -> String? {
    let option = profile?.option
    if anyClient, !clientID.isEmpty { return "--client-id and --any-client contradict each other" }
    switch option {
    case "--user-pool" where use == nil: return "--user-pool needs --use id, --use access or --use either"
    case "--user-pool", "--load-balancer":
      if clientID.isEmpty, !anyClient {
        return "\(option ?? "") needs --client-id, or --any-client where you mean that"
      }
    case "--provider": if clientID.isEmpty { return "--provider needs --client-id" }
    case "--use": if use == .either { return "--use either is for --user-pool" }
    case nil where use != nil: return "--use either is for --user-pool"
    default: break
    }
    if option != "--user-pool", !group.isEmpty { return "--group is for --user-pool" }
    if !scope.isEmpty, use != .access { return "--scope is for access tokens: say --use access" }
    if tenant != nil, provider != .microsoft { return "--tenant is for --provider microsoft" }
    if allowGuests, identityPool == nil { return "--allow-guests is for --identity-pool" }
    if !clientID.isEmpty, option == nil || option == "--identity-pool" {
      return "--client-id has no meaning here: say --use, --user-pool, --provider or --load-balancer"
    }
    return nil
  }

  private static func token(_ path: String) throws -> String {
    let contents = try InputFile.read(path, limit: 1 << 16)
    let token = contents.withBytes { (bytes: borrowing Span<UInt8>) -> String in
      TokenInput.strip([UInt8](unwipedCopy: bytes))
    }
    guard !token.isEmpty else { throw UsageProblem("\(InputFile.name(path)) has no token in it") }
    return token
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
