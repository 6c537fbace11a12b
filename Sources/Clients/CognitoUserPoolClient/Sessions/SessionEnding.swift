internal import TokenSecurityBase

extension UserPoolClientError {
  /// True for a refusal that means that the session has ended: the user must sign in again. All other failures pass,
  /// and the session is kept.
  var endsSession: Bool {
    switch self {
    case .signedOut: return true
    case .refused("NotAuthorizedException", let message):
      // The exception also has refusals of the client, such as a wrong secret, or refresh tokens that it may not use in
      // this way.
      let message = message.lowercasedASCII
      func has(_ words: String) -> Bool { message.utf8.firstRange(of: words.utf8) != nil }
      return has("user is disabled") || has("user does not exist")
        || has("refresh token") && ["invalid", "expired", "revoked", "reused"].contains(where: has)
    case .refused("ResourceNotFoundException", let message):
      // The refresh token is bound to the device.
      return message.lowercasedASCII.hasPrefix("device does not exist")
    case .refused(let type, _):
      return [
        "UserNotFoundException", "RefreshTokenReuseException", "PasswordResetRequiredException",
        "UserNotConfirmedException",
      ].contains { $0 == type }
    default: return false
    }
  }

  /// True where the service does not have the operation.
  var isUnsupported: Bool {
    guard case .refused(let type, _) = self else { return false }
    return [
      "UnknownOperationException", "NotImplementedException", "UnsupportedOperationException",
      "OperationNotEnabledException",
    ].contains { $0 == type }
  }
}
