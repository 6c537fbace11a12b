internal import ServiceOperations
public import TokenLifetime
internal import TokenSecurityEncodings

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
      let session = try session(of: username)
      try records.report()
      if let tokens = session.tokens, now + margin < tokens.expiration { return tokens }
      // While tokens are valid, a failed refresh is no failure of the caller.
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
    _ = put(record, tokens: tokens)
    records.flush()
    records.set(record.stored, for: .session(username: tokens.username))
    if let typed { shareDevice(deviceKey, from: typed, with: tokens.username) }
    let earlier = currentUsername
    rename { names in
      names.current = tokens.username
      names.last = typed ?? tokens.username
    }
    try await tellProviders(of: tokens.username, after: earlier)
    try records.report()
    return tokens
  }

  private func startRenewal(
    _ username: String, _ number: Int, at now: Timestamp
  ) -> SingleFlight<Result<UserPoolTokens, UserPoolClientError>> {
    let flight = SingleFlight { await self.renew(username, number, at: now) }
    sessions[ExactString(username)]?.flight = flight
    return flight
  }

  private func renew(
    _ username: String, _ number: Int, at now: Timestamp
  ) async -> Result<UserPoolTokens, UserPoolClientError> {
    let result: Result<UserPoolTokens, UserPoolClientError>
    do throws(UserPoolClientError) {
      result = .success(try await renewed(username, number, at: now))
    } catch {
      result = .failure(error)
    }
    let name = ExactString(username)
    guard sessions[name]?.number == number else { return result }
    sessions[name]?.flight = nil
    switch result {
    case .success(let tokens):
      sessions[name]?.tokens = tokens
      sessions[name]?.pause = RetryPause()
    case .failure(let error):
      guard error.endsSession else {
        sessions[name]?.pause.note(error, at: clock())
        break
      }
      let earlier = currentUsername
      drop(username)
      // The session's end is what the callers are told. A provider stores its change itself.
      try? await tellProviders(of: currentUsername, after: earlier)
    }
    return result
  }

  /// Verifies tokens from the store, and refreshes them if they are not good for long.
  private func renewed(
    _ username: String, _ number: Int, at now: Timestamp
  ) async throws(UserPoolClientError) -> UserPoolTokens {
    let name = ExactString(username)
    guard let session = sessions[name], session.number == number else { throw .signedOut }
    if let tokens = session.tokens, session.record.tokens.refreshToken == nil, now < tokens.expiration {
      return tokens
    }
    if session.tokens == nil, let tokens = try await stored(session.record, at: now) {
      // Without a refresh token there will be no better ones.
      if now + margin < tokens.expiration || session.record.tokens.refreshToken == nil { return tokens }
      if sessions[name]?.number == number { sessions[name]?.tokens = tokens }
    }
    let issued = try await refreshed(session.record)
    guard sessions[name]?.number == number else { throw .signedOut }
    var record = session.record
    record.tokens = issued
    // The service has replaced the refresh token: it is stored before the keys are fetched, which can fail.
    save(record)
    let tokens = try await verifier.verify(issued, at: now)
    guard tokens.username == record.username, tokens.subject == record.subject else {
      if sessions[name]?.number == number { save(session.record) }
      throw .tokenRefused("the refreshed tokens are of another user")
    }
    return tokens
  }

  private func save(_ record: SessionRecord) {
    sessions[ExactString(record.username)]?.record = record
    records.set(record.stored, for: .session(username: record.username))
  }

  /// The verified tokens of a record; nil if they are not valid any more, or not the user's.
  private func stored(
    _ record: SessionRecord, at now: Timestamp
  ) async throws(UserPoolClientError) -> UserPoolTokens? {
    do throws(UserPoolClientError) {
      let tokens = try await verifier.verify(record.tokens, at: now)
      guard tokens.username == record.username, tokens.subject == record.subject else { return nil }
      // Verification allows for clocks that differ.
      return now < tokens.expiration ? tokens : nil
    } catch {
      // The refresh token decides: these may have expired, and the pool may have other keys.
      guard case .tokenRefused = error else { throw error }
      return nil
    }
  }
}
