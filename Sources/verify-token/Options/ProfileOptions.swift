internal import ArgumentParser
internal import TokenSecurityCrypto
internal import TokenSecurityEncodings
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
      "A permission that an access token of Auth0 must have, besides others that are given.",
      valueName: "name"))
  var permission: [String] = []

  @Option(
    help: ArgumentHelp(
      "A resource that an access token of the user pool must be bound to (aud), or to another that is given.",
      valueName: "url"))
  var resource: [String] = []

  @Option(
    help: ArgumentHelp(
      "The OpenID tokens of a Cognito identity pool, developer-authenticated ones among them, by its id.",
      valueName: "id"))
  var identityPool: String?

  @Flag(help: "Accept tokens of guests of the identity pool, who have not signed in.")
  var allowGuests = false

  @Option(
    help: ArgumentHelp(
      "The ID tokens of google, apple, amazon, facebook, microsoft (need --client-id), or the access tokens of okta, auth0, keycloak (need --issuer and --audience).",
      valueName: "provider"))
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

  enum Use: ExactString, NamedArgument {
    case id
    case access
    case either
  }

  enum Provider: ExactString, NamedArgument {
    case google
    case apple
    case amazon
    case facebook
    case microsoft
    case okta
    case auth0
    case keycloak

    /// True for those whose access tokens are meant.
    var givesAccessTokens: Bool { [.okta, .auth0, .keycloak].contains(self) }
  }

  /// The profile that is named, or nil where none is. Throws `UsageProblem` for what contradicts itself.
  func profile(beside demands: PolicyOptions) throws -> Profile? {
    let named = [userPool != nil, identityPool != nil, provider != nil, loadBalancer != nil]
    guard named.filter({ $0 }).count <= 1 else {
      throw UsageProblem(
        "give one of --user-pool, --identity-pool, --provider and --load-balancer, not several")
    }
    if let provider, provider.givesAccessTokens { try checkIssuer(of: provider, demands) }
    var profile: Profile?
    do throws(OpenIDError) { profile = try made(beside: demands) } catch {
      throw UsageProblem("\(error) [\(error.codeText)]")
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

  private func checkIssuer(of provider: Provider, _ demands: PolicyOptions) throws {
    guard demands.issuer.count == 1, !demands.audience.isEmpty else {
      throw UsageProblem(
        "--provider \(provider.name) needs one --issuer, the server's, and the --audience of your interface")
    }
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
