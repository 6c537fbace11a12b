internal import TokenSecurityBase

/// An identity pool: its login providers, and the roles of its identities.
public struct IdentityPool: Sendable, Hashable {
  /// The pool's id: a region, a colon and a UUID.
  public let id: String
  /// The pool's name.
  public var name: String
  /// Whether guests get identities.
  public var allowsGuests: Bool
  /// Whether the basic flow is on. Nil: not set, which means off.
  public var allowsClassicFlow: Bool?
  /// The developer provider's name. Once set, it cannot be changed.
  public var developerProviderName: String?
  /// Accepted client ids by public provider, separated by semicolons.
  public var supportedLoginProviders: NameMap<String>
  /// ARNs of OpenID providers.
  public var openIDProviderARNs: [String]
  /// App clients of user pools.
  public var userPoolClients: [UserPoolClient]
  /// ARNs of SAML providers. They are stored and shown; SAML logins are refused.
  public var samlProviderARNs: [String]
  /// The operator's tags.
  public var tags: NameMap<String>
  /// ARNs of roles by kind: `authenticated`, `unauthenticated`.
  public var roles: NameMap<String>
  /// Role mappings by provider.
  public var roleMappings: NameMap<RoleMapping>
  /// Maps of claims to session tags, by provider.
  public var principalTagMaps: NameMap<PrincipalTagMap>

  /// An app client of a user pool.
  public struct UserPoolClient: Sendable, Hashable {
    /// `cognito-idp.REGION.amazonaws.com/POOL`.
    public var providerName: String
    /// The app client's id.
    public var clientID: String
    /// Whether a token serves only while its sign-in goes on (`ServerSideTokenCheck`), which user pools of the
    /// same process can answer.
    public var checksSignIns: Bool

    /// Makes an app client.
    ///
    /// - Parameters:
    ///   - providerName: `cognito-idp.REGION.amazonaws.com/POOL`.
    ///   - clientID: the app client's id.
    ///   - checksSignIns: whether a token serves only while its sign-in goes on. Default: false.
    public init(providerName: String, clientID: String, checksSignIns: Bool = false) {
      self.providerName = providerName
      self.clientID = clientID
      self.checksSignIns = checksSignIns
    }
  }

  /// Which claims of a provider's logins become session tags.
  public struct PrincipalTagMap: Sendable, Hashable {
    /// True for the default tags: `username` from `sub` and `client` from `aud`.
    public var usesDefaults: Bool
    /// Claims by tag.
    public var tags: NameMap<String>

    /// Makes a map.
    ///
    /// - Parameters:
    ///   - usesDefaults: true for the default tags, which replace `tags`.
    ///   - tags: claims by tag.
    public init(usesDefaults: Bool, tags: NameMap<String>) {
      self.usesDefaults = usesDefaults
      self.tags = tags
    }
  }

  /// Makes a pool without login providers.
  ///
  /// - Parameters:
  ///   - id: the pool's id.
  ///   - name: the pool's name.
  ///   - allowsGuests: whether guests get identities. Default: no.
  public init(id: String, name: String, allowsGuests: Bool = false) {
    self.id = id
    self.name = name
    self.allowsGuests = allowsGuests
    supportedLoginProviders = [:]
    openIDProviderARNs = []
    userPoolClients = []
    samlProviderARNs = []
    tags = [:]
    roles = [:]
    roleMappings = [:]
    principalTagMaps = [:]
  }

  /// The region in the id.
  public var region: String { Self.region(ofPool: id) }

  /// The region in a pool's id.
  package static func region(ofPool id: String) -> String {
    String(decoding: id.utf8.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self)
  }

  /// The pool's ARN in an account.
  func arn(account: String) -> String { Self.arn(ofPool: id, account: account) }

  /// The ARN of a pool, also of one that was removed.
  static func arn(ofPool id: String, account: String) -> String {
    "arn:aws:cognito-identity:\(region(ofPool: id)):\(account):identitypool/\(id)"
  }
}

/// Maps a login's claims to a role.
public struct RoleMapping: Sendable, Hashable {
  /// Where the role comes from: the token or rules.
  public var kind: Kind
  /// The result where no role matches, or several do.
  public var ambiguity: Ambiguity
  /// The rules. The first that matches decides.
  public var rules: [Rule]

  /// Makes a mapping.
  ///
  /// - Parameters:
  ///   - kind: where the role comes from.
  ///   - ambiguity: the result where no role matches, or several do.
  ///   - rules: rules, for the kind `rules` only.
  public init(kind: Kind, ambiguity: Ambiguity, rules: [Rule]) {
    self.kind = kind
    self.ambiguity = ambiguity
    self.rules = rules
  }

  /// Where the role comes from.
  public typealias Kind = RoleMappingSettings.Kind
  /// The result where no role matches, or several do.
  public typealias Ambiguity = RoleMappingSettings.Ambiguity
  /// A rule: the role of logins with a matching claim.
  public typealias Rule = RoleMappingSettings.Rule
}

extension RoleMappingSettings.Rule.Match {
  /// True where a claim's value matches.
  func matches(_ claim: String, _ value: String) -> Bool {
    switch self {
    case .equals: claim == value
    case .contains: !Array(claim.utf8).ranges(of: Array(value.utf8)).isEmpty
    case .startsWith: claim.hasPrefix(value)
    case .notEqual: claim != value
    }
  }
}
