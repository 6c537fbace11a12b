internal import ServiceOperations

extension UserPoolClient {
  /// `GlobalSignOut`: ends all sign-ins of the user, on all devices.
  ///
  /// - Parameter accessToken: the user's access token.
  /// - Throws: `refused`, `responseMalformed`, `unreachable`, `cancelled`.
  public func globalSignOut(accessToken: String) async throws(UserPoolClientError) {
    _ = try await calls.call(GlobalSignOut.self, accessToken: accessToken)
  }

  /// `RevokeToken`: ends one sign-in, with its refresh token and the access tokens that came from it.
  ///
  /// - Parameter refreshToken: the refresh token.
  /// - Throws: `refused`, `responseMalformed`, `unreachable`, `cancelled`.
  public func revoke(refreshToken: String) async throws(UserPoolClientError) {
    try await revoke(refreshToken: SecretText(refreshToken))
  }

  /// The same with a token that is wiped.
  func revoke(refreshToken: SecretText) async throws(UserPoolClientError) {
    _ = try await calls.callWithSecret(RevokeToken.self) { $0.token = refreshToken }
  }

  /// `DeleteUser`: deletes the signed-in user.
  ///
  /// - Parameter accessToken: the user's access token.
  /// - Throws: `refused`, `responseMalformed`, `unreachable`, `cancelled`.
  public func deleteUser(accessToken: String) async throws(UserPoolClientError) {
    _ = try await calls.call(DeleteUser.self, accessToken: accessToken)
  }
}
