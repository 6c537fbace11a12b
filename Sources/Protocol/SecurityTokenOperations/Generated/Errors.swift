// Made by Tools/operations.py from the model of sts in botocore 1.44.8. Not edited by hand.

internal import ServiceOperations

extension ErrorDeclaration {
  static let accessDenied = ErrorDeclaration("AccessDenied", status: 403)
  static let expiredToken = ErrorDeclaration("ExpiredTokenException")
  static let internalFailure = ErrorDeclaration("InternalFailure", status: 500)
  static let invalidIdentityToken = ErrorDeclaration("InvalidIdentityToken")
  static let throttling = ErrorDeclaration("Throttling")
}
