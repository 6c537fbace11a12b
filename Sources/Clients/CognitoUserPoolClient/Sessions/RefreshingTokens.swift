internal import ServiceOperations
internal import TokenSecurityBase

extension UserPoolSessions {
  /// Requests new tokens with a session's refresh token.
  ///
  /// - Returns: the tokens, with the refresh token that is valid from now on.
  /// - Throws: `signedOut` for a session without a refresh token; the errors of the call.
  func refreshed(_ record: SessionRecord) async throws(UserPoolClientError) -> IssuedTokens {
    guard let refreshToken = record.tokens.refreshToken else { throw .signedOut }
    var issued = try await issue(record, refreshToken)
    issued.refreshToken = issued.refreshToken ?? refreshToken
    return issued
  }

  private func issue(
    _ record: SessionRecord, _ refreshToken: SecretText
  ) async throws(UserPoolClientError) -> IssuedTokens {
    let metadata = clientMetadata.asMember
    if !refreshesByInitiateAuth {
      do throws(UserPoolClientError) {
        let output = try await client.calls.callWithSecret(GetTokensFromRefreshToken.self) {
          $0.refreshToken = refreshToken
          $0.deviceKey = record.deviceKey
          $0.clientMetadata = metadata
        }
        return try IssuedTokens(output.authenticationResult)
      } catch {
        guard error.isUnsupported else { throw error }
        refreshesByInitiateAuth = true
      }
    }
    var parameters: [ExactString: SecretText] = ["REFRESH_TOKEN": refreshToken]
    parameters["DEVICE_KEY"] = record.deviceKey.map { SecretText($0) }
    // No user name is sent. The service accepts the hash over the name of the token's user.
    parameters["SECRET_HASH"] = try client.calls.secretHash(username: record.username).map { SecretText($0) }
    let output = try await client.calls.callAsClient(InitiateAuth.self) {
      $0.authFlow = .refreshTokenAuth
      $0.authParameters = parameters
      $0.clientMetadata = metadata
    }
    return try IssuedTokens(output.authenticationResult)
  }
}
