public import TokenSecurityEncodings
/// An identity pool: whom it admits, and what becomes of them.
public struct IdentityPool: Sendable, Hashable {
  /// The pool's id: a region, a colon and a UUID.
  public let id: String
  /// What people call it.
  public var name: String
  /// Whether identities are given to guests.
  public var allowsGuests: Bool
  /// Whether `GetOpenIdToken` gives tokens for the basic flow; nil where nobody said, which is no.
  public var allowsClassicFlow: Bool?
  /// The developer's own provider. Set once, it cannot be changed.
  public var developerProviderName: String?
  /// Public providers' names, each with the client ids that are ours there, separated by semicolons.
  public var supportedLoginProviders: NameMap<String>
  /// OpenID providers, by the ARN of their description.
  public var openIDProviderARNs: [String]
  /// App clients of user pools.
  public var userPoolClients: [UserPoolClient]
  /// SAML providers. They are kept for whoever asks; their logins are refused.
  public var samlProviderARNs: [String]
  /// Tags, for the operator's book-keeping.
  public var tags: NameMap<String>
  /// Roles' ARNs: `authenticated`, `unauthenticated`.
  public var roles: NameMap<String>
  /// How a role follows from a login's claims, by provider.
  public var roleMappings: NameMap<RoleMapping>
  /// Which claims become a session's tags, by provider.
  public var principalTagMaps: NameMap<PrincipalTagMap>

  /// An app client of a user pool.
  public struct UserPoolClient: Sendable, Hashable {
    /// `cognito-idp.REGION.amazonaws.com/POOL`.
    public var providerName: String
    /// The app client's id.
    public var clientID: String

    public init(providerName: String, clientID: String) {
      self.providerName = providerName
      self.clientID = clientID
    }
  }

  /// Which claims become a session's tags.
  public struct PrincipalTagMap: Sendable, Hashable {
    /// Whether the defaults hold: the user's `sub` and our client id.
    public var usesDefaults: Bool
    /// Tags and the claims that they are taken from.
    public var tags: NameMap<String>

    /// A map of tags to claims.
    public init(usesDefaults: Bool, tags: NameMap<String>) {
      self.usesDefaults = usesDefaults
      self.tags = tags
    }
  }

  /// A pool of this id and name, which admits nobody yet.
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

  /// The region, from the id.
  public var region: String { String(decoding: id.utf8.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self) }

  /// The pool's ARN in an account.
  func arn(account: String) -> String { "arn:aws:cognito-identity:\(region):\(account):identitypool/\(id)" }
}

/// How a role follows from a login's claims.
public struct RoleMapping: Sendable, Hashable {
  /// Whether the role stands in the token or follows from rules.
  public var kind: Kind
  /// What is done where no role follows, or more than one.
  public var ambiguity: Ambiguity
  /// The rules, of which the first that fits decides.
  public var rules: [Rule]

  public init(kind: Kind, ambiguity: Ambiguity, rules: [Rule]) {
    self.kind = kind
    self.ambiguity = ambiguity
    self.rules = rules
  }

  /// Where the role comes from.
  public enum Kind: ExactString, Sendable, Hashable, CaseIterable {
    case token = "Token"
    case rules = "Rules"
  }

  /// What is done where no role follows, or more than one.
  public enum Ambiguity: ExactString, Sendable, Hashable, CaseIterable {
    case authenticatedRole = "AuthenticatedRole"
    case deny = "Deny"
  }

  /// A claim that must be like a value.
  public struct Rule: Sendable, Hashable {
    public var claim: String
    public var match: Match
    public var value: String
    public var roleARN: String

    public init(claim: String, match: Match, value: String, roleARN: String) {
      self.claim = claim
      self.match = match
      self.value = value
      self.roleARN = roleARN
    }

    /// How a claim must be like the value.
    public enum Match: ExactString, Sendable, Hashable, CaseIterable {
      case equals = "Equals"
      case contains = "Contains"
      case startsWith = "StartsWith"
      case notEqual = "NotEqual"

      func holds(_ found: String, _ value: String) -> Bool {
        switch self {
        case .equals: found == value
        case .contains: !Array(found.utf8).ranges(of: Array(value.utf8)).isEmpty
        case .startsWith: found.hasPrefix(value)
        case .notEqual: found != value
        }
      }
    }
  }
}
