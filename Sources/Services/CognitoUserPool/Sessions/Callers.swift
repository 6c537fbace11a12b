internal import JOSE
internal import Records
internal import TokenLifetime
internal import TokenSecurityBase

/// The user who calls with an access token, as stored now.
package struct TokenCaller: Sendable {
  package let pool: UserPool
  package let client: UserPoolClient
  package let user: User
  package let signIn: SignIn
  /// The device of the sign-in.
  package var deviceKey: String? { signIn.deviceKey }
  package var clientID: String { client.id }
}

/// Finds the users that calls name: by the user's own access token, or by pool and name.
package struct Callers: Sendable {
  let store: any RecordStore
  let keyRings: PoolKeyRings
  let issuers: PoolIssuers

  /// Returns the user of an access token whose sign-in was not ended.
  ///
  /// - Parameters:
  ///   - accessToken: the token.
  ///   - context: the call.
  /// - Returns: the user, the client and the pool as they are now.
  /// - Throws: `accessTokenInvalid`, `accessTokenExpired`, `accessTokenRevoked`, `accessTokenScope`,
  ///   `poolUnknown`, `clientUnknown`, `userUnknown`, `userDisabled`, `passwordResetRequired`, `storeFailed`.
  package nonisolated(nonsending) func tokenCaller(
    _ accessToken: String, context: CallContext
  ) async throws(UserPoolError) -> TokenCaller {
    let token = try await verified(accessToken, at: context.time)
    let caller = try await store.read(at: context.time, .fresh) { rows throws(UserPoolError) in
      try rows.caller(of: token)
    }
    context.subject.isUser(caller.user)
    return caller
  }

  /// Verifies an access token's signature and dates.
  private nonisolated(nonsending) func verified(
    _ accessToken: String, at now: Timestamp
  ) async throws(UserPoolError) -> AccessToken {
    guard let (parsed, poolID) = AccessToken.parse(accessToken, issuers: issuers.prefixes) else {
      throw .accessTokenInvalid
    }
    let ring = try await keyRings.keys(of: poolID).access
    do throws(JOSEError) {
      return try AccessToken(parsed, poolID: poolID, keys: try keys(ring), at: now)
    } catch .keyNotFound {
      // Another node may have published the key.
      try await ring.loadUnknownKeys()
    } catch {
      throw Self.refusal(error)
    }
    do throws(JOSEError) {
      return try AccessToken(parsed, poolID: poolID, keys: try keys(ring), at: now)
    } catch {
      throw Self.refusal(error)
    }
  }

  private func keys(_ ring: PoolKeys.Ring) throws(JOSEError) -> PreparedKeys {
    do throws(UserPoolError) { return try ring.verifying() } catch {
      throw .keyNotFound(kid: nil, algorithm: .rs256)
    }
  }

  private static func refusal(_ error: JOSEError) -> UserPoolError {
    if case .expired = error { .accessTokenExpired } else { .accessTokenInvalid }
  }
}

extension ReadTransaction<UserPoolError> {
  fileprivate func caller(of token: AccessToken) throws(UserPoolError) -> TokenCaller {
    let pool = try existingPool(token.poolID)
    // A node may have revoked the key.
    guard try hasSigningKey(token.keyID, of: pool.id, for: .access) else { throw .accessTokenInvalid }
    let client = try existingClient(token.clientID, of: pool)
    let signIn = try signIn(token.signInID, in: pool.id)
    let user = try existingUser(sub: token.sub, in: pool)
    // The row lives as long as the last token: a missing one was removed.
    guard let signIn, signIn.isLive(for: user), signIn.clientID.isIdentical(to: client.id) else {
      throw .accessTokenRevoked
    }
    guard token.hasOwnScope else { throw .accessTokenScope }
    try user.checkUsesTokens()
    return TokenCaller(pool: pool, client: client, user: user, signIn: signIn)
  }
}
