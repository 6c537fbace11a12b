// The errors that the operations of user pools declare.

extension ErrorDeclaration {
  static let aliasExists = ErrorDeclaration("AliasExistsException")
  static let codeDeliveryFailure = ErrorDeclaration("CodeDeliveryFailureException")
  static let codeMismatch = ErrorDeclaration("CodeMismatchException")
  static let concurrentModification = ErrorDeclaration("ConcurrentModificationException")
  static let deviceKeyExists = ErrorDeclaration("DeviceKeyExistsException")
  static let enableSoftwareTokenMFA = ErrorDeclaration("EnableSoftwareTokenMFAException")
  static let expiredCode = ErrorDeclaration("ExpiredCodeException")
  static let featureUnavailableInTier = ErrorDeclaration("FeatureUnavailableInTierException")
  static let forbidden = ErrorDeclaration("ForbiddenException")
  static let groupExists = ErrorDeclaration("GroupExistsException")
  static let internalError = ErrorDeclaration("InternalErrorException", status: 500)
  static let invalidEmailRoleAccessPolicy = ErrorDeclaration("InvalidEmailRoleAccessPolicyException")
  static let invalidLambdaResponse = ErrorDeclaration("InvalidLambdaResponseException")
  static let invalidOAuthFlow = ErrorDeclaration("InvalidOAuthFlowException")
  static let invalidParameter = ErrorDeclaration("InvalidParameterException")
  static let invalidPassword = ErrorDeclaration("InvalidPasswordException")
  static let invalidSMSRoleAccessPolicy = ErrorDeclaration("InvalidSmsRoleAccessPolicyException")
  static let invalidSMSRoleTrustRelationship = ErrorDeclaration("InvalidSmsRoleTrustRelationshipException")
  static let invalidUserPoolConfiguration = ErrorDeclaration("InvalidUserPoolConfigurationException")
  static let limitExceeded = ErrorDeclaration("LimitExceededException")
  static let mfaMethodNotFound = ErrorDeclaration("MFAMethodNotFoundException")
  static let notAuthorized = ErrorDeclaration("NotAuthorizedException")
  static let operationNotEnabled = ErrorDeclaration("OperationNotEnabledException")
  static let passwordHistoryPolicyViolation = ErrorDeclaration("PasswordHistoryPolicyViolationException")
  static let passwordResetRequired = ErrorDeclaration("PasswordResetRequiredException")
  static let preconditionNotMet = ErrorDeclaration("PreconditionNotMetException")
  static let refreshTokenReuse = ErrorDeclaration("RefreshTokenReuseException")
  static let resourceNotFound = ErrorDeclaration("ResourceNotFoundException")
  static let scopeDoesNotExist = ErrorDeclaration("ScopeDoesNotExistException")
  static let softwareTokenMFANotFound = ErrorDeclaration("SoftwareTokenMFANotFoundException")
  static let tierChangeNotAllowed = ErrorDeclaration("TierChangeNotAllowedException")
  static let tooManyFailedAttempts = ErrorDeclaration("TooManyFailedAttemptsException")
  static let tooManyRequests = ErrorDeclaration("TooManyRequestsException")
  static let unauthorized = ErrorDeclaration("UnauthorizedException")
  static let unexpectedLambda = ErrorDeclaration("UnexpectedLambdaException")
  static let unsupportedOperation = ErrorDeclaration("UnsupportedOperationException")
  static let unsupportedTokenType = ErrorDeclaration("UnsupportedTokenTypeException")
  static let unsupportedUserState = ErrorDeclaration("UnsupportedUserStateException")
  static let userImportInProgress = ErrorDeclaration("UserImportInProgressException")
  static let userLambdaValidation = ErrorDeclaration("UserLambdaValidationException")
  static let userNotConfirmed = ErrorDeclaration("UserNotConfirmedException")
  static let userNotFound = ErrorDeclaration("UserNotFoundException")
  static let userPoolTagging = ErrorDeclaration("UserPoolTaggingException")
  static let usernameExists = ErrorDeclaration("UsernameExistsException")
}

extension [ErrorDeclaration] {
  /// The errors of nearly every operation.
  static let usual: [ErrorDeclaration] = [
    .invalidParameter, .resourceNotFound, .notAuthorized, .tooManyRequests, .internalError,
    .operationNotEnabled,
  ]
  /// Those of operations that call hooks.
  static let hooks: [ErrorDeclaration] = [.unexpectedLambda, .userLambdaValidation, .invalidLambdaResponse]
  /// Those of operations that send messages.
  static let messages: [ErrorDeclaration] = [
    .invalidSMSRoleAccessPolicy, .invalidSMSRoleTrustRelationship, .invalidEmailRoleAccessPolicy,
  ]
  /// Those that tell about the user.
  static let userStates: [ErrorDeclaration] = [.passwordResetRequired, .userNotFound, .userNotConfirmed]
}
