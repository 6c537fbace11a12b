// Made by Tools/operations.py from the model of cognito-identity in botocore 1.44.8. Not edited by hand.

/// The settings of a pool.
public struct PoolSettings: Structure {
  /// `IdentityPoolName`, required: 1 to 128 characters.
  public var name = ""
  /// True where guests get identities.
  public var allowsGuests = false
  /// True where the basic flow is on.
  public var allowsClassicFlow: Bool?
  /// The pool's ids at public providers, by provider.
  public var loginProviders: [ExactString: String]?
  /// `DeveloperProviderName`: 1 to 128 characters.
  public var developerProvider: String?
  /// `OpenIdConnectProviderARNs`.
  public var openIDProviderARNs: [String]?
  /// `CognitoIdentityProviders`.
  public var userPoolClients: [PoolSettings.UserPoolClient]?
  /// `SamlProviderARNs`.
  public var samlProviderARNs: [String]?
  /// `IdentityPoolTags`.
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
    m.optional("OpenIdConnectProviderARNs", &openIDProviderARNs, .init(of: .resourceARN))
    m.optional("CognitoIdentityProviders", &userPoolClients, .init())
    m.optional("SamlProviderARNs", &samlProviderARNs, .init(of: .resourceARN))
    m.optional("IdentityPoolTags", &tags, .tags)
  }
}

/// A pool: its id and its settings.
public struct PoolDescription: Structure {
  /// `IdentityPoolId`, required: 1 to 55 characters.
  public var poolID = ""
  /// The settings of a pool.
  public var settings = PoolSettings()

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.required("IdentityPoolId", &poolID, .identityID)
    settings.members(&m)
  }
}

/// The structure `DescribeIdentityPoolInput`.
public struct PoolName: Structure {
  /// `IdentityPoolId`, required: 1 to 55 characters.
  public var poolID = ""

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.required("IdentityPoolId", &poolID, .identityID)
  }
}

extension ListIdentityPools {
  /// A pool's id and name.
  public struct Summary: Structure {
    /// `IdentityPoolId`: 1 to 55 characters.
    public var poolID: String?
    /// `IdentityPoolName`: 1 to 128 characters.
    public var name: String?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.optional("IdentityPoolId", &poolID, .identityID)
      m.optional("IdentityPoolName", &name, .poolName)
    }
  }
}

/// How a login's claims select a role.
public struct RoleMappingSettings: Structure {
  /// `Type`, required.
  public var kind = RoleMappingSettings.Kind.token
  /// `AmbiguousRoleResolution`.
  public var ambiguity: RoleMappingSettings.Ambiguity?
  /// `RulesConfiguration`.
  public var rules: RoleMappingSettings.Rules?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.required("Type", &kind)
    m.optional("AmbiguousRoleResolution", &ambiguity)
    m.optional("RulesConfiguration", &rules)
  }
}

/// An identity and its token.
public struct IdentityToken: Structure {
  /// `IdentityId`: 1 to 55 characters.
  public var identityID: String?
  /// The token, a compact JWS.
  public var token: String?
  /// True where the identity existed, and the logins were linked to it. It is no member.
  public var changedNothing = false

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("IdentityId", &identityID, .identityID)
    m.optional("Token", &token, .any.sensitive)
  }
}

/// Temporary credentials of an identity.
public struct IdentityCredentials: Structure {
  /// `AccessKeyId`.
  public var accessKeyID: String?
  /// `SecretKey`.
  public var secretKey: SecretText?
  /// `SessionToken`.
  public var sessionToken: String?
  /// When they expire.
  public var expiration: Timestamp?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("AccessKeyId", &accessKeyID, .any)
    m.optional("SecretKey", &secretKey, .any.sensitive)
    m.optional("SessionToken", &sessionToken, .any)
    m.optional("Expiration", &expiration)
  }
}

/// The structure `IdentityDescription`.
public struct IdentityDescription: Structure {
  /// `IdentityId`: 1 to 55 characters.
  public var identityID: String?
  /// The providers of its logins.
  public var providers: [String]?
  /// When it was made.
  public var created: Timestamp?
  /// When it was last changed.
  public var modified: Timestamp?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("IdentityId", &identityID, .identityID)
    m.optional("Logins", &providers, .init(of: .provider))
    m.optional("CreationDate", &created)
    m.optional("LastModifiedDate", &modified)
  }
}

extension DeleteIdentities {
  /// An identity that was not removed.
  public struct Unprocessed: Structure {
    /// `IdentityId`: 1 to 55 characters.
    public var identityID: String?
    /// `ErrorCode`.
    public var reason: DeleteIdentities.Reason?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.optional("IdentityId", &identityID, .identityID)
      m.optional("ErrorCode", &reason)
    }
  }
}

/// Which claims of a provider's logins become session tags.
public struct PrincipalTagMap: Structure {
  /// `IdentityPoolId`: 1 to 55 characters.
  public var poolID: String?
  /// `IdentityProviderName`: 1 to 128 characters.
  public var provider: String?
  /// `UseDefaults`.
  public var usesDefaults: Bool?
  /// Claims by tag.
  public var principalTags: [ExactString: String]?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("IdentityPoolId", &poolID, .identityID)
    m.optional("IdentityProviderName", &provider, .provider)
    m.optional("UseDefaults", &usesDefaults)
    m.optional("PrincipalTags", &principalTags, .principalTags)
  }
}

extension PoolSettings {
  /// A client of a user pool, whose users may sign in.
  public struct UserPoolClient: Structure {
    /// The user pool as `cognito-idp.REGION.amazonaws.com/POOL`.
    public var provider: String?
    /// `ClientId`: 1 to 128 characters.
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

extension RoleMappingSettings {
  /// The structure `RulesConfigurationType`.
  public struct Rules: Structure {
    /// The rules, in the order in which they are tried.
    public var rules: [RoleMappingSettings.Rule] = []

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("Rules", &rules, .init(1...400))
    }
  }
}

extension RoleMappingSettings {
  /// The structure `MappingRule`.
  public struct Rule: Structure, Hashable {
    /// `Claim`, required: 1 to 64 characters.
    public var claim = ""
    /// `MatchType`, required.
    public var match = RoleMappingSettings.Rule.Match.equals
    /// `Value`, required: 1 to 128 characters.
    public var value = ""
    /// `RoleARN`, required: 20 to 2048 characters.
    public var roleARN = ""

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("Claim", &claim, .claim)
      m.required("MatchType", &match)
      m.required("Value", &value, .claimValue)
      m.required("RoleARN", &roleARN, .resourceARN)
    }
  }
}
