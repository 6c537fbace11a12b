internal import ArgumentParser
internal import JOSE
internal import OpenIDConnect
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// The options that name an issuer whose rules are built in. Issuer, audience and location of the keys follow
/// from them.
struct ProfileOptions: ParsableArguments {
  @Option(
    name: .customLong("user-pool"),
    help: ArgumentHelp(
      "Accept tokens of the Cognito user pool with this id. Needs --use and --client-id. --issuer names the issuer of a pool that another service than AWS has.",
      valueName: "id"))
  var userPool: String?

  @Option(
    name: .customLong("replica-region"),
    help: ArgumentHelp(
      "A region to which the user pool is replicated, whose tokens are accepted, too. Repeatable.",
      valueName: "region"))
  var replicaRegion: [String] = []

  @Option(
    name: .customLong("client-id"), help: ArgumentHelp("An accepted client id. Repeatable.", valueName: "id"))
  var clientID: [String] = []

  @Flag(name: .customLong("any-client"), help: "Accept any client id.")
  var anyClient = false

  @Option(
    name: .customLong("use"),
    help: ArgumentHelp(
      #"Kind of token. "either" needs --user-pool. Values: id, access, either."#, valueName: "kind"),
    completion: .list(Use.allValueStrings), transform: Use.checked)
  var useText: String?

  @Option(
    name: .customLong("group"),
    help: ArgumentHelp(
      "A group of the user pool. The user must be in one of those given. Repeatable.", valueName: "name"))
  var group: [String] = []

  @Option(
    name: .customLong("scope"),
    help: ArgumentHelp("A scope that an access token must have. Repeatable.", valueName: "name"))
  var scope: [String] = []

  @Option(
    name: .customLong("permission"),
    help: ArgumentHelp("A permission that an access token of Auth0 must have. Repeatable.", valueName: "name")
  )
  var permission: [String] = []

  @Option(
    name: .customLong("resource"),
    help: ArgumentHelp(
      "A resource (aud). An access token of the user pool must be bound to one of those given. Repeatable.",
      valueName: "url"))
  var resource: [String] = []

  @Option(
    name: .customLong("identity-pool"),
    help: ArgumentHelp(
      "Accept tokens of the Cognito identity pool with this id, also of developer-authenticated identities.",
      valueName: "id"))
  var identityPool: String?

  @Flag(
    name: .customLong("allow-guests"),
    help: "Accept unauthenticated identities (guests) of the identity pool.")
  var allowGuests = false

  @Option(
    name: .customLong("provider"),
    help: ArgumentHelp(
      "Accept ID tokens of google, apple, amazon, facebook or microsoft (needs --client-id), or access tokens of okta, auth0 or keycloak (needs --issuer and --audience).",
      valueName: "name"),
    completion: .list(Provider.names), transform: Provider.checked)
  var providerText: String?

  @Option(
    name: .customLong("tenant"), help: ArgumentHelp("Tenant id, for --provider microsoft.", valueName: "id"))
  var tenant: String?

  @Option(
    name: .customLong("load-balancer"),
    help: ArgumentHelp(
      "Accept x-amzn-oidc-data of the Application Load Balancer with this ARN. Needs --client-id.",
      valueName: "arn"))
  var loadBalancer: String?

  @Option(
    name: .customLong("nonce"),
    help: ArgumentHelp(
      "The nonce of the authentication request. The ID token must have it.", valueName: "text"))
  var nonce: String?

  @Option(
    name: .customLong("access-token"),
    help: ArgumentHelp(
      "The access token issued with the ID token. at_hash must match it.", valueName: "file"),
    completion: .file())
  var accessToken: String?

  /// The value of `--use`.
  var use: Use? { Use(useText) }

  /// The value of `--provider`.
  var provider: Provider? { Provider(providerText) }

  typealias Use = CognitoUserPoolIssuer.Use

  /// A profile by its name in `--provider`.
  struct Provider: TextArgument {
    let profile: IssuerProfile
    /// The name: that of the profile, but for one that is shorter here.
    var name: String { profile == .microsoftEntra ? "microsoft" : profile.name }

    init?(argument: String) {
      guard let found = Self.all.first(where: { $0.name == argument }) else { return nil }
      self = found
    }

    private init(_ profile: IssuerProfile) { self.profile = profile }

    private static let all = IssuerProfile.allCases.filter {
      ![.cognitoUserPool, .cognitoIdentityPool].contains($0)
    }.map(Provider.init)
    static let names = all.map(\.name)
    static let form = "expected \(names.joined(separator: ", "))"
  }

  /// The selected profile; nil if none is selected.
  ///
  /// - Throws: `UsageError` for options that exclude each other or are missing.
  func profile(with policy: PolicyOptions) throws -> Profile? {
    let selected = [userPool != nil, identityPool != nil, provider != nil, loadBalancer != nil]
    guard selected.filter({ $0 }).count <= 1 else {
      throw UsageError(
        "give only one of --user-pool, --identity-pool, --provider and --load-balancer",
        code: UsageError.optionsWrong)
    }
    if let provider, provider.profile.isAuthorizationServer,
      policy.issuer.count != 1 || policy.audience.isEmpty
    {
      throw UsageError(
        "--provider \(provider.name) needs exactly one --issuer, and the --audience of your API",
        code: UsageError.optionsWrong)
    }
    if let userPool, !policy.issuer.isEmpty,
      policy.issuer.count > 1 || !policy.issuer.allSatisfy({ $0.hasSuffix("/\(userPool)") })
    {
      throw UsageError(
        "--user-pool accepts one --issuer, which ends with a slash and the pool's id",
        code: UsageError.optionsWrong)
    }
    var profile: Profile?
    do throws(OpenIDError) { profile = try makeProfile(policy) } catch { throw UsageError(error) }
    if let conflict = conflict(profile) { throw UsageError(conflict, code: UsageError.optionsWrong) }
    guard nonce != nil || accessToken != nil else { return profile }
    guard profile?.isForIDTokens == true else {
      throw UsageError(
        "--nonce and --access-token are for ID tokens: use --use id, or a provider of ID tokens",
        code: UsageError.optionsWrong)
    }
    let signIn = SignIn(
      nonce: nonce.map { .exactly($0) } ?? .unchecked(because: "no --nonce"),
      accessToken: try accessToken.map(Self.token))
    profile?.apply(signIn)
    return profile
  }

  private static func token(_ path: String) throws -> String {
    let token = TokenInput.strip(try InputFile.bytes(path, limit: 1 << 16))
    guard !token.isEmpty else {
      throw UsageError("\(InputFile.name(path)) contains no token", code: UsageError.fileUnusable)
    }
    return token
  }
}

extension CognitoUserPoolIssuer.Use: NamedArgument {}
