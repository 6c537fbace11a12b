// Operations of users without an account.

let signUpOperations: [any ServiceOperation.Type] = [
  SignUp.self, ConfirmSignUp.self, ResendConfirmationCode.self,
]

/// Makes a user who confirms the sign-up with a code.
public enum SignUp: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "SignUp", .anyone, "Makes a user who confirms the sign-up with a code.",
    errors: .usual + .hooks + .messages + [
      .invalidPassword, .usernameExists, .limitExceeded, .codeDeliveryFailure, .forbidden,
    ], changes: ["ClientId"])

  /// The request.
  public struct Input: Structure {
    /// The client's id.
    public var clientID = ""
    /// The digest of the user name and client id, keyed with the client's secret.
    public var secretHash: String?
    /// The user name.
    public var username = ""
    /// The password.
    public var password: SecretText?
    /// The attributes.
    public var userAttributes: [AttributeType]?
    /// For the hook before a sign-up.
    public var validationData: [AttributeType]?
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
      m.optional("Password", &password, .password)
      m.optional("UserAttributes", &userAttributes, .init())
      m.optional("ValidationData", &validationData, .init())
      m.optional("AnalyticsMetadata", &analyticsMetadata)
      m.optional("UserContextData", &userContextData)
      m.optional("ClientMetadata", &clientMetadata, .clientMetadata)
    }
  }

  /// The answer.
  public struct Output: Structure {
    /// True where the user is confirmed.
    public var userConfirmed = false
    /// Where the code was sent.
    public var codeDeliveryDetails: CodeDeliveryDetailsType?
    /// The user's `sub`.
    public var userSub = ""
    /// The session.
    public var session: String?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("UserConfirmed", &userConfirmed)
      m.optional("CodeDeliveryDetails", &codeDeliveryDetails)
      m.required("UserSub", &userSub, .text)
      m.optional("Session", &session, .session)
    }
  }
}

/// Confirms a sign-up with a code.
public enum ConfirmSignUp: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "ConfirmSignUp", .anyone, "Confirms a sign-up with a code.",
    errors: .usual + .hooks + [
      .tooManyFailedAttempts, .codeMismatch, .expiredCode, .aliasExists, .limitExceeded, .userNotFound,
      .forbidden,
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
    /// True where an alias is taken from another user.
    public var forceAliasCreation: Bool?
    /// For analytics. It is not used.
    public var analyticsMetadata: AnalyticsMetadataType?
    /// The user's client.
    public var userContextData: UserContextDataType?
    /// For hooks.
    public var clientMetadata: [ExactString: String]?
    /// The session.
    public var session: String?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("ClientId", &clientID, .clientID)
      m.optional("SecretHash", &secretHash, .secretHash)
      m.required("Username", &username, .username)
      m.required("ConfirmationCode", &confirmationCode, .confirmationCode)
      m.optional("ForceAliasCreation", &forceAliasCreation)
      m.optional("AnalyticsMetadata", &analyticsMetadata)
      m.optional("UserContextData", &userContextData)
      m.optional("ClientMetadata", &clientMetadata, .clientMetadata)
      m.optional("Session", &session, .session)
    }
  }

  /// The answer.
  public struct Output: Structure {
    /// The session.
    public var session: String?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.optional("Session", &session, .session)
    }
  }
}

/// Sends another code for a sign-up.
public enum ResendConfirmationCode: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "ResendConfirmationCode", .anyone, "Sends another code for a sign-up.",
    errors: .usual + .hooks + .messages + [.limitExceeded, .codeDeliveryFailure, .userNotFound, .forbidden],
    changes: ["ClientId"])

  /// The request.
  public typealias Input = CodeRequest

  /// The answer.
  public typealias Output = CodeDelivery
}
