// The errors that the operations of identity pools declare.

extension ErrorDeclaration {
  static let concurrentModification = ErrorDeclaration("ConcurrentModificationException")
  static let developerUserTaken = ErrorDeclaration("DeveloperUserAlreadyRegisteredException")
  static let externalService = ErrorDeclaration("ExternalServiceException")
  static let internalError = ErrorDeclaration("InternalErrorException", status: 500)
  static let invalidConfiguration = ErrorDeclaration("InvalidIdentityPoolConfigurationException")
  static let invalidParameter = ErrorDeclaration("InvalidParameterException")
  static let limitExceeded = ErrorDeclaration("LimitExceededException")
  static let notAuthorized = ErrorDeclaration("NotAuthorizedException")
  static let resourceConflict = ErrorDeclaration("ResourceConflictException")
  static let resourceNotFound = ErrorDeclaration("ResourceNotFoundException")
  static let tooManyRequests = ErrorDeclaration("TooManyRequestsException")
}

extension [ErrorDeclaration] {
  /// The errors of every operation.
  static let common: [ErrorDeclaration] = [.invalidParameter, .tooManyRequests, .internalError]
  /// Those of operations on a pool or an identity.
  static let usual: [ErrorDeclaration] = common + [.resourceNotFound, .notAuthorized]
  /// Those of operations that link logins.
  static let linking: [ErrorDeclaration] = usual + [.resourceConflict]
}
