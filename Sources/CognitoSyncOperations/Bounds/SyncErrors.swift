// The errors that the operations of data sets declare: those of the service's model.

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

extension [ErrorDeclaration] {
  /// The errors of lists, which are empty where there is nothing.
  static let lists: [ErrorDeclaration] = [
    .notAuthorized, .invalidParameter, .tooManyRequests, .internalError,
  ]
  /// Those of operations on a data set, an identity or a pool.
  static let usual: [ErrorDeclaration] = lists + [.resourceNotFound]
  /// Those of operations for push messages.
  static let pushing: [ErrorDeclaration] = usual + [.invalidConfiguration]
}
