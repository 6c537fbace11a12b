// Made by Tools/operations.py from the model of cognito-idp in botocore 1.44.8. Not edited by hand.

/// Makes a user who confirms the sign-up with a code.
public enum SignUp: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "SignUp", .anyone, "Makes a user who confirms the sign-up with a code.",
    errors: [
      .resourceNotFound, .invalidParameter, .unexpectedLambda, .userLambdaValidation, .notAuthorized,
      .invalidPassword, .invalidLambdaResponse, .usernameExists, .tooManyRequests, .internalError,
      .limitExceeded, .invalidSmsRoleAccessPolicy, .invalidSmsRoleTrustRelationship,
      .invalidEmailRoleAccessPolicy, .codeDeliveryFailure, .operationNotEnabled, .forbidden,
    ], changes: ["ClientId"])

  /// The request.
  public struct Input: Structure {
    /// `ClientId`, required: 1 to 128 characters.
    public var clientID = ""
    /// The digest of the user name and client id, keyed with the client's secret.
    public var secretHash: String?
    /// `Username`, required: 1 to 128 characters.
    public var username = ""
    /// `Password`: 0 to 256 characters.
    public var password: SecretText?
    /// `UserAttributes`.
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

  /// The response.
  public struct Output: Structure {
    /// `UserConfirmed`, required.
    public var userConfirmed = false
    /// `CodeDeliveryDetails`.
    public var codeDeliveryDetails: CodeDeliveryDetailsType?
    /// `UserSub`, required: 0 to 131072 characters.
    public var userSub = ""
    /// `Session`: 20 to 4096 characters.
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
    errors: [
      .resourceNotFound, .invalidParameter, .unexpectedLambda, .userLambdaValidation, .notAuthorized,
      .tooManyFailedAttempts, .codeMismatch, .expiredCode, .invalidLambdaResponse, .aliasExists,
      .tooManyRequests, .limitExceeded, .userNotFound, .operationNotEnabled, .internalError, .forbidden,
    ], changes: ["ClientId"])

  /// The request.
  public struct Input: Structure {
    /// `ClientId`, required: 1 to 128 characters.
    public var clientID = ""
    /// The digest of the user name and client id, keyed with the client's secret.
    public var secretHash: String?
    /// `Username`, required: 1 to 128 characters.
    public var username = ""
    /// `ConfirmationCode`, required: 1 to 2048 characters.
    public var confirmationCode = ""
    /// True where an alias is taken from another user.
    public var forceAliasCreation: Bool?
    /// For analytics. It is not used.
    public var analyticsMetadata: AnalyticsMetadataType?
    /// The user's client.
    public var userContextData: UserContextDataType?
    /// For hooks.
    public var clientMetadata: [ExactString: String]?
    /// `Session`: 20 to 4096 characters.
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

  /// The response.
  public struct Output: Structure {
    /// `Session`: 20 to 4096 characters.
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
    errors: [
      .resourceNotFound, .invalidParameter, .unexpectedLambda, .userLambdaValidation, .notAuthorized,
      .invalidLambdaResponse, .tooManyRequests, .limitExceeded, .invalidSmsRoleAccessPolicy,
      .invalidSmsRoleTrustRelationship, .invalidEmailRoleAccessPolicy, .codeDeliveryFailure, .userNotFound,
      .operationNotEnabled, .internalError, .forbidden,
    ], changes: ["ClientId"])

  /// The request.
  public typealias Input = CodeRequest

  /// The response.
  public typealias Output = CodeDeliveryOutput
}

/// Begins a sign-in.
public enum InitiateAuth: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "InitiateAuth", .anyone, "Begins a sign-in.",
    errors: [
      .unsupportedOperation, .resourceNotFound, .invalidParameter, .notAuthorized, .tooManyRequests,
      .unexpectedLambda, .invalidUserPoolConfiguration, .userLambdaValidation, .invalidLambdaResponse,
      .passwordResetRequired, .userNotFound, .userNotConfirmed, .internalError, .invalidSmsRoleAccessPolicy,
      .invalidEmailRoleAccessPolicy, .invalidSmsRoleTrustRelationship, .operationNotEnabled,
      .featureUnavailableInTier, .forbidden,
    ], changes: ["ClientId"])

  /// The request.
  public struct Input: Structure {
    /// `ClientId`, required: 1 to 128 characters.
    public var clientID = ""
    /// `AuthFlow`, required.
    public var authFlow = AuthFlowType.userSRPAuth
    /// `AuthParameters`.
    public var authParameters: [ExactString: SecretText]?
    /// For hooks.
    public var clientMetadata: [ExactString: String]?
    /// For analytics. It is not used.
    public var analyticsMetadata: AnalyticsMetadataType?
    /// The user's client.
    public var userContextData: UserContextDataType?
    /// `Session`: 20 to 4096 characters.
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

  /// The response.
  public typealias Output = AuthOutput
}

/// Answers a challenge of a sign-in.
public enum RespondToAuthChallenge: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "RespondToAuthChallenge", .anyone, "Answers a challenge of a sign-in.",
    errors: [
      .resourceNotFound, .invalidParameter, .notAuthorized, .codeMismatch, .expiredCode, .unexpectedLambda,
      .userLambdaValidation, .invalidPassword, .passwordHistoryPolicyViolation, .invalidLambdaResponse,
      .tooManyRequests, .invalidUserPoolConfiguration, .mfaMethodNotFound, .passwordResetRequired,
      .userNotFound, .userNotConfirmed, .invalidSmsRoleAccessPolicy, .invalidSmsRoleTrustRelationship,
      .invalidEmailRoleAccessPolicy, .aliasExists, .internalError, .softwareTokenMFANotFound, .forbidden,
      .operationNotEnabled,
    ], changes: ["ClientId"])

  /// The request.
  public struct Input: Structure {
    /// `ClientId`, required: 1 to 128 characters.
    public var clientID = ""
    /// `ChallengeName`, required.
    public var challengeName = ChallengeNameType.smsMFA
    /// `Session`: 20 to 4096 characters.
    public var session: String?
    /// `ChallengeResponses`.
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

  /// The response.
  public typealias Output = AuthOutput
}

/// Issues tokens for a refresh token.
public enum GetTokensFromRefreshToken: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "GetTokensFromRefreshToken", .anyone, "Issues tokens for a refresh token.",
    errors: [
      .resourceNotFound, .invalidParameter, .notAuthorized, .tooManyRequests, .userNotFound,
      .unexpectedLambda, .userLambdaValidation, .invalidLambdaResponse, .forbidden, .refreshTokenReuse,
      .operationNotEnabled, .internalError,
    ], changes: ["ClientId"])

  /// The request.
  public struct Input: Structure {
    /// `ClientId`, required: 1 to 128 characters.
    public var clientID = ""
    /// `RefreshToken`, required.
    public var refreshToken = SecretText()
    /// `ClientSecret`: 24 to 64 characters.
    public var clientSecret: SecretText?
    /// `DeviceKey`: 1 to 55 characters.
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

  /// The response.
  public struct Output: Structure {
    /// `AuthenticationResult`.
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
    /// `ClientId`, required: 1 to 128 characters.
    public var clientID = ""
    /// `Token`, required.
    public var token = SecretText()
    /// `ClientSecret`: 24 to 64 characters.
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
    errors: [
      .resourceNotFound, .invalidParameter, .notAuthorized, .tooManyRequests, .passwordResetRequired,
      .userNotConfirmed, .operationNotEnabled, .internalError, .forbidden,
    ], changes: [])

  /// The request.
  public typealias Input = AccessTokenOnly
}

/// Sends a code with which a password is reset.
public enum ForgotPassword: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "ForgotPassword", .anyone, "Sends a code with which a password is reset.",
    errors: [
      .resourceNotFound, .invalidParameter, .unexpectedLambda, .userLambdaValidation, .notAuthorized,
      .invalidLambdaResponse, .tooManyRequests, .limitExceeded, .invalidSmsRoleAccessPolicy,
      .invalidSmsRoleTrustRelationship, .invalidEmailRoleAccessPolicy, .codeDeliveryFailure, .userNotFound,
      .operationNotEnabled, .internalError, .forbidden,
    ], changes: ["ClientId"])

  /// The request.
  public typealias Input = CodeRequest

  /// The response.
  public typealias Output = CodeDeliveryOutput
}

/// Resets a password with a code.
public enum ConfirmForgotPassword: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "ConfirmForgotPassword", .anyone, "Resets a password with a code.",
    errors: [
      .resourceNotFound, .unexpectedLambda, .userLambdaValidation, .invalidParameter, .invalidPassword,
      .passwordHistoryPolicyViolation, .notAuthorized, .codeMismatch, .expiredCode, .tooManyFailedAttempts,
      .invalidLambdaResponse, .tooManyRequests, .limitExceeded, .userNotFound, .userNotConfirmed,
      .operationNotEnabled, .internalError, .forbidden,
    ], changes: ["ClientId"])

  /// The request.
  public struct Input: Structure {
    /// `ClientId`, required: 1 to 128 characters.
    public var clientID = ""
    /// The digest of the user name and client id, keyed with the client's secret.
    public var secretHash: String?
    /// `Username`, required: 1 to 128 characters.
    public var username = ""
    /// `ConfirmationCode`, required: 1 to 2048 characters.
    public var confirmationCode = ""
    /// `Password`, required: 0 to 256 characters.
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
    errors: [
      .resourceNotFound, .invalidParameter, .invalidPassword, .passwordHistoryPolicyViolation, .notAuthorized,
      .tooManyRequests, .limitExceeded, .passwordResetRequired, .userNotFound, .userNotConfirmed,
      .operationNotEnabled, .internalError, .forbidden,
    ], changes: [])

  /// The request.
  public struct Input: Structure {
    /// `AccessToken`, required.
    public var accessToken = ""
    /// `PreviousPassword`: 0 to 256 characters.
    public var previousPassword: SecretText?
    /// `ProposedPassword`, required: 0 to 256 characters.
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

/// Returns the user of an access token.
public enum GetUser: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "GetUser", .accessToken(member: "AccessToken"), "Returns the user of an access token.",
    errors: [
      .resourceNotFound, .invalidParameter, .notAuthorized, .tooManyRequests, .passwordResetRequired,
      .userNotFound, .userNotConfirmed, .operationNotEnabled, .internalError, .forbidden,
    ])

  /// The request.
  public typealias Input = AccessTokenOnly

  /// The response.
  public struct Output: Structure {
    /// `Username`, required: 1 to 128 characters.
    public var username = ""
    /// `UserAttributes`, required.
    public var userAttributes: [AttributeType] = []
    /// The media of second factors, as older clients set them.
    public var mfaOptions: [MFAOptionType]?
    /// `PreferredMfaSetting`: 0 to 131072 characters.
    public var preferredMFASetting: String?
    /// `UserMFASettingList`.
    public var userMFASettingList: [String]?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("Username", &username, .username)
      m.required("UserAttributes", &userAttributes, .init())
      m.optional("MFAOptions", &mfaOptions, .init())
      m.optional("PreferredMfaSetting", &preferredMFASetting, .text)
      m.optional("UserMFASettingList", &userMFASettingList, .init(of: .text))
    }
  }
}

/// Changes attributes of the user.
public enum UpdateUserAttributes: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "UpdateUserAttributes", .accessToken(member: "AccessToken"), "Changes attributes of the user.",
    errors: [
      .resourceNotFound, .invalidParameter, .codeMismatch, .expiredCode, .notAuthorized, .unexpectedLambda,
      .userLambdaValidation, .invalidLambdaResponse, .tooManyRequests, .aliasExists,
      .invalidSmsRoleAccessPolicy, .invalidSmsRoleTrustRelationship, .invalidEmailRoleAccessPolicy,
      .codeDeliveryFailure, .passwordResetRequired, .userNotFound, .userNotConfirmed, .operationNotEnabled,
      .internalError, .forbidden,
    ], changes: [])

  /// The request.
  public struct Input: Structure {
    /// `AccessToken`, required.
    public var accessToken = ""
    /// `UserAttributes`, required.
    public var userAttributes: [AttributeType] = []
    /// For hooks.
    public var clientMetadata: [ExactString: String]?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("AccessToken", &accessToken, .token)
      m.required("UserAttributes", &userAttributes, .init())
      m.optional("ClientMetadata", &clientMetadata, .clientMetadata)
    }
  }

  /// The response.
  public struct Output: Structure {
    /// `CodeDeliveryDetailsList`.
    public var codeDeliveryDetailsList: [CodeDeliveryDetailsType]?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.optional("CodeDeliveryDetailsList", &codeDeliveryDetailsList, .init())
    }
  }
}

/// Removes attributes of the user.
public enum DeleteUserAttributes: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "DeleteUserAttributes", .accessToken(member: "AccessToken"), "Removes attributes of the user.",
    errors: [
      .resourceNotFound, .invalidParameter, .notAuthorized, .tooManyRequests, .passwordResetRequired,
      .userNotFound, .userNotConfirmed, .operationNotEnabled, .internalError, .forbidden,
    ], changes: [])

  /// The request.
  public struct Input: Structure {
    /// `AccessToken`, required.
    public var accessToken = ""
    /// `UserAttributeNames`, required.
    public var userAttributeNames: [String] = []

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("AccessToken", &accessToken, .token)
      m.required("UserAttributeNames", &userAttributeNames, .init(of: .attributeName))
    }
  }
}

/// Sends a code with which an address is verified.
public enum GetUserAttributeVerificationCode: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "GetUserAttributeVerificationCode", .accessToken(member: "AccessToken"),
    "Sends a code with which an address is verified.",
    errors: [
      .resourceNotFound, .invalidParameter, .tooManyRequests, .notAuthorized, .unexpectedLambda,
      .userLambdaValidation, .invalidLambdaResponse, .invalidSmsRoleAccessPolicy,
      .invalidSmsRoleTrustRelationship, .invalidEmailRoleAccessPolicy, .codeDeliveryFailure, .limitExceeded,
      .passwordResetRequired, .userNotFound, .userNotConfirmed, .operationNotEnabled, .internalError,
      .forbidden,
    ], changes: [])

  /// The request.
  public struct Input: Structure {
    /// `AccessToken`, required.
    public var accessToken = ""
    /// `AttributeName`, required: 1 to 32 characters.
    public var attributeName = ""
    /// For hooks.
    public var clientMetadata: [ExactString: String]?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("AccessToken", &accessToken, .token)
      m.required("AttributeName", &attributeName, .attributeName)
      m.optional("ClientMetadata", &clientMetadata, .clientMetadata)
    }
  }

  /// The response.
  public typealias Output = CodeDeliveryOutput
}

/// Verifies an address with a code.
public enum VerifyUserAttribute: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "VerifyUserAttribute", .accessToken(member: "AccessToken"), "Verifies an address with a code.",
    errors: [
      .resourceNotFound, .invalidParameter, .codeMismatch, .expiredCode, .notAuthorized, .tooManyRequests,
      .limitExceeded, .passwordResetRequired, .userNotFound, .userNotConfirmed, .operationNotEnabled,
      .internalError, .aliasExists, .forbidden,
    ], changes: [])

  /// The request.
  public struct Input: Structure {
    /// `AccessToken`, required.
    public var accessToken = ""
    /// `AttributeName`, required: 1 to 32 characters.
    public var attributeName = ""
    /// `Code`, required: 1 to 2048 characters.
    public var code = ""

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("AccessToken", &accessToken, .token)
      m.required("AttributeName", &attributeName, .attributeName)
      m.required("Code", &code, .confirmationCode)
    }
  }
}

/// Removes the user.
public enum DeleteUser: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "DeleteUser", .accessToken(member: "AccessToken"), "Removes the user.",
    errors: [
      .resourceNotFound, .invalidParameter, .notAuthorized, .tooManyRequests, .passwordResetRequired,
      .userNotFound, .userNotConfirmed, .operationNotEnabled, .internalError, .forbidden,
    ], changes: [])

  /// The request.
  public typealias Input = AccessTokenOnly
}

/// Makes the secret of a software token.
public enum AssociateSoftwareToken: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "AssociateSoftwareToken", .accessTokenOrSession(token: "AccessToken", session: "Session"),
    "Makes the secret of a software token.",
    errors: [
      .concurrentModification, .invalidParameter, .notAuthorized, .resourceNotFound, .internalError,
      .softwareTokenMFANotFound, .forbidden, .operationNotEnabled,
    ], changes: [])

  /// The request.
  public struct Input: Structure {
    /// `AccessToken`.
    public var accessToken: String?
    /// `Session`: 20 to 4096 characters.
    public var session: String?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.optional("AccessToken", &accessToken, .token)
      m.optional("Session", &session, .session)
    }
  }

  /// The response.
  public struct Output: Structure {
    /// The secret, in base32.
    public var secretCode: SecretText?
    /// `Session`: 20 to 4096 characters.
    public var session: String?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.optional("SecretCode", &secretCode, .secretCode)
      m.optional("Session", &session, .session)
    }
  }
}

/// Verifies a software token with a code.
public enum VerifySoftwareToken: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "VerifySoftwareToken", .accessTokenOrSession(token: "AccessToken", session: "Session"),
    "Verifies a software token with a code.",
    errors: [
      .invalidParameter, .resourceNotFound, .invalidUserPoolConfiguration, .notAuthorized, .tooManyRequests,
      .passwordResetRequired, .userNotFound, .userNotConfirmed, .internalError, .enableSoftwareTokenMFA,
      .softwareTokenMFANotFound, .codeMismatch, .forbidden, .operationNotEnabled,
    ], changes: [])

  /// The request.
  public struct Input: Structure {
    /// `AccessToken`.
    public var accessToken: String?
    /// `Session`: 20 to 4096 characters.
    public var session: String?
    /// `UserCode`, required: 6 characters.
    public var userCode = ""
    /// `FriendlyDeviceName`: 0 to 131072 characters.
    public var friendlyDeviceName: String?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.optional("AccessToken", &accessToken, .token)
      m.optional("Session", &session, .session)
      m.required("UserCode", &userCode, .softwareTokenCode)
      m.optional("FriendlyDeviceName", &friendlyDeviceName, .text)
    }
  }

  /// The response.
  public struct Output: Structure {
    /// `Status`.
    public var status: VerifySoftwareTokenResponseType?
    /// `Session`: 20 to 4096 characters.
    public var session: String?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.optional("Status", &status)
      m.optional("Session", &session, .session)
    }
  }
}

/// Sets the second factors of the user.
public enum SetUserMFAPreference: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "SetUserMFAPreference", .accessToken(member: "AccessToken"), "Sets the second factors of the user.",
    errors: [
      .resourceNotFound, .invalidParameter, .notAuthorized, .passwordResetRequired, .userNotFound,
      .userNotConfirmed, .operationNotEnabled, .internalError, .forbidden,
    ], changes: [])

  /// The request.
  public struct Input: Structure {
    /// `AccessToken`, required.
    public var accessToken = ""
    /// `SMSMfaSettings`.
    public var smsMFASettings: SMSMfaSettingsType?
    /// `SoftwareTokenMfaSettings`.
    public var softwareTokenMFASettings: SoftwareTokenMfaSettingsType?
    /// `EmailMfaSettings`.
    public var emailMFASettings: EmailMfaSettingsType?
    /// `WebAuthnMfaSettings`.
    public var webAuthnMFASettings: WebAuthnMfaSettingsType?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("AccessToken", &accessToken, .token)
      m.optional("SMSMfaSettings", &smsMFASettings)
      m.optional("SoftwareTokenMfaSettings", &softwareTokenMFASettings)
      m.optional("EmailMfaSettings", &emailMFASettings)
      m.optional("WebAuthnMfaSettings", &webAuthnMFASettings)
    }
  }
}

/// Switches codes by SMS, as older clients do.
public enum SetUserSettings: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "SetUserSettings", .accessToken(member: "AccessToken"), "Switches codes by SMS, as older clients do.",
    errors: [
      .resourceNotFound, .invalidParameter, .notAuthorized, .passwordResetRequired, .userNotFound,
      .userNotConfirmed, .operationNotEnabled, .internalError, .forbidden,
    ], changes: [])

  /// The request.
  public struct Input: Structure {
    /// `AccessToken`, required.
    public var accessToken = ""
    /// The media of second factors, as older clients set them.
    public var mfaOptions: [MFAOptionType] = []

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("AccessToken", &accessToken, .token)
      m.required("MFAOptions", &mfaOptions, .init())
    }
  }
}

/// Returns the factors that the user can sign in with.
public enum GetUserAuthFactors: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "GetUserAuthFactors", .accessToken(member: "AccessToken"),
    "Returns the factors that the user can sign in with.",
    errors: [
      .resourceNotFound, .invalidParameter, .notAuthorized, .tooManyRequests, .passwordResetRequired,
      .userNotFound, .userNotConfirmed, .operationNotEnabled, .internalError, .forbidden,
    ])

  /// The request.
  public typealias Input = AccessTokenOnly

  /// The response.
  public typealias Output = AuthFactorsOutput
}

/// Sets the secret of a new device.
public enum ConfirmDevice: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "ConfirmDevice", .accessToken(member: "AccessToken"), "Sets the secret of a new device.",
    errors: [
      .resourceNotFound, .invalidParameter, .notAuthorized, .invalidPassword, .invalidLambdaResponse,
      .usernameExists, .invalidUserPoolConfiguration, .tooManyRequests, .passwordResetRequired, .userNotFound,
      .userNotConfirmed, .internalError, .operationNotEnabled, .deviceKeyExists, .forbidden,
    ], changes: [])

  /// The request.
  public struct Input: Structure {
    /// `AccessToken`, required.
    public var accessToken = ""
    /// `DeviceKey`, required: 1 to 55 characters.
    public var deviceKey = ""
    /// `DeviceSecretVerifierConfig`.
    public var deviceSecretVerifierConfig: DeviceSecretVerifierConfigType?
    /// A device of a user of a pool.
    public var deviceName: String?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("AccessToken", &accessToken, .token)
      m.required("DeviceKey", &deviceKey, .deviceKey)
      m.optional("DeviceSecretVerifierConfig", &deviceSecretVerifierConfig)
      m.optional("DeviceName", &deviceName, .deviceName)
    }
  }

  /// The response.
  public struct Output: Structure {
    /// True where the user must say that the device is remembered.
    public var userConfirmationNecessary: Bool?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.optional("UserConfirmationNecessary", &userConfirmationNecessary)
    }
  }
}

/// Sets whether a device is remembered.
public enum UpdateDeviceStatus: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "UpdateDeviceStatus", .accessToken(member: "AccessToken"), "Sets whether a device is remembered.",
    errors: [
      .invalidParameter, .resourceNotFound, .notAuthorized, .invalidUserPoolConfiguration, .tooManyRequests,
      .passwordResetRequired, .userNotFound, .userNotConfirmed, .operationNotEnabled, .internalError,
      .forbidden,
    ], changes: [])

  /// The request.
  public struct Input: Structure {
    /// `AccessToken`, required.
    public var accessToken = ""
    /// `DeviceKey`, required: 1 to 55 characters.
    public var deviceKey = ""
    /// `DeviceRememberedStatus`.
    public var deviceRememberedStatus: DeviceRememberedStatusType?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("AccessToken", &accessToken, .token)
      m.required("DeviceKey", &deviceKey, .deviceKey)
      m.optional("DeviceRememberedStatus", &deviceRememberedStatus)
    }
  }
}

/// Lists the devices of the user.
public enum ListDevices: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "ListDevices", .accessToken(member: "AccessToken"), "Lists the devices of the user.",
    errors: [
      .invalidParameter, .resourceNotFound, .notAuthorized, .invalidUserPoolConfiguration, .tooManyRequests,
      .passwordResetRequired, .userNotFound, .userNotConfirmed, .operationNotEnabled, .internalError,
      .forbidden,
    ])

  /// The request.
  public struct Input: Structure {
    /// `AccessToken`, required.
    public var accessToken = ""
    /// `Limit`: 0 to 60.
    public var limit: Int64?
    /// `PaginationToken`: 1 to 131072 characters.
    public var paginationToken: String?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("AccessToken", &accessToken, .token)
      m.optional("Limit", &limit, .integer(0...60))
      m.optional("PaginationToken", &paginationToken, .paginationToken)
    }
  }

  /// The response.
  public typealias Output = DevicePage
}

/// Returns a device of the user.
public enum GetDevice: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "GetDevice", .accessToken(member: "AccessToken"), "Returns a device of the user.",
    errors: [
      .resourceNotFound, .invalidParameter, .invalidUserPoolConfiguration, .notAuthorized, .tooManyRequests,
      .passwordResetRequired, .userNotFound, .userNotConfirmed, .operationNotEnabled, .internalError,
      .forbidden,
    ])

  /// The request.
  public typealias Input = OwnDeviceName

  /// The response.
  public typealias Output = DeviceOutput
}

/// Removes a device of the user.
public enum ForgetDevice: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "ForgetDevice", .accessToken(member: "AccessToken"), "Removes a device of the user.",
    errors: [
      .resourceNotFound, .invalidParameter, .notAuthorized, .tooManyRequests, .invalidUserPoolConfiguration,
      .passwordResetRequired, .userNotFound, .userNotConfirmed, .operationNotEnabled, .internalError,
      .forbidden,
    ], changes: [])

  /// The request.
  public typealias Input = OwnDeviceName
}

/// Makes a user pool.
public enum CreateUserPool: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "CreateUserPool", .developer(.administering, .all), "Makes a user pool.",
    errors: [
      .invalidParameter, .tooManyRequests, .limitExceeded, .invalidSmsRoleAccessPolicy,
      .invalidSmsRoleTrustRelationship, .invalidEmailRoleAccessPolicy, .notAuthorized, .userPoolTagging,
      .internalError, .tierChangeNotAllowed, .featureUnavailableInTier,
    ], changes: ["UserPool.Id"])

  /// The request.
  public struct Input: Structure {
    /// `PoolName`, required: 1 to 128 characters.
    public var poolName = ""
    /// The attributes that users may also sign in with.
    public var aliasAttributes: [AliasAttributeType]?
    /// The attributes that users sign in with instead of a user name.
    public var usernameAttributes: [UsernameAttributeType]?
    /// `Schema`: 1 to 50 elements.
    public var schema: [SchemaAttributeType]?
    /// `UsernameConfiguration`.
    public var usernameConfiguration: UsernameConfigurationType?
    /// The settings of a pool that can change.
    public var settings = UserPoolSettings()

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("PoolName", &poolName, .userPoolName)
      m.optional("AliasAttributes", &aliasAttributes, .init())
      m.optional("UsernameAttributes", &usernameAttributes, .init())
      m.optional("Schema", &schema, .init(1...50))
      m.optional("UsernameConfiguration", &usernameConfiguration)
      settings.members(&m)
    }
  }

  /// The response.
  public typealias Output = UserPoolOutput
}

/// Returns a user pool.
public enum DescribeUserPool: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "DescribeUserPool", .developer(.reading, .pool("UserPoolId")), "Returns a user pool.",
    errors: [
      .resourceNotFound, .invalidParameter, .tooManyRequests, .notAuthorized, .userPoolTagging,
      .operationNotEnabled, .internalError,
    ])

  /// The request.
  public typealias Input = UserPoolName

  /// The response.
  public typealias Output = UserPoolOutput
}

/// Replaces the settings of a user pool.
public enum UpdateUserPool: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "UpdateUserPool", .developer(.administering, .pool("UserPoolId")),
    "Replaces the settings of a user pool.",
    errors: [
      .resourceNotFound, .invalidParameter, .concurrentModification, .tooManyRequests, .notAuthorized,
      .userImportInProgress, .internalError, .invalidSmsRoleAccessPolicy, .invalidSmsRoleTrustRelationship,
      .userPoolTagging, .invalidEmailRoleAccessPolicy, .operationNotEnabled, .tierChangeNotAllowed,
      .featureUnavailableInTier,
    ], changes: ["UserPoolId"])

  /// The request.
  public struct Input: Structure {
    /// `UserPoolId`, required: 1 to 55 characters.
    public var userPoolID = ""
    /// `PoolName`: 1 to 128 characters.
    public var poolName: String?
    /// The settings of a pool that can change.
    public var settings = UserPoolSettings()

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("UserPoolId", &userPoolID, .userPoolID)
      m.optional("PoolName", &poolName, .userPoolName)
      settings.members(&m)
    }
  }
}

/// Removes a user pool with its users.
public enum DeleteUserPool: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "DeleteUserPool", .developer(.administering, .pool("UserPoolId")), "Removes a user pool with its users.",
    errors: [
      .resourceNotFound, .invalidParameter, .tooManyRequests, .notAuthorized, .userImportInProgress,
      .operationNotEnabled, .internalError,
    ], changes: ["UserPoolId"])

  /// The request.
  public typealias Input = UserPoolName
}

/// Lists user pools.
public enum ListUserPools: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "ListUserPools", .developer(.reading, .all), "Lists user pools.",
    errors: [.invalidParameter, .tooManyRequests, .notAuthorized, .internalError])

  /// The request.
  public struct Input: Structure {
    /// The token of a page; nil for the first one, and after the last one.
    public var nextToken: String?
    /// Maximum number of elements of the page.
    public var maxResults: Int64 = 0

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.optional("NextToken", &nextToken, .nextToken)
      m.required("MaxResults", &maxResults, .integer(1...60))
    }
  }

  /// The response.
  public struct Output: Structure {
    /// `UserPools`.
    public var userPools: [UserPoolDescriptionType]?
    /// The token of a page; nil for the first one, and after the last one.
    public var nextToken: String?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.optional("UserPools", &userPools, .init())
      m.optional("NextToken", &nextToken, .nextToken)
    }
  }
}

/// Adds attributes to the schema of a pool.
public enum AddCustomAttributes: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "AddCustomAttributes", .developer(.administering, .pool("UserPoolId")),
    "Adds attributes to the schema of a pool.",
    errors: [
      .resourceNotFound, .invalidParameter, .tooManyRequests, .notAuthorized, .operationNotEnabled,
      .userImportInProgress, .internalError,
    ], changes: ["UserPoolId"])

  /// The request.
  public struct Input: Structure {
    /// `UserPoolId`, required: 1 to 55 characters.
    public var userPoolID = ""
    /// `CustomAttributes`, required: 1 to 25 elements.
    public var customAttributes: [SchemaAttributeType] = []

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("UserPoolId", &userPoolID, .userPoolID)
      m.required("CustomAttributes", &customAttributes, .init(1...25))
    }
  }
}

/// Sets the second factors of a pool.
public enum SetUserPoolMfaConfig: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "SetUserPoolMfaConfig", .developer(.administering, .pool("UserPoolId")),
    "Sets the second factors of a pool.",
    errors: [
      .invalidParameter, .tooManyRequests, .concurrentModification, .resourceNotFound,
      .invalidSmsRoleAccessPolicy, .invalidSmsRoleTrustRelationship, .notAuthorized, .operationNotEnabled,
      .internalError, .featureUnavailableInTier,
    ], changes: ["UserPoolId"])

  /// The request.
  public struct Input: Structure {
    /// `UserPoolId`, required: 1 to 55 characters.
    public var userPoolID = ""
    /// `SmsMfaConfiguration`.
    public var smsMFAConfiguration: SmsMfaConfigType?
    /// `SoftwareTokenMfaConfiguration`.
    public var softwareTokenMFAConfiguration: SoftwareTokenMfaConfigType?
    /// `EmailMfaConfiguration`.
    public var emailMFAConfiguration: EmailMfaConfigType?
    /// Whether sign-ins need a second factor.
    public var mfaConfiguration: UserPoolMfaType?
    /// `WebAuthnConfiguration`.
    public var webAuthnConfiguration: WebAuthnConfigurationType?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("UserPoolId", &userPoolID, .userPoolID)
      m.optional("SmsMfaConfiguration", &smsMFAConfiguration)
      m.optional("SoftwareTokenMfaConfiguration", &softwareTokenMFAConfiguration)
      m.optional("EmailMfaConfiguration", &emailMFAConfiguration)
      m.optional("MfaConfiguration", &mfaConfiguration)
      m.optional("WebAuthnConfiguration", &webAuthnConfiguration)
    }
  }

  /// The response.
  public typealias Output = MFAConfiguration
}

/// Returns the second factors of a pool.
public enum GetUserPoolMfaConfig: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "GetUserPoolMfaConfig", .developer(.reading, .pool("UserPoolId")),
    "Returns the second factors of a pool.",
    errors: [.invalidParameter, .tooManyRequests, .resourceNotFound, .notAuthorized, .internalError])

  /// The request.
  public typealias Input = UserPoolName

  /// The response.
  public typealias Output = MFAConfiguration
}

/// Makes an app client.
public enum CreateUserPoolClient: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "CreateUserPoolClient", .developer(.administering, .pool("UserPoolId")), "Makes an app client.",
    errors: [
      .invalidParameter, .resourceNotFound, .tooManyRequests, .limitExceeded, .notAuthorized,
      .scopeDoesNotExist, .invalidOAuthFlow, .operationNotEnabled, .internalError, .featureUnavailableInTier,
    ], changes: ["UserPoolId", "UserPoolClient.ClientId"])

  /// The request.
  public struct Input: Structure {
    /// `UserPoolId`, required: 1 to 55 characters.
    public var userPoolID = ""
    /// `ClientName`, required: 1 to 128 characters.
    public var clientName = ""
    /// `GenerateSecret`.
    public var generateSecret: Bool?
    /// `ClientSecret`: 24 to 64 characters.
    public var clientSecret: SecretText?
    /// The settings of a client that can change.
    public var settings = UserPoolClientSettings()

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("UserPoolId", &userPoolID, .userPoolID)
      m.required("ClientName", &clientName, .clientName)
      m.optional("GenerateSecret", &generateSecret)
      m.optional("ClientSecret", &clientSecret, .clientSecret)
      settings.members(&m)
    }
  }

  /// The response.
  public typealias Output = UserPoolClientOutput
}

/// Returns an app client.
public enum DescribeUserPoolClient: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "DescribeUserPoolClient", .developer(.reading, .pool("UserPoolId")), "Returns an app client.",
    errors: [
      .resourceNotFound, .invalidParameter, .tooManyRequests, .operationNotEnabled, .notAuthorized,
      .internalError,
    ])

  /// The request.
  public typealias Input = UserPoolClientName

  /// The response.
  public typealias Output = UserPoolClientOutput
}

/// Replaces the settings of an app client.
public enum UpdateUserPoolClient: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "UpdateUserPoolClient", .developer(.administering, .pool("UserPoolId")),
    "Replaces the settings of an app client.",
    errors: [
      .resourceNotFound, .invalidParameter, .concurrentModification, .tooManyRequests, .notAuthorized,
      .scopeDoesNotExist, .invalidOAuthFlow, .operationNotEnabled, .internalError, .featureUnavailableInTier,
    ], changes: ["UserPoolId", "ClientId"])

  /// The request.
  public struct Input: Structure {
    /// `UserPoolId`, required: 1 to 55 characters.
    public var userPoolID = ""
    /// `ClientId`, required: 1 to 128 characters.
    public var clientID = ""
    /// `ClientName`: 1 to 128 characters.
    public var clientName: String?
    /// The settings of a client that can change.
    public var settings = UserPoolClientSettings()

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("UserPoolId", &userPoolID, .userPoolID)
      m.required("ClientId", &clientID, .clientID)
      m.optional("ClientName", &clientName, .clientName)
      settings.members(&m)
    }
  }

  /// The response.
  public typealias Output = UserPoolClientOutput
}

/// Removes an app client.
public enum DeleteUserPoolClient: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "DeleteUserPoolClient", .developer(.administering, .pool("UserPoolId")), "Removes an app client.",
    errors: [
      .resourceNotFound, .invalidParameter, .tooManyRequests, .notAuthorized, .concurrentModification,
      .operationNotEnabled, .internalError,
    ], changes: ["UserPoolId", "ClientId"])

  /// The request.
  public typealias Input = UserPoolClientName
}

/// Lists the app clients of a pool.
public enum ListUserPoolClients: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "ListUserPoolClients", .developer(.reading, .pool("UserPoolId")), "Lists the app clients of a pool.",
    errors: [
      .invalidParameter, .resourceNotFound, .tooManyRequests, .notAuthorized, .operationNotEnabled,
      .internalError,
    ])

  /// The request.
  public struct Input: Structure {
    /// `UserPoolId`, required: 1 to 55 characters.
    public var userPoolID = ""
    /// Maximum number of elements of the page.
    public var maxResults: Int64?
    /// The token of a page; nil for the first one, and after the last one.
    public var nextToken: String?
    /// `ClientType`.
    public var clientType: ClientTypeType?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("UserPoolId", &userPoolID, .userPoolID)
      m.optional("MaxResults", &maxResults, .integer(1...60))
      m.optional("NextToken", &nextToken, .nextToken)
      m.optional("ClientType", &clientType)
    }
  }

  /// The response.
  public struct Output: Structure {
    /// `UserPoolClients`.
    public var userPoolClients: [UserPoolClientDescription]?
    /// The token of a page; nil for the first one, and after the last one.
    public var nextToken: String?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.optional("UserPoolClients", &userPoolClients, .init())
      m.optional("NextToken", &nextToken, .nextToken)
    }
  }
}

/// Makes a user with a temporary password and sends an invitation.
public enum AdminCreateUser: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "AdminCreateUser", .developer(.administering, .pool("UserPoolId")),
    "Makes a user with a temporary password and sends an invitation.",
    errors: [
      .resourceNotFound, .invalidParameter, .userNotFound, .usernameExists, .invalidPassword,
      .codeDeliveryFailure, .unexpectedLambda, .userLambdaValidation, .invalidLambdaResponse,
      .preconditionNotMet, .invalidSmsRoleAccessPolicy, .invalidSmsRoleTrustRelationship, .tooManyRequests,
      .notAuthorized, .unsupportedUserState, .operationNotEnabled, .internalError,
    ], changes: ["UserPoolId"])

  /// The request.
  public struct Input: Structure {
    /// `UserPoolId`, required: 1 to 55 characters.
    public var userPoolID = ""
    /// `Username`, required: 1 to 128 characters.
    public var username = ""
    /// `UserAttributes`.
    public var userAttributes: [AttributeType]?
    /// For the hook before a sign-up.
    public var validationData: [AttributeType]?
    /// `TemporaryPassword`: 0 to 256 characters.
    public var temporaryPassword: SecretText?
    /// True where an alias is taken from another user.
    public var forceAliasCreation: Bool?
    /// Whether the invitation is sent again, or not at all.
    public var messageAction: MessageActionType?
    /// `DesiredDeliveryMediums`.
    public var desiredDeliveryMediums: [DeliveryMediumType]?
    /// For hooks.
    public var clientMetadata: [ExactString: String]?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("UserPoolId", &userPoolID, .userPoolID)
      m.required("Username", &username, .username)
      m.optional("UserAttributes", &userAttributes, .init())
      m.optional("ValidationData", &validationData, .init())
      m.optional("TemporaryPassword", &temporaryPassword, .password)
      m.optional("ForceAliasCreation", &forceAliasCreation)
      m.optional("MessageAction", &messageAction)
      m.optional("DesiredDeliveryMediums", &desiredDeliveryMediums, .init())
      m.optional("ClientMetadata", &clientMetadata, .clientMetadata)
    }
  }

  /// The response.
  public struct Output: Structure {
    /// `User`.
    public var user: UserType?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.optional("User", &user)
    }
  }
}

/// Returns a user.
public enum AdminGetUser: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "AdminGetUser", .developer(.reading, .pool("UserPoolId")), "Returns a user.",
    errors: [
      .resourceNotFound, .invalidParameter, .tooManyRequests, .notAuthorized, .userNotFound,
      .operationNotEnabled, .internalError,
    ])

  /// The request.
  public typealias Input = UserName

  /// The response.
  public struct Output: Structure {
    /// `Username`, required: 1 to 128 characters.
    public var username = ""
    /// `UserAttributes`.
    public var userAttributes: [AttributeType]?
    /// `UserCreateDate`.
    public var userCreateDate: Timestamp?
    /// `UserLastModifiedDate`.
    public var userLastModifiedDate: Timestamp?
    /// `Enabled`.
    public var enabled: Bool?
    /// `UserStatus`.
    public var userStatus: UserStatusType?
    /// The media of second factors, as older clients set them.
    public var mfaOptions: [MFAOptionType]?
    /// `PreferredMfaSetting`: 0 to 131072 characters.
    public var preferredMFASetting: String?
    /// `UserMFASettingList`.
    public var userMFASettingList: [String]?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("Username", &username, .username)
      m.optional("UserAttributes", &userAttributes, .init())
      m.optional("UserCreateDate", &userCreateDate)
      m.optional("UserLastModifiedDate", &userLastModifiedDate)
      m.optional("Enabled", &enabled)
      m.optional("UserStatus", &userStatus)
      m.optional("MFAOptions", &mfaOptions, .init())
      m.optional("PreferredMfaSetting", &preferredMFASetting, .text)
      m.optional("UserMFASettingList", &userMFASettingList, .init(of: .text))
    }
  }
}

/// Removes a user.
public enum AdminDeleteUser: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "AdminDeleteUser", .developer(.administering, .pool("UserPoolId")), "Removes a user.",
    errors: [
      .resourceNotFound, .invalidParameter, .tooManyRequests, .notAuthorized, .userNotFound,
      .operationNotEnabled, .internalError,
    ], changes: ["UserPoolId"])

  /// The request.
  public typealias Input = UserName
}

/// Confirms a sign-up without a code.
public enum AdminConfirmSignUp: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "AdminConfirmSignUp", .developer(.administering, .pool("UserPoolId")),
    "Confirms a sign-up without a code.",
    errors: [
      .resourceNotFound, .invalidParameter, .unexpectedLambda, .userLambdaValidation, .notAuthorized,
      .tooManyFailedAttempts, .invalidLambdaResponse, .tooManyRequests, .limitExceeded, .userNotFound,
      .operationNotEnabled, .internalError,
    ], changes: ["UserPoolId"])

  /// The request.
  public typealias Input = UserNameWithMetadata
}

/// Lets a user sign in again.
public enum AdminEnableUser: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "AdminEnableUser", .developer(.administering, .pool("UserPoolId")), "Lets a user sign in again.",
    errors: [
      .resourceNotFound, .invalidParameter, .tooManyRequests, .notAuthorized, .userNotFound,
      .operationNotEnabled, .internalError,
    ], changes: ["UserPoolId"])

  /// The request.
  public typealias Input = UserName
}

/// Keeps a user from signing in.
public enum AdminDisableUser: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "AdminDisableUser", .developer(.administering, .pool("UserPoolId")), "Keeps a user from signing in.",
    errors: [
      .resourceNotFound, .invalidParameter, .tooManyRequests, .notAuthorized, .userNotFound,
      .operationNotEnabled, .internalError,
    ], changes: ["UserPoolId"])

  /// The request.
  public typealias Input = UserName
}

/// Lists the users of a pool.
public enum ListUsers: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "ListUsers", .developer(.reading, .pool("UserPoolId")), "Lists the users of a pool.",
    errors: [
      .invalidParameter, .resourceNotFound, .tooManyRequests, .notAuthorized, .operationNotEnabled,
      .internalError,
    ])

  /// The request.
  public struct Input: Structure {
    /// `UserPoolId`, required: 1 to 55 characters.
    public var userPoolID = ""
    /// The attributes in the answer; all of them where it is absent.
    public var attributesToGet: [String]?
    /// `Limit`: 0 to 60.
    public var limit: Int64?
    /// `PaginationToken`: 1 to 131072 characters.
    public var paginationToken: String?
    /// Which users: `name = "value"` or `name ^= "beginning"`.
    public var filter: String?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("UserPoolId", &userPoolID, .userPoolID)
      m.optional("AttributesToGet", &attributesToGet, .init(of: .attributeName))
      m.optional("Limit", &limit, .integer(0...60))
      m.optional("PaginationToken", &paginationToken, .paginationToken)
      m.optional("Filter", &filter, .userFilter)
    }
  }

  /// The response.
  public struct Output: Structure {
    /// `Users`.
    public var users: [UserType]?
    /// `PaginationToken`: 1 to 131072 characters.
    public var paginationToken: String?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.optional("Users", &users, .init())
      m.optional("PaginationToken", &paginationToken, .paginationToken)
    }
  }
}

/// Changes attributes of a user.
public enum AdminUpdateUserAttributes: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "AdminUpdateUserAttributes", .developer(.administering, .pool("UserPoolId")),
    "Changes attributes of a user.",
    errors: [
      .resourceNotFound, .invalidParameter, .unexpectedLambda, .userLambdaValidation, .invalidLambdaResponse,
      .aliasExists, .tooManyRequests, .notAuthorized, .userNotFound, .internalError,
      .invalidSmsRoleAccessPolicy, .invalidEmailRoleAccessPolicy, .invalidSmsRoleTrustRelationship,
      .operationNotEnabled,
    ], changes: ["UserPoolId"])

  /// The request.
  public struct Input: Structure {
    /// `UserPoolId`, required: 1 to 55 characters.
    public var userPoolID = ""
    /// `Username`, required: 1 to 128 characters.
    public var username = ""
    /// `UserAttributes`, required.
    public var userAttributes: [AttributeType] = []
    /// For hooks.
    public var clientMetadata: [ExactString: String]?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("UserPoolId", &userPoolID, .userPoolID)
      m.required("Username", &username, .username)
      m.required("UserAttributes", &userAttributes, .init())
      m.optional("ClientMetadata", &clientMetadata, .clientMetadata)
    }
  }
}

/// Removes attributes of a user.
public enum AdminDeleteUserAttributes: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "AdminDeleteUserAttributes", .developer(.administering, .pool("UserPoolId")),
    "Removes attributes of a user.",
    errors: [
      .resourceNotFound, .invalidParameter, .tooManyRequests, .notAuthorized, .userNotFound,
      .operationNotEnabled, .internalError,
    ], changes: ["UserPoolId"])

  /// The request.
  public struct Input: Structure {
    /// `UserPoolId`, required: 1 to 55 characters.
    public var userPoolID = ""
    /// `Username`, required: 1 to 128 characters.
    public var username = ""
    /// `UserAttributeNames`, required.
    public var userAttributeNames: [String] = []

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("UserPoolId", &userPoolID, .userPoolID)
      m.required("Username", &username, .username)
      m.required("UserAttributeNames", &userAttributeNames, .init(of: .attributeName))
    }
  }
}

/// Sets the password of a user.
public enum AdminSetUserPassword: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "AdminSetUserPassword", .developer(.administering, .pool("UserPoolId")), "Sets the password of a user.",
    errors: [
      .resourceNotFound, .notAuthorized, .userNotFound, .internalError, .tooManyRequests, .invalidParameter,
      .invalidPassword, .passwordHistoryPolicyViolation, .operationNotEnabled,
    ], changes: ["UserPoolId"])

  /// The request.
  public struct Input: Structure {
    /// `UserPoolId`, required: 1 to 55 characters.
    public var userPoolID = ""
    /// `Username`, required: 1 to 128 characters.
    public var username = ""
    /// `Password`, required: 0 to 256 characters.
    public var password = SecretText()
    /// True where the user keeps the password.
    public var permanent: Bool?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("UserPoolId", &userPoolID, .userPoolID)
      m.required("Username", &username, .username)
      m.required("Password", &password, .password)
      m.optional("Permanent", &permanent)
    }
  }
}

/// Makes a user reset the password with a code.
public enum AdminResetUserPassword: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "AdminResetUserPassword", .developer(.administering, .pool("UserPoolId")),
    "Makes a user reset the password with a code.",
    errors: [
      .resourceNotFound, .invalidParameter, .unexpectedLambda, .userLambdaValidation, .notAuthorized,
      .invalidLambdaResponse, .tooManyRequests, .limitExceeded, .userNotFound, .invalidSmsRoleAccessPolicy,
      .invalidEmailRoleAccessPolicy, .invalidSmsRoleTrustRelationship, .operationNotEnabled, .internalError,
    ], changes: ["UserPoolId"])

  /// The request.
  public typealias Input = UserNameWithMetadata
}

/// Ends all sign-ins of a user.
public enum AdminUserGlobalSignOut: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "AdminUserGlobalSignOut", .developer(.administering, .pool("UserPoolId")), "Ends all sign-ins of a user.",
    errors: [
      .resourceNotFound, .invalidParameter, .tooManyRequests, .notAuthorized, .userNotFound,
      .operationNotEnabled, .internalError,
    ], changes: ["UserPoolId"])

  /// The request.
  public typealias Input = UserName
}

/// Begins a sign-in for a user of a developer's server.
public enum AdminInitiateAuth: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "AdminInitiateAuth", .developer(.issuing, .pool("UserPoolId")),
    "Begins a sign-in for a user of a developer's server.",
    errors: [
      .resourceNotFound, .unsupportedOperation, .invalidParameter, .notAuthorized, .tooManyRequests,
      .internalError, .unexpectedLambda, .invalidUserPoolConfiguration, .userLambdaValidation,
      .invalidLambdaResponse, .mfaMethodNotFound, .invalidSmsRoleAccessPolicy, .invalidEmailRoleAccessPolicy,
      .invalidSmsRoleTrustRelationship, .passwordResetRequired, .userNotFound, .userNotConfirmed,
      .operationNotEnabled, .featureUnavailableInTier,
    ], changes: ["UserPoolId", "ClientId"])

  /// The request.
  public struct Input: Structure {
    /// `UserPoolId`, required: 1 to 55 characters.
    public var userPoolID = ""
    /// `ClientId`, required: 1 to 128 characters.
    public var clientID = ""
    /// `AuthFlow`, required.
    public var authFlow = AuthFlowType.userSRPAuth
    /// `AuthParameters`.
    public var authParameters: [ExactString: SecretText]?
    /// For hooks.
    public var clientMetadata: [ExactString: String]?
    /// For analytics. It is not used.
    public var analyticsMetadata: AnalyticsMetadataType?
    /// The user's client.
    public var contextData: ContextDataType?
    /// `Session`: 20 to 4096 characters.
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

  /// The response.
  public typealias Output = AuthOutput
}

/// Answers a challenge for a user of a developer's server.
public enum AdminRespondToAuthChallenge: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "AdminRespondToAuthChallenge", .developer(.issuing, .pool("UserPoolId")),
    "Answers a challenge for a user of a developer's server.",
    errors: [
      .resourceNotFound, .invalidParameter, .notAuthorized, .codeMismatch, .expiredCode, .unexpectedLambda,
      .invalidPassword, .passwordHistoryPolicyViolation, .userLambdaValidation, .invalidLambdaResponse,
      .tooManyRequests, .invalidUserPoolConfiguration, .internalError, .mfaMethodNotFound,
      .invalidEmailRoleAccessPolicy, .invalidSmsRoleAccessPolicy, .invalidSmsRoleTrustRelationship,
      .aliasExists, .passwordResetRequired, .userNotFound, .userNotConfirmed, .softwareTokenMFANotFound,
      .operationNotEnabled,
    ], changes: ["UserPoolId", "ClientId"])

  /// The request.
  public struct Input: Structure {
    /// `UserPoolId`, required: 1 to 55 characters.
    public var userPoolID = ""
    /// `ClientId`, required: 1 to 128 characters.
    public var clientID = ""
    /// `ChallengeName`, required.
    public var challengeName = ChallengeNameType.smsMFA
    /// `ChallengeResponses`.
    public var challengeResponses: [ExactString: SecretText]?
    /// `Session`: 20 to 4096 characters.
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

  /// The response.
  public typealias Output = AuthOutput
}

/// Sets the second factors of a user.
public enum AdminSetUserMFAPreference: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "AdminSetUserMFAPreference", .developer(.administering, .pool("UserPoolId")),
    "Sets the second factors of a user.",
    errors: [
      .resourceNotFound, .invalidParameter, .notAuthorized, .passwordResetRequired, .userNotFound,
      .userNotConfirmed, .operationNotEnabled, .internalError,
    ], changes: ["UserPoolId"])

  /// The request.
  public struct Input: Structure {
    /// `UserPoolId`, required: 1 to 55 characters.
    public var userPoolID = ""
    /// `Username`, required: 1 to 128 characters.
    public var username = ""
    /// `SMSMfaSettings`.
    public var smsMFASettings: SMSMfaSettingsType?
    /// `SoftwareTokenMfaSettings`.
    public var softwareTokenMFASettings: SoftwareTokenMfaSettingsType?
    /// `EmailMfaSettings`.
    public var emailMFASettings: EmailMfaSettingsType?
    /// `WebAuthnMfaSettings`.
    public var webAuthnMFASettings: WebAuthnMfaSettingsType?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("UserPoolId", &userPoolID, .userPoolID)
      m.required("Username", &username, .username)
      m.optional("SMSMfaSettings", &smsMFASettings)
      m.optional("SoftwareTokenMfaSettings", &softwareTokenMFASettings)
      m.optional("EmailMfaSettings", &emailMFASettings)
      m.optional("WebAuthnMfaSettings", &webAuthnMFASettings)
    }
  }
}

/// Switches codes by SMS, as older clients do.
public enum AdminSetUserSettings: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "AdminSetUserSettings", .developer(.administering, .pool("UserPoolId")),
    "Switches codes by SMS, as older clients do.",
    errors: [
      .resourceNotFound, .invalidParameter, .notAuthorized, .userNotFound, .operationNotEnabled,
      .internalError,
    ], changes: ["UserPoolId"])

  /// The request.
  public struct Input: Structure {
    /// `UserPoolId`, required: 1 to 55 characters.
    public var userPoolID = ""
    /// `Username`, required: 1 to 128 characters.
    public var username = ""
    /// The media of second factors, as older clients set them.
    public var mfaOptions: [MFAOptionType] = []

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("UserPoolId", &userPoolID, .userPoolID)
      m.required("Username", &username, .username)
      m.required("MFAOptions", &mfaOptions, .init())
    }
  }
}

/// Removes the software token of a user.
public enum AdminDeleteSoftwareToken: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "AdminDeleteSoftwareToken", .developer(.administering, .pool("UserPoolId")),
    "Removes the software token of a user.",
    errors: [
      .resourceNotFound, .invalidParameter, .notAuthorized, .tooManyRequests, .userNotFound,
      .userNotConfirmed, .operationNotEnabled, .internalError,
    ], changes: ["UserPoolId"])

  /// The request.
  public typealias Input = UserName
}

/// Returns the factors that a user can sign in with.
public enum AdminGetUserAuthFactors: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "AdminGetUserAuthFactors", .developer(.reading, .pool("UserPoolId")),
    "Returns the factors that a user can sign in with.",
    errors: [
      .resourceNotFound, .invalidParameter, .notAuthorized, .operationNotEnabled, .tooManyRequests,
      .userNotFound, .internalError,
    ])

  /// The request.
  public typealias Input = UserName

  /// The response.
  public typealias Output = AuthFactorsOutput
}

/// Returns a device of a user.
public enum AdminGetDevice: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "AdminGetDevice", .developer(.reading, .pool("UserPoolId")), "Returns a device of a user.",
    errors: [
      .resourceNotFound, .invalidParameter, .invalidUserPoolConfiguration, .tooManyRequests,
      .operationNotEnabled, .internalError, .notAuthorized,
    ])

  /// The request.
  public typealias Input = DeviceName

  /// The response.
  public typealias Output = DeviceOutput
}

/// Lists the devices of a user.
public enum AdminListDevices: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "AdminListDevices", .developer(.reading, .pool("UserPoolId")), "Lists the devices of a user.",
    errors: [
      .invalidParameter, .resourceNotFound, .invalidUserPoolConfiguration, .tooManyRequests,
      .operationNotEnabled, .internalError, .notAuthorized,
    ])

  /// The request.
  public struct Input: Structure {
    /// `UserPoolId`, required: 1 to 55 characters.
    public var userPoolID = ""
    /// `Username`, required: 1 to 128 characters.
    public var username = ""
    /// `Limit`: 0 to 60.
    public var limit: Int64?
    /// `PaginationToken`: 1 to 131072 characters.
    public var paginationToken: String?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("UserPoolId", &userPoolID, .userPoolID)
      m.required("Username", &username, .username)
      m.optional("Limit", &limit, .integer(0...60))
      m.optional("PaginationToken", &paginationToken, .paginationToken)
    }
  }

  /// The response.
  public typealias Output = DevicePage
}

/// Removes a device of a user.
public enum AdminForgetDevice: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "AdminForgetDevice", .developer(.administering, .pool("UserPoolId")), "Removes a device of a user.",
    errors: [
      .resourceNotFound, .invalidParameter, .invalidUserPoolConfiguration, .tooManyRequests, .notAuthorized,
      .operationNotEnabled, .userNotFound, .internalError,
    ], changes: ["UserPoolId"])

  /// The request.
  public typealias Input = DeviceName
}

/// Sets whether a device of a user is remembered.
public enum AdminUpdateDeviceStatus: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "AdminUpdateDeviceStatus", .developer(.administering, .pool("UserPoolId")),
    "Sets whether a device of a user is remembered.",
    errors: [
      .invalidParameter, .resourceNotFound, .invalidUserPoolConfiguration, .tooManyRequests, .notAuthorized,
      .operationNotEnabled, .userNotFound, .internalError,
    ], changes: ["UserPoolId"])

  /// The request.
  public struct Input: Structure {
    /// `UserPoolId`, required: 1 to 55 characters.
    public var userPoolID = ""
    /// `Username`, required: 1 to 128 characters.
    public var username = ""
    /// `DeviceKey`, required: 1 to 55 characters.
    public var deviceKey = ""
    /// `DeviceRememberedStatus`.
    public var deviceRememberedStatus: DeviceRememberedStatusType?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("UserPoolId", &userPoolID, .userPoolID)
      m.required("Username", &username, .username)
      m.required("DeviceKey", &deviceKey, .deviceKey)
      m.optional("DeviceRememberedStatus", &deviceRememberedStatus)
    }
  }
}

/// Makes a group.
public enum CreateGroup: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "CreateGroup", .developer(.administering, .pool("UserPoolId")), "Makes a group.",
    errors: [
      .invalidParameter, .groupExists, .resourceNotFound, .tooManyRequests, .limitExceeded, .notAuthorized,
      .operationNotEnabled, .internalError,
    ], changes: ["UserPoolId", "GroupName"])

  /// The request.
  public typealias Input = GroupSettings

  /// The response.
  public typealias Output = GroupOutput
}

/// Returns a group.
public enum GetGroup: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "GetGroup", .developer(.reading, .pool("UserPoolId")), "Returns a group.",
    errors: [
      .resourceNotFound, .invalidParameter, .tooManyRequests, .notAuthorized, .operationNotEnabled,
      .internalError,
    ])

  /// The request.
  public typealias Input = GroupName

  /// The response.
  public typealias Output = GroupOutput
}

/// Replaces the settings of a group.
public enum UpdateGroup: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "UpdateGroup", .developer(.administering, .pool("UserPoolId")), "Replaces the settings of a group.",
    errors: [
      .resourceNotFound, .invalidParameter, .tooManyRequests, .notAuthorized, .operationNotEnabled,
      .internalError,
    ], changes: ["UserPoolId", "GroupName"])

  /// The request.
  public typealias Input = GroupSettings

  /// The response.
  public typealias Output = GroupOutput
}

/// Removes a group.
public enum DeleteGroup: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "DeleteGroup", .developer(.administering, .pool("UserPoolId")), "Removes a group.",
    errors: [
      .resourceNotFound, .invalidParameter, .tooManyRequests, .notAuthorized, .operationNotEnabled,
      .internalError,
    ], changes: ["UserPoolId", "GroupName"])

  /// The request.
  public typealias Input = GroupName
}

/// Lists the groups of a pool.
public enum ListGroups: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "ListGroups", .developer(.reading, .pool("UserPoolId")), "Lists the groups of a pool.",
    errors: [
      .invalidParameter, .resourceNotFound, .tooManyRequests, .notAuthorized, .operationNotEnabled,
      .internalError,
    ])

  /// The request.
  public struct Input: Structure {
    /// `UserPoolId`, required: 1 to 55 characters.
    public var userPoolID = ""
    /// `Limit`: 0 to 60.
    public var limit: Int64?
    /// The token of a page; nil for the first one, and after the last one.
    public var nextToken: String?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("UserPoolId", &userPoolID, .userPoolID)
      m.optional("Limit", &limit, .integer(0...60))
      m.optional("NextToken", &nextToken, .nextToken)
    }
  }

  /// The response.
  public typealias Output = GroupPage
}

/// Adds a user to a group.
public enum AdminAddUserToGroup: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "AdminAddUserToGroup", .developer(.administering, .pool("UserPoolId")), "Adds a user to a group.",
    errors: [
      .invalidParameter, .resourceNotFound, .tooManyRequests, .notAuthorized, .userNotFound,
      .operationNotEnabled, .internalError,
    ], changes: ["UserPoolId", "GroupName"])

  /// The request.
  public typealias Input = MembershipName
}

/// Removes a user from a group.
public enum AdminRemoveUserFromGroup: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "AdminRemoveUserFromGroup", .developer(.administering, .pool("UserPoolId")),
    "Removes a user from a group.",
    errors: [
      .invalidParameter, .resourceNotFound, .tooManyRequests, .notAuthorized, .userNotFound,
      .operationNotEnabled, .internalError,
    ], changes: ["UserPoolId", "GroupName"])

  /// The request.
  public typealias Input = MembershipName
}

/// Lists the groups of a user.
public enum AdminListGroupsForUser: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "AdminListGroupsForUser", .developer(.reading, .pool("UserPoolId")), "Lists the groups of a user.",
    errors: [
      .invalidParameter, .resourceNotFound, .tooManyRequests, .notAuthorized, .userNotFound,
      .operationNotEnabled, .internalError,
    ])

  /// The request.
  public struct Input: Structure {
    /// `UserPoolId`, required: 1 to 55 characters.
    public var userPoolID = ""
    /// `Username`, required: 1 to 128 characters.
    public var username = ""
    /// `Limit`: 0 to 60.
    public var limit: Int64?
    /// The token of a page; nil for the first one, and after the last one.
    public var nextToken: String?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("UserPoolId", &userPoolID, .userPoolID)
      m.required("Username", &username, .username)
      m.optional("Limit", &limit, .integer(0...60))
      m.optional("NextToken", &nextToken, .nextToken)
    }
  }

  /// The response.
  public typealias Output = GroupPage
}

/// Lists the users of a group.
public enum ListUsersInGroup: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "ListUsersInGroup", .developer(.reading, .pool("UserPoolId")), "Lists the users of a group.",
    errors: [
      .invalidParameter, .resourceNotFound, .tooManyRequests, .notAuthorized, .operationNotEnabled,
      .internalError,
    ])

  /// The request.
  public struct Input: Structure {
    /// `UserPoolId`, required: 1 to 55 characters.
    public var userPoolID = ""
    /// `GroupName`, required: 1 to 128 characters.
    public var groupName = ""
    /// `Limit`: 0 to 60.
    public var limit: Int64?
    /// The token of a page; nil for the first one, and after the last one.
    public var nextToken: String?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("UserPoolId", &userPoolID, .userPoolID)
      m.required("GroupName", &groupName, .groupName)
      m.optional("Limit", &limit, .integer(0...60))
      m.optional("NextToken", &nextToken, .nextToken)
    }
  }

  /// The response.
  public struct Output: Structure {
    /// `Users`.
    public var users: [UserType]?
    /// The token of a page; nil for the first one, and after the last one.
    public var nextToken: String?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.optional("Users", &users, .init())
      m.optional("NextToken", &nextToken, .nextToken)
    }
  }
}

/// Adds or replaces tags of a pool.
public enum TagUserPool: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "TagResource", .developer(.administering, .resource("ResourceArn")), "Adds or replaces tags of a pool.",
    errors: [
      .resourceNotFound, .notAuthorized, .tooManyRequests, .invalidParameter, .operationNotEnabled,
      .internalError,
    ], changes: ["ResourceArn"])

  /// The request.
  public struct Input: Structure {
    /// `ResourceArn`, required: 20 to 2048 characters.
    public var resourceARN = ""
    /// `Tags`, required.
    public var tags: [ExactString: String] = [:]

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("ResourceArn", &resourceARN, .arn)
      m.required("Tags", &tags, .tags)
    }
  }
}

/// Removes tags of a pool.
public enum UntagUserPool: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "UntagResource", .developer(.administering, .resource("ResourceArn")), "Removes tags of a pool.",
    errors: [
      .resourceNotFound, .notAuthorized, .tooManyRequests, .invalidParameter, .operationNotEnabled,
      .internalError,
    ], changes: ["ResourceArn"])

  /// The request.
  public struct Input: Structure {
    /// `ResourceArn`, required: 20 to 2048 characters.
    public var resourceARN = ""
    /// `TagKeys`, required.
    public var tagKeys: [String] = []

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("ResourceArn", &resourceARN, .arn)
      m.required("TagKeys", &tagKeys, .init(of: .tagKey))
    }
  }
}

/// Returns the tags of a pool.
public enum ListTagsForUserPool: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "ListTagsForResource", .developer(.reading, .resource("ResourceArn")), "Returns the tags of a pool.",
    errors: [
      .resourceNotFound, .notAuthorized, .tooManyRequests, .invalidParameter, .operationNotEnabled,
      .internalError,
    ])

  /// The request.
  public struct Input: Structure {
    /// `ResourceArn`, required: 20 to 2048 characters.
    public var resourceARN = ""

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("ResourceArn", &resourceARN, .arn)
    }
  }

  /// The response.
  public struct Output: Structure {
    /// `Tags`.
    public var tags: [ExactString: String]?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.optional("Tags", &tags, .tags)
    }
  }
}

extension ErrorDeclaration {
  fileprivate static let aliasExists = ErrorDeclaration("AliasExistsException")
  fileprivate static let codeDeliveryFailure = ErrorDeclaration("CodeDeliveryFailureException")
  fileprivate static let codeMismatch = ErrorDeclaration("CodeMismatchException")
  fileprivate static let concurrentModification = ErrorDeclaration("ConcurrentModificationException")
  fileprivate static let deviceKeyExists = ErrorDeclaration("DeviceKeyExistsException")
  fileprivate static let enableSoftwareTokenMFA = ErrorDeclaration("EnableSoftwareTokenMFAException")
  fileprivate static let expiredCode = ErrorDeclaration("ExpiredCodeException")
  fileprivate static let featureUnavailableInTier = ErrorDeclaration("FeatureUnavailableInTierException")
  fileprivate static let forbidden = ErrorDeclaration("ForbiddenException")
  fileprivate static let groupExists = ErrorDeclaration("GroupExistsException")
  fileprivate static let internalError = ErrorDeclaration("InternalErrorException", status: 500)
  fileprivate static let invalidEmailRoleAccessPolicy = ErrorDeclaration(
    "InvalidEmailRoleAccessPolicyException")
  fileprivate static let invalidLambdaResponse = ErrorDeclaration("InvalidLambdaResponseException")
  fileprivate static let invalidOAuthFlow = ErrorDeclaration("InvalidOAuthFlowException")
  fileprivate static let invalidParameter = ErrorDeclaration("InvalidParameterException")
  fileprivate static let invalidPassword = ErrorDeclaration("InvalidPasswordException")
  fileprivate static let invalidSmsRoleAccessPolicy = ErrorDeclaration("InvalidSmsRoleAccessPolicyException")
  fileprivate static let invalidSmsRoleTrustRelationship = ErrorDeclaration(
    "InvalidSmsRoleTrustRelationshipException")
  fileprivate static let invalidUserPoolConfiguration = ErrorDeclaration(
    "InvalidUserPoolConfigurationException")
  fileprivate static let limitExceeded = ErrorDeclaration("LimitExceededException")
  fileprivate static let mfaMethodNotFound = ErrorDeclaration("MFAMethodNotFoundException")
  fileprivate static let notAuthorized = ErrorDeclaration("NotAuthorizedException")
  fileprivate static let operationNotEnabled = ErrorDeclaration("OperationNotEnabledException")
  fileprivate static let passwordHistoryPolicyViolation = ErrorDeclaration(
    "PasswordHistoryPolicyViolationException")
  fileprivate static let passwordResetRequired = ErrorDeclaration("PasswordResetRequiredException")
  fileprivate static let preconditionNotMet = ErrorDeclaration("PreconditionNotMetException")
  fileprivate static let refreshTokenReuse = ErrorDeclaration("RefreshTokenReuseException")
  fileprivate static let resourceNotFound = ErrorDeclaration("ResourceNotFoundException")
  fileprivate static let scopeDoesNotExist = ErrorDeclaration("ScopeDoesNotExistException")
  fileprivate static let softwareTokenMFANotFound = ErrorDeclaration("SoftwareTokenMFANotFoundException")
  fileprivate static let tierChangeNotAllowed = ErrorDeclaration("TierChangeNotAllowedException")
  fileprivate static let tooManyFailedAttempts = ErrorDeclaration("TooManyFailedAttemptsException")
  fileprivate static let tooManyRequests = ErrorDeclaration("TooManyRequestsException")
  fileprivate static let unauthorized = ErrorDeclaration("UnauthorizedException")
  fileprivate static let unexpectedLambda = ErrorDeclaration("UnexpectedLambdaException")
  fileprivate static let unsupportedOperation = ErrorDeclaration("UnsupportedOperationException")
  fileprivate static let unsupportedTokenType = ErrorDeclaration("UnsupportedTokenTypeException")
  fileprivate static let unsupportedUserState = ErrorDeclaration("UnsupportedUserStateException")
  fileprivate static let userImportInProgress = ErrorDeclaration("UserImportInProgressException")
  fileprivate static let userLambdaValidation = ErrorDeclaration("UserLambdaValidationException")
  fileprivate static let userNotConfirmed = ErrorDeclaration("UserNotConfirmedException")
  fileprivate static let userNotFound = ErrorDeclaration("UserNotFoundException")
  fileprivate static let userPoolTagging = ErrorDeclaration("UserPoolTaggingException")
  fileprivate static let usernameExists = ErrorDeclaration("UsernameExistsException")
}
