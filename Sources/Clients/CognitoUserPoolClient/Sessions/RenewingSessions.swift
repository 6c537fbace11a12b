internal import ServiceOperations
internal import TokenLifetime
internal import TokenSecurityBase

// The refresh that all callers share.
extension UserPoolSessions {
  /// Starts the refresh of a session.
  func startRenewal(
    _ username: String, _ number: Int, at now: Timestamp
  ) -> SingleFlight<Result<UserPoolTokens, UserPoolClientError>> {
    let flight = SingleFlight { await self.renew(username, number, at: now) }
    sessions[ExactString(username)]?.flight = flight
    return flight
  }

  private func renew(
    _ username: String, _ number: Int, at now: Timestamp
  ) async -> Result<UserPoolTokens, UserPoolClientError> {
    var result = await renewal(username, number, at: now, isReplaced: adoptStored(username, number))
    // Another program that shares the store can have replaced the refresh token during the call.
    if case .failure(let error) = result, error.endsSession,
      await adoptReplaced(username, number, after: error)
    {
      result = await renewal(username, number, at: now, isReplaced: true)
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
      let earlier = currentUser
      drop(username)
      // The callers get the session's end. A provider tries its store again itself.
      try? await tellProviders(after: earlier)
    }
    return result
  }

  private func renewal(
    _ username: String, _ number: Int, at now: Timestamp, isReplaced: Bool
  ) async -> Result<UserPoolTokens, UserPoolClientError> {
    do throws(UserPoolClientError) {
      return .success(try await renewed(username, number, at: now, isReplaced: isReplaced))
    } catch { return .failure(error) }
  }

  /// Verifies tokens from the store, and refreshes them if they are not good for long.
  private func renewed(
    _ username: String, _ number: Int, at now: Timestamp, isReplaced: Bool
  ) async throws(UserPoolClientError) -> UserPoolTokens {
    let name = ExactString(username)
    guard let session = sessions[name], session.number == number, !isDeleted(session) else {
      throw .signedOut
    }
    let hasRefreshToken = session.record.tokens.refreshToken != nil
    if let tokens = session.tokens, !isReplaced, !hasRefreshToken, now < tokens.expiration { return tokens }
    if isReplaced || session.tokens == nil, let tokens = try await stored(session.record, at: now) {
      // Without a refresh token there will be no better ones.
      if now + margin < tokens.expiration || !hasRefreshToken { return tokens }
      if sessions[name]?.number == number { sessions[name]?.tokens = tokens }
    }
    let issued = try await refreshed(session.record)
    // The user can have signed out during the call, here or in another program.
    guard sessions[name]?.number == number, !isDeleted(session) else {
      discard(issued, after: session.record)
      throw .signedOut
    }
    var record = session.record
    record.tokens = issued
    // The service has replaced the refresh token: it is stored before the keys are fetched, which can fail.
    save(record)
    let tokens = try await verifier.verify(issued, at: now)
    guard tokens.username == record.username, tokens.subject == record.subject else {
      if sessions[name]?.number == number { save(session.record) }
      throw .tokenRefused("the refreshed tokens are of another user")
    }
    if sessions[name]?.number == number { sessions[name]?.margin = refreshMargin(of: tokens, at: now) }
    return tokens
  }

  /// Replaces a session's record, and stores the new one.
  func save(_ record: SessionRecord) {
    let name = ExactString(record.username)
    sessions[name]?.record = record
    let isStored = records.set(record.stored, for: .session(username: record.username))
    sessions[name]?.isStored = isStored
  }

  /// True if another program that shares the store has deleted the session: the user has signed out there. Stored
  /// again, it would come back at the next start.
  private func isDeleted(_ session: LiveSession) -> Bool {
    guard session.isStored else { return false }
    do throws(UserPoolClientError) {
      return try records.value(.session(username: session.record.username)) == nil
    } catch { return false }
  }

  /// Takes over the tokens that another program has got for the refused refresh token. Where the service says that the
  /// token was used before, that program's response can still be under way: two seconds at most.
  private func adoptReplaced(
    _ username: String, _ number: Int, after error: UserPoolClientError
  ) async -> Bool {
    if adoptStored(username, number) { return true }
    guard error.isRefusal("RefreshTokenReuseException") else { return false }
    for _ in 0..<20 {
      try? await timers.sleep(for: .milliseconds(100))
      guard sessions[ExactString(username)]?.number == number else { return false }
      if adoptStored(username, number) { return true }
    }
    return false
  }

  /// Takes over the session that another program has stored for the same user.
  ///
  /// - Returns: true if there is one, with other tokens.
  private func adoptStored(_ username: String, _ number: Int) -> Bool {
    let name = ExactString(username)
    guard let session = sessions[name], session.number == number,
      let stored = try? records.value(.session(username: username)),
      let record = SessionRecord(stored), record.username == username,
      record.subject == session.record.subject,
      record.tokens.accessToken != session.record.tokens.accessToken
        || !record.tokens.hasRefreshToken(of: session.record.tokens)
    else { return false }
    sessions[name]?.record = record
    return true
  }

  /// How long before they expire new tokens are refreshed: at most half of the time that they have left. Where the
  /// clock is ahead they have less left than the margin, and each call would refresh them again.
  func refreshMargin(of tokens: UserPoolTokens, at now: Timestamp) -> Duration {
    let left = tokens.expiration - now
    return left - margin >= margin ? margin : max(.zero, left / 2)
  }

  /// Revokes the refresh token of tokens that came after the user signed out, or in again: the session has the earlier
  /// one.
  private func discard(_ issued: IssuedTokens, after record: SessionRecord) {
    guard let secret = issued.refreshToken, !issued.hasRefreshToken(of: record.tokens) else { return }
    startRevocation(secret)
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
