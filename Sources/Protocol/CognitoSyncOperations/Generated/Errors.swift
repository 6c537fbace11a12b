// Made by Tools/operations.py from the model of cognito-sync in botocore 1.44.8. Not edited by hand.

internal import ServiceOperations

extension ErrorDeclaration {
  static let concurrentModification = ErrorDeclaration("ConcurrentModificationException")
  static let internalError = ErrorDeclaration("InternalErrorException", status: 500)
  static let invalidConfiguration = ErrorDeclaration("InvalidConfigurationException")
  static let invalidLambdaFunctionOutput = ErrorDeclaration("InvalidLambdaFunctionOutputException")
  static let invalidParameter = ErrorDeclaration("InvalidParameterException")
  static let lambdaThrottled = ErrorDeclaration("LambdaThrottledException", status: 429)
  static let limitExceeded = ErrorDeclaration("LimitExceededException")
  static let notAuthorized = ErrorDeclaration("NotAuthorizedException", status: 403)
  static let resourceConflict = ErrorDeclaration("ResourceConflictException", status: 409)
  static let resourceNotFound = ErrorDeclaration("ResourceNotFoundException", status: 404)
  static let tooManyRequests = ErrorDeclaration("TooManyRequestsException", status: 429)
}
