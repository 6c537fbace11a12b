// Operations that sign users in.

let signInOperations: [any ServiceOperation.Type] = [
  InitiateAuth.self, RespondToAuthChallenge.self,
]

/// Begins a sign-in.
public enum InitiateAuth: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "InitiateAuth", .anyone, "Begins a sign-in.",
    errors: .usual + .hooks + .messages + .userStates + [
      .unsupportedOperation, .invalidUserPoolConfiguration, .featureUnavailableInTier, .forbidden,
    ], changes: ["ClientId"])

  /// The request.
  public struct Input: Structure {
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
    public var userContextData: UserContextDataType?
    /// The session.
    public var session: String?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("ClientId", &clientID, .clientID)
      m.required("AuthFlow", &authFlow)
      m.optional("AuthParameters", &authParameters, .authParameters)
      m.optional("ClientMetadata", &clientMetadata, .clientMetadata)
      m.optional("AnalyticsMetadata", &analyticsMetadata)
      m.optional("UserContextData", &userContextData)
      m.optional("Session", &session, .session)
    }
  }

  /// The answer.
  public typealias Output = AuthOutput
}

/// Answers a challenge of a sign-in.
public enum RespondToAuthChallenge: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "RespondToAuthChallenge", .anyone, "Answers a challenge of a sign-in.",
    errors: .usual + .hooks + .messages + .userStates + [
      .codeMismatch, .expiredCode, .invalidPassword, .passwordHistoryPolicyViolation,
      .invalidUserPoolConfiguration, .mfaMethodNotFound, .aliasExists, .softwareTokenMFANotFound, .forbidden,
    ], changes: ["ClientId"])

  /// The request.
  public struct Input: Structure {
    /// The client's id.
    public var clientID = ""
    /// The challenge.
    public var challengeName = ChallengeNameType.smsMFA
    /// The session.
    public var session: String?
    /// The answers to the challenge.
    public var challengeResponses: [ExactString: SecretText]?
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
      m.required("ChallengeName", &challengeName)
      m.optional("Session", &session, .session)
      m.optional("ChallengeResponses", &challengeResponses, .challengeResponses)
      m.optional("AnalyticsMetadata", &analyticsMetadata)
      m.optional("UserContextData", &userContextData)
      m.optional("ClientMetadata", &clientMetadata, .clientMetadata)
    }
  }

  /// The answer.
  public typealias Output = AuthOutput
}
