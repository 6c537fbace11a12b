// Operations on tokens.

let tokenOperations: [any ServiceOperation.Type] = [
  GetTokensFromRefreshToken.self, RevokeToken.self, GlobalSignOut.self,
]

/// Issues tokens for a refresh token.
public enum GetTokensFromRefreshToken: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "GetTokensFromRefreshToken", .anyone, "Issues tokens for a refresh token.",
    errors: .usual + .hooks + [.userNotFound, .forbidden, .refreshTokenReuse], changes: ["ClientId"])

  /// The request.
  public struct Input: Structure {
    /// The client's id.
    public var clientID = ""
    /// The refresh token.
    public var refreshToken = SecretText()
    /// The client's secret.
    public var clientSecret: SecretText?
    /// The device's key.
    public var deviceKey: String?
    /// For hooks.
    public var clientMetadata: [ExactString: String]?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("ClientId", &clientID, .clientID)
      m.required("RefreshToken", &refreshToken, .token)
      m.optional("ClientSecret", &clientSecret, .clientSecret)
      m.optional("DeviceKey", &deviceKey, .deviceKey)
      m.optional("ClientMetadata", &clientMetadata, .clientMetadata)
    }
  }

  /// The answer.
  public struct Output: Structure {
    /// The tokens.
    public var authenticationResult: AuthenticationResultType?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.optional("AuthenticationResult", &authenticationResult)
    }
  }
}

/// Revokes a refresh token and the access tokens of its sign-in.
public enum RevokeToken: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "RevokeToken", .anyone, "Revokes a refresh token and the access tokens of its sign-in.",
    errors: [
      .tooManyRequests, .internalError, .unauthorized, .invalidParameter, .unsupportedOperation,
      .unsupportedTokenType, .forbidden, .operationNotEnabled,
    ], changes: ["ClientId"])

  /// The request.
  public struct Input: Structure {
    /// The client's id.
    public var clientID = ""
    /// The refresh token.
    public var token = SecretText()
    /// The client's secret.
    public var clientSecret: SecretText?
    /// Whether linked sessions end, too. Only sign-ins by hosted pages, which are not built, have any.
    public var revokeAssociatedSessions: RevokeAssociatedSessionsType?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("ClientId", &clientID, .clientID)
      m.required("Token", &token, .token)
      m.optional("ClientSecret", &clientSecret, .clientSecret)
      m.optional("RevokeAssociatedSessions", &revokeAssociatedSessions)
    }
  }
}

/// Ends all sign-ins of the user.
public enum GlobalSignOut: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "GlobalSignOut", .accessToken(member: "AccessToken"), "Ends all sign-ins of the user.",
    errors: .usual + [.passwordResetRequired, .userNotConfirmed, .forbidden], changes: [])

  /// The request.
  public typealias Input = AccessTokenOnly
}
