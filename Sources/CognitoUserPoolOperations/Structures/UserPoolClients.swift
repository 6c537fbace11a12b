/// An app client.
public struct UserPoolClientType: Structure {
  /// The pool's id.
  public var userPoolID: String?
  /// The client's name.
  public var clientName: String?
  /// The client's id.
  public var clientID: String?
  /// The client's secret.
  public var clientSecret: SecretText?
  /// When it was last changed.
  public var lastModifiedDate: Timestamp?
  /// When it was made.
  public var creationDate: Timestamp?
  /// The type of the clients.
  public var clientType: ClientTypeType?
  /// The settings that can change.
  public var settings = UserPoolClientSettings()

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("UserPoolId", &userPoolID, .userPoolID)
    m.optional("ClientName", &clientName, .clientName)
    m.optional("ClientId", &clientID, .clientID)
    m.optional("ClientSecret", &clientSecret, .clientSecret)
    m.optional("LastModifiedDate", &lastModifiedDate)
    m.optional("CreationDate", &creationDate)
    m.optional("ClientType", &clientType)
    settings.members(&m)
  }
}

/// The settings of a client that can change.
public struct UserPoolClientSettings: Structure {
  /// The lifetime of refresh tokens, in its unit.
  public var refreshTokenValidity: Int64?
  /// The lifetime of access tokens, in its unit.
  public var accessTokenValidity: Int64?
  /// The lifetime of ID tokens, in its unit.
  public var idTokenValidity: Int64?
  /// The units of lifetimes.
  public var tokenValidityUnits: TokenValidityUnitsType?
  /// The attributes that the client reads.
  public var readAttributes: [String]?
  /// The attributes that the client writes.
  public var writeAttributes: [String]?
  /// The flows that are allowed.
  public var explicitAuthFlows: [ExplicitAuthFlowsType]?
  /// The identity providers.
  public var supportedIdentityProviders: [String]?
  /// The URLs of callbacks.
  public var callbackURLs: [String]?
  /// The URLs after signing out.
  public var logoutURLs: [String]?
  /// The default callback.
  public var defaultRedirectURI: String?
  /// The OAuth flows.
  public var allowedOAuthFlows: [OAuthFlowType]?
  /// The OAuth scopes.
  public var allowedOAuthScopes: [String]?
  /// True where OAuth flows are on.
  public var allowedOAuthFlowsUserPoolClient: Bool?
  /// Where analytics are sent.
  public var analyticsConfiguration: AnalyticsConfigurationType?
  /// Whether unknown users are answered as known ones.
  public var preventUserExistenceErrors: PreventUserExistenceErrorTypes?
  /// True where refresh tokens can be revoked.
  public var enableTokenRevocation: Bool?
  /// True where the client may send the user's address.
  public var enablePropagateAdditionalUserContextData: Bool?
  /// The minutes in which a session of a sign-in is valid.
  public var authSessionValidity: Int64?
  /// Whether refresh tokens are replaced.
  public var refreshTokenRotation: RefreshTokenRotationType?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("RefreshTokenValidity", &refreshTokenValidity, .refreshTokenValidity)
    m.optional("AccessTokenValidity", &accessTokenValidity, .accessTokenValidity)
    m.optional("IdTokenValidity", &idTokenValidity, .idTokenValidity)
    m.optional("TokenValidityUnits", &tokenValidityUnits)
    m.optional("ReadAttributes", &readAttributes, .init(of: .attributePermission))
    m.optional("WriteAttributes", &writeAttributes, .init(of: .attributePermission))
    m.optional("ExplicitAuthFlows", &explicitAuthFlows, .init())
    m.optional("SupportedIdentityProviders", &supportedIdentityProviders, .init(of: .providerName))
    m.optional("CallbackURLs", &callbackURLs, .init(0...100, of: .redirectURL))
    m.optional("LogoutURLs", &logoutURLs, .init(0...100, of: .redirectURL))
    m.optional("DefaultRedirectURI", &defaultRedirectURI, .redirectURL)
    m.optional("AllowedOAuthFlows", &allowedOAuthFlows, .init(0...3))
    m.optional("AllowedOAuthScopes", &allowedOAuthScopes, .init(0...50, of: .scope))
    m.optional("AllowedOAuthFlowsUserPoolClient", &allowedOAuthFlowsUserPoolClient)
    m.optional("AnalyticsConfiguration", &analyticsConfiguration)
    m.optional("PreventUserExistenceErrors", &preventUserExistenceErrors)
    m.optional("EnableTokenRevocation", &enableTokenRevocation)
    m.optional("EnablePropagateAdditionalUserContextData", &enablePropagateAdditionalUserContextData)
    m.optional("AuthSessionValidity", &authSessionValidity, .authSessionValidity)
    m.optional("RefreshTokenRotation", &refreshTokenRotation)
  }
}

/// An app client in a list.
public struct UserPoolClientDescription: Structure {
  /// The client's id.
  public var clientID: String?
  /// The pool's id.
  public var userPoolID: String?
  /// The client's name.
  public var clientName: String?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("ClientId", &clientID, .clientID)
    m.optional("UserPoolId", &userPoolID, .userPoolID)
    m.optional("ClientName", &clientName, .clientName)
  }
}

/// How clients were registered.
public enum ClientTypeType: ExactString, MemberChoice {
  /// By the pool's owner.
  case regular = "REGULAR"
  /// By itself.
  case dcr = "DCR"
}

/// Where analytics are sent.
public struct AnalyticsConfigurationType: Structure {
  /// The id of the application.
  public var applicationID: String?
  /// The ARN of the application.
  public var applicationARN: String?
  /// The ARN of the role.
  public var roleARN: String?
  /// The external id.
  public var externalID: String?
  /// True where data of users are sent.
  public var userDataShared: Bool?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("ApplicationId", &applicationID, .hexadecimal)
    m.optional("ApplicationArn", &applicationARN, .arn)
    m.optional("RoleArn", &roleARN, .arn)
    m.optional("ExternalId", &externalID, .text)
    m.optional("UserDataShared", &userDataShared)
  }
}
