// Operations on passwords.

let passwordOperations: [any ServiceOperation.Type] = [
  ForgotPassword.self, ConfirmForgotPassword.self, ChangePassword.self,
]

/// Sends a code with which a password is reset.
public enum ForgotPassword: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "ForgotPassword", .anyone, "Sends a code with which a password is reset.",
    errors: .usual + .hooks + .messages + [.limitExceeded, .codeDeliveryFailure, .userNotFound, .forbidden],
    changes: ["ClientId"])

  /// The request.
  public typealias Input = CodeRequest

  /// The answer.
  public typealias Output = CodeDelivery
}

/// Resets a password with a code.
public enum ConfirmForgotPassword: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "ConfirmForgotPassword", .anyone, "Resets a password with a code.",
    errors: .usual + .hooks + [
      .invalidPassword, .passwordHistoryPolicyViolation, .codeMismatch, .expiredCode, .tooManyFailedAttempts,
      .limitExceeded, .userNotFound, .userNotConfirmed, .forbidden,
    ], changes: ["ClientId"])

  /// The request.
  public struct Input: Structure {
    /// The client's id.
    public var clientID = ""
    /// The digest of the user name and client id, keyed with the client's secret.
    public var secretHash: String?
    /// The user name.
    public var username = ""
    /// The code.
    public var confirmationCode = ""
    /// The password.
    public var password = SecretText()
    /// For analytics. It is not used.
    public var analyticsMetadata: AnalyticsMetadataType?
    /// The user's client.
    public var userContextData: UserContextDataType?
    /// For hooks.
    public var clientMetadata: [ExactString: String]?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("ClientId", &clientID, .clientID)
      m.optional("SecretHash", &secretHash, .secretHash)
      m.required("Username", &username, .username)
      m.required("ConfirmationCode", &confirmationCode, .confirmationCode)
      m.required("Password", &password, .password)
      m.optional("AnalyticsMetadata", &analyticsMetadata)
      m.optional("UserContextData", &userContextData)
      m.optional("ClientMetadata", &clientMetadata, .clientMetadata)
    }
  }
}

/// Changes the password of the user.
public enum ChangePassword: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "ChangePassword", .accessToken(member: "AccessToken"), "Changes the password of the user.",
    errors: .usual + .userStates + [
      .invalidPassword, .passwordHistoryPolicyViolation, .limitExceeded, .forbidden,
    ], changes: [])

  /// The request.
  public struct Input: Structure {
    /// The access token.
    public var accessToken = ""
    /// The old password.
    public var previousPassword: SecretText?
    /// The new password.
    public var proposedPassword = SecretText()

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("AccessToken", &accessToken, .token)
      m.optional("PreviousPassword", &previousPassword, .password)
      m.required("ProposedPassword", &proposedPassword, .password)
    }
  }
}
