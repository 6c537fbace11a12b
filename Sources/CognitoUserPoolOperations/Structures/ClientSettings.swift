/// The units of lifetimes.
public struct TokenValidityUnitsType: Structure {
  /// The access token.
  public var accessToken: TimeUnitsType?
  /// The ID token.
  public var idToken: TimeUnitsType?
  /// The refresh token.
  public var refreshToken: TimeUnitsType?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("AccessToken", &accessToken)
    m.optional("IdToken", &idToken)
    m.optional("RefreshToken", &refreshToken)
  }
}

/// A unit of lifetimes.
public enum TimeUnitsType: ExactString, MemberChoice {
  /// Seconds.
  case seconds = "seconds"
  /// Minutes.
  case minutes = "minutes"
  /// Hours.
  case hours = "hours"
  /// Days.
  case days = "days"
}

/// A flow that a client allows.
public enum ExplicitAuthFlowsType: ExactString, MemberChoice {
  /// A password that a developer's server sends, by its older name.
  case adminNoSRPAuth = "ADMIN_NO_SRP_AUTH"
  /// Challenges of hooks alone, by its older name.
  case customAuthFlowOnly = "CUSTOM_AUTH_FLOW_ONLY"
  /// A password, by its older name.
  case userPasswordAuth = "USER_PASSWORD_AUTH"
  /// A password that a developer's server sends.
  case allowAdminUserPasswordAuth = "ALLOW_ADMIN_USER_PASSWORD_AUTH"
  /// Challenges of hooks.
  case allowCustomAuth = "ALLOW_CUSTOM_AUTH"
  /// A password.
  case allowUserPasswordAuth = "ALLOW_USER_PASSWORD_AUTH"
  /// A password by SRP.
  case allowUserSRPAuth = "ALLOW_USER_SRP_AUTH"
  /// A refresh token.
  case allowRefreshTokenAuth = "ALLOW_REFRESH_TOKEN_AUTH"
  /// A first factor that the user selects.
  case allowUserAuth = "ALLOW_USER_AUTH"
  /// The exchange of a token for one with an actor.
  case allowTokenExchangeDelegation = "ALLOW_TOKEN_EXCHANGE_DELEGATION"
  /// The exchange of a token for another subject's.
  case allowTokenExchangeImpersonation = "ALLOW_TOKEN_EXCHANGE_IMPERSONATION"
}

/// An OAuth flow.
public enum OAuthFlowType: ExactString, MemberChoice {
  /// An authorization code.
  case code = "code"
  /// Tokens in the URL.
  case implicit = "implicit"
  /// The client's own credentials.
  case clientCredentials = "client_credentials"
}

/// Whether unknown users are answered as known ones.
public enum PreventUserExistenceErrorTypes: ExactString, MemberChoice {
  /// Unknown users have errors of their own.
  case legacy = "LEGACY"
  /// Unknown users are answered as known ones.
  case enabled = "ENABLED"
}

/// Whether refresh tokens are replaced.
public struct RefreshTokenRotationType: Structure {
  /// Whether it is on.
  public var feature = FeatureType.enabled
  /// The seconds in which the replaced token serves.
  public var retryGracePeriodSeconds: Int64?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.required("Feature", &feature)
    m.optional("RetryGracePeriodSeconds", &retryGracePeriodSeconds, .retryGracePeriodSeconds)
  }
}

/// Whether a feature is on.
public enum FeatureType: ExactString, MemberChoice {
  /// It is on.
  case enabled = "ENABLED"
  /// It is off.
  case disabled = "DISABLED"
}
