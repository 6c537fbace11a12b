/// The settings of a pool.
public struct PoolSettings: Structure {
  /// The name.
  public var name = ""
  /// True where guests get identities.
  public var allowsGuests = false
  /// True where the basic flow is on.
  public var allowsClassicFlow: Bool?
  /// The pool's ids at public providers, by provider.
  public var loginProviders: [ExactString: String]?
  /// The name of the developer's own provider.
  public var developerProvider: String?
  /// The ARNs of OpenID providers.
  public var openIDProviderARNs: [String]?
  /// The clients of user pools.
  public var userPoolClients: [UserPoolClient]?
  /// The ARNs of SAML providers.
  public var samlProviderARNs: [String]?
  /// The tags.
  public var tags: [ExactString: String]?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.required("IdentityPoolName", &name, .poolName)
    m.required("AllowUnauthenticatedIdentities", &allowsGuests)
    m.optional("AllowClassicFlow", &allowsClassicFlow)
    m.optional("SupportedLoginProviders", &loginProviders, .loginProviders)
    m.optional("DeveloperProviderName", &developerProvider, .developerProvider)
    m.optional("OpenIdConnectProviderARNs", &openIDProviderARNs, .arns)
    m.optional("CognitoIdentityProviders", &userPoolClients, .init())
    m.optional("SamlProviderARNs", &samlProviderARNs, .arns)
    m.optional("IdentityPoolTags", &tags, .tags)
  }

  /// A client of a user pool, whose users may sign in.
  public struct UserPoolClient: Structure {
    /// The user pool as `cognito-idp.REGION.amazonaws.com/POOL`.
    public var provider: String?
    /// The client's id.
    public var clientID: String?
    /// True where each token is checked for revocation.
    public var checksTokens: Bool?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.optional("ProviderName", &provider, .userPool)
      m.optional("ClientId", &clientID, .userPoolClient)
      m.optional("ServerSideTokenCheck", &checksTokens)
    }
  }
}

/// A pool: its id and its settings.
public struct PoolDescription: Structure {
  /// The id.
  public var poolID = ""
  /// The settings.
  public var settings = PoolSettings()

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.required("IdentityPoolId", &poolID, .identityID)
    settings.members(&m)
  }
}
