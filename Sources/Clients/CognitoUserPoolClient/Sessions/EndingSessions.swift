internal import ServiceOperations
public import TokenLifetime
internal import TokenSecurityBase

// Signing out.
extension UserPoolSessions {
  /// Signs a user out on this device: deletes the session, then revokes its refresh token, and with it the access
  /// tokens of the sign-in. The remembered device stays.
  ///
  /// The session is deleted whatever happens afterwards, and the revocation goes on if the caller's task is cancelled.
  ///
  /// - Parameter username: the user's name, or the alias that a user typed who is the current one or has got tokens
  ///   since the start. Default: the current user's.
  /// - Throws: `storeUnavailable` if the stored session cannot be deleted, which later calls try again; `refused`,
  ///   `unreachable`, `responseMalformed` if the refresh token could not be revoked; `cancelled`.
  public func signOut(_ username: String? = nil) async throws(UserPoolClientError) {
    records.flush()
    guard let given = username ?? currentUsername else { return }
    let username = signedInName(given)
    // A session that cannot be read cannot be revoked, but deleted.
    let refreshToken = (try? session(of: username))?.record.tokens.refreshToken
    let revocation = refreshToken.map { startRevocation($0) }
    try await end(username)
    guard let revocation else { return }
    guard let result = await revocation.value else { throw .cancelled }
    try result.get()
  }

  /// Signs a user out on all devices. The session on this device is deleted when the service has ended all.
  ///
  /// - Parameters:
  ///   - username: the user's name. Default: the current user's.
  ///   - now: the current time.
  /// - Throws: the errors of ``tokens(of:at:)`` and of the call: the session on this device stays.
  public func signOutEverywhere(
    _ username: String? = nil, at now: Timestamp = .now
  ) async throws(UserPoolClientError) {
    let tokens = try await tokens(of: username, at: now)
    try await client.globalSignOut(accessToken: tokens.accessToken)
    try await end(tokens.username)
  }

  /// Deletes all that is stored of a user: the session, the remembered device and the name. Nothing is sent. For users
  /// who were deleted, and for devices that change hands.
  ///
  /// - Parameter username: the user's name, or the alias as for ``signOut(_:)``.
  /// - Throws: `storeUnavailable` if something cannot be deleted, which later calls try again.
  public func forgetUser(_ username: String) async throws(UserPoolClientError) {
    records.flush()
    let signedIn = signedInName(username)
    let typed = (try? session(of: signedIn))?.record.typed
    // Without a session the stored names say what the last user typed.
    for name in [username, signedIn, typed, lastName(of: signedIn)] {
      guard let name else { continue }
      records.set(nil, for: .device(username: name))
      forgetLast(name)
    }
    try await end(signedIn)
  }

  /// The name in tokens of a user who typed an alias; other names as they are.
  private func signedInName(_ alias: String) -> String {
    let name = userName(of: alias)
    if (try? session(of: name)) != nil { return name }
    // Not every user has a device, by which an alias is known. This reads the current user's session, if that has not
    // been done.
    _ = currentUser
    return sessions.values.first { $0.record.typed == alias }?.record.username ?? name
  }

  /// Drops the current user, whose session another program has deleted in the shared store, and informs the providers.
  func noteSignOut(of username: String) async {
    guard currentUsername == username else { return }
    // The failure of a provider is its own: it tries again.
    try? await end(username)
  }

  /// Deletes a session, and informs the providers.
  private func end(_ username: String) async throws(UserPoolClientError) {
    let earlier = currentUser
    drop(username)
    try await tellProviders(after: earlier)
    try records.report()
  }

  /// Revokes a refresh token. This goes on if the caller's task is cancelled.
  @discardableResult
  func startRevocation(_ secret: SecretText) -> SingleFlight<Result<Void, UserPoolClientError>> {
    SingleFlight { [client] in await Self.revoke(secret, client) }
  }

  private static func revoke(
    _ refreshToken: SecretText, _ client: UserPoolClient
  ) async -> Result<Void, UserPoolClientError> {
    do throws(UserPoolClientError) {
      try await client.revoke(refreshToken: refreshToken)
      return .success(())
    } catch {
      // A token that is invalid already, or a client without revocation, has nothing to revoke.
      let isDone =
        error.endsSession || error.isUnsupported || error.isRefusal("UnsupportedTokenTypeException")
      return isDone ? .success(()) : .failure(error)
    }
  }
}
