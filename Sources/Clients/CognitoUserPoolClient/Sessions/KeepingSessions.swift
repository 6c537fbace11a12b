internal import ServiceOperations
public import TokenLifetime
internal import TokenSecurityBase

// The tokens of a user.
extension UserPoolSessions {
  /// The current user's verified tokens, or those of a user by name. They are refreshed if they expire within the
  /// margin.
  ///
  /// - Parameters:
  ///   - username: the user's name. Default: the current user's.
  ///   - now: the current time.
  /// - Returns: the tokens.
  /// - Throws: `signedOut` if the user is not signed in; `refused`, also for a session that has ended;
  ///   `tokenRefused` for tokens of the service that do not pass verification; `unreachable`, `responseMalformed`,
  ///   `storeUnavailable`, `cancelled`.
  public func tokens(
    of username: String? = nil, at now: Timestamp = .now
  ) async throws(UserPoolClientError) -> UserPoolTokens {
    while true {
      records.flush()
      let username = try name(username)
      let name = ExactString(username)
      let session: LiveSession
      do throws(UserPoolClientError) { session = try self.session(of: username) } catch {
        if error == .signedOut { await noteSignOut(of: username) }
        throw error
      }
      try records.report()
      if let tokens = session.tokens, now + session.margin < tokens.expiration { return tokens }
      // While tokens are valid, a failed refresh is not a failure of the caller.
      let valid = session.tokens.flatMap { now < $0.expiration ? $0 : nil }
      if session.flight == nil {
        do throws(UserPoolClientError) { try session.pause.check(at: clock()) } catch {
          guard let valid else { throw error }
          return valid
        }
      }
      let flight = session.flight ?? startRenewal(username, session.number, at: now)
      guard let result = await flight.value else { throw .cancelled }
      if sessions[name]?.number == session.number {
        if case .failure(let error) = result {
          guard let valid = sessions[name]?.tokens, now < valid.expiration else { throw error }
          return valid
        }
        try records.report()
        return try result.get()
      }
      // The user signed out, or in again, meanwhile; or the refresh ended the session.
      if sessions[name] == nil, case .failure(let error) = result, error.endsSession { throw error }
    }
  }

  /// Keeps tokens at the end of a sign-in. Their user is the current one from now on.
  ///
  /// - Parameters:
  ///   - issued: the tokens.
  ///   - deviceKey: the device that was part of the sign-in.
  ///   - typed: the name that the user typed.
  ///   - now: the current time.
  /// - Returns: the verified tokens.
  /// - Throws: `tokenRefused`, `unreachable`, `cancelled`: the session before stays. `storeUnavailable`: the user is
  ///   signed in, and the session is stored later.
  @discardableResult
  func keep(
    _ issued: IssuedTokens, deviceKey: String?, typed: String?, at now: Timestamp
  ) async throws(UserPoolClientError) -> UserPoolTokens {
    let tokens = try await verifier.verify(issued, at: now)
    let record = SessionRecord(
      username: tokens.username, subject: tokens.subject, typed: typed, deviceKey: deviceKey, tokens: issued)
    let earlier = currentUser
    _ = put(record, tokens: tokens, margin: refreshMargin(of: tokens, at: now))
    records.flush()
    save(record)
    if let typed { shareDevice(deviceKey, from: typed, with: tokens.username) }
    rename { names in
      names.current = tokens.username
      names.last = typed ?? tokens.username
      names.lastUser = names.last == tokens.username ? nil : tokens.username
    }
    try await tellProviders(after: earlier)
    try records.report()
    return tokens
  }
}
