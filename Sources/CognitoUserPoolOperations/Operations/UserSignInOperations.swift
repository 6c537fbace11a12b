// Operations of developers' servers that sign users in.

let userSignInOperations: [any ServiceOperation.Type] = [
  AdminInitiateAuth.self, AdminRespondToAuthChallenge.self,
]

/// Begins a sign-in for a user of a developer's server.
public enum AdminInitiateAuth: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "AdminInitiateAuth", .developer(.issuing, .pool("UserPoolId")),
    "Begins a sign-in for a user of a developer's server.",
    errors: .usual + .hooks + .messages + .userStates + [
      .unsupportedOperation, .invalidUserPoolConfiguration, .mfaMethodNotFound, .featureUnavailableInTier,
    ], changes: ["UserPoolId", "ClientId"])

  /// The request.
  public struct Input: Structure {
    /// The pool's id.
    public var userPoolID = ""
    /// The client's id.
    public var clientID = ""
    /// The flow.
    public var authFlow = AuthFlowType.userSRPAuth
    /// The parameters of the flow.
    public var authParameters: [ExactString: SecretText]?
    /// For hooks.
    public var clientMetadata: [ExactString: String]?
    /// For analytics. It is not used.
    public var analyticsMetadata: AnalyticsMetadataType?
    /// The user's client.
    public var contextData: ContextDataType?
    /// The session.
    public var session: String?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("UserPoolId", &userPoolID, .userPoolID)
      m.required("ClientId", &clientID, .clientID)
      m.required("AuthFlow", &authFlow)
      m.optional("AuthParameters", &authParameters, .authParameters)
      m.optional("ClientMetadata", &clientMetadata, .clientMetadata)
      m.optional("AnalyticsMetadata", &analyticsMetadata)
      m.optional("ContextData", &contextData)
      m.optional("Session", &session, .session)
    }
  }

  /// The answer.
  public typealias Output = AuthOutput
}

/// Answers a challenge for a user of a developer's server.
public enum AdminRespondToAuthChallenge: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "AdminRespondToAuthChallenge", .developer(.issuing, .pool("UserPoolId")),
    "Answers a challenge for a user of a developer's server.",
    errors: .usual + .hooks + .messages + .userStates + [
      .codeMismatch, .expiredCode, .invalidPassword, .passwordHistoryPolicyViolation,
      .invalidUserPoolConfiguration, .mfaMethodNotFound, .aliasExists, .softwareTokenMFANotFound,
    ], changes: ["UserPoolId", "ClientId"])

  /// The request.
  public struct Input: Structure {
    /// The pool's id.
    public var userPoolID = ""
    /// The client's id.
    public var clientID = ""
    /// The challenge.
    public var challengeName = ChallengeNameType.smsMFA
    /// The answers to the challenge.
    public var challengeResponses: [ExactString: SecretText]?
    /// The session.
    public var session: String?
    /// For analytics. It is not used.
    public var analyticsMetadata: AnalyticsMetadataType?
    /// The user's client.
    public var contextData: ContextDataType?
    /// For hooks.
    public var clientMetadata: [ExactString: String]?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("UserPoolId", &userPoolID, .userPoolID)
      m.required("ClientId", &clientID, .clientID)
      m.required("ChallengeName", &challengeName)
      m.optional("ChallengeResponses", &challengeResponses, .challengeResponses)
      m.optional("Session", &session, .session)
      m.optional("AnalyticsMetadata", &analyticsMetadata)
      m.optional("ContextData", &contextData)
      m.optional("ClientMetadata", &clientMetadata, .clientMetadata)
    }
  }

  /// The answer.
  public typealias Output = AuthOutput
}
