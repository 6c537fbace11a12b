// Made by Tools/operations.py from the model of cognito-identity in botocore 1.44.8. Not edited by hand.

internal import ServiceOperations

extension ErrorDeclaration {
  static let concurrentModification = ErrorDeclaration("ConcurrentModificationException")
  static let developerUserAlreadyRegistered = ErrorDeclaration("DeveloperUserAlreadyRegisteredException")
  static let externalService = ErrorDeclaration("ExternalServiceException")
  static let internalError = ErrorDeclaration("InternalErrorException", status: 500)
  static let invalidIdentityPoolConfiguration = ErrorDeclaration("InvalidIdentityPoolConfigurationException")
  static let invalidParameter = ErrorDeclaration("InvalidParameterException")
  static let limitExceeded = ErrorDeclaration("LimitExceededException")
  static let notAuthorized = ErrorDeclaration("NotAuthorizedException")
  static let resourceConflict = ErrorDeclaration("ResourceConflictException")
  static let resourceNotFound = ErrorDeclaration("ResourceNotFoundException")
  static let tooManyRequests = ErrorDeclaration("TooManyRequestsException")
}
