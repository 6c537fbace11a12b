internal import TokenLifetime
internal import TokenSecurityBase

/// A provider's cached identity and credentials, and its calls in progress.
struct IdentityState {
  /// A call in progress. Its result counts only while the generation is unchanged.
  struct Flight<Value: Sendable> {
    let generation: Int
    /// The credentials' generation at the start. After the credentials are dropped, the call's logins are
    /// outdated.
    let credentials: Int
    let call: SingleFlight<Result<Value, IdentityClientError>>

    /// Waits for the call. Throws `unreachable` when the caller's task is cancelled; the call goes on for
    /// others.
    func result() async throws(IdentityClientError) -> Result<Value, IdentityClientError> {
      guard let result = await call.value else { throw .unreachable("the call was cancelled") }
      return result
    }
  }

  var identity: String?
  /// False until `identity` is saved in the store.
  var isStored = true
  var current: Credentials?
  /// A developer's token that came with the identity, kept for the next call for credentials.
  var found: FoundIdentity?
  /// The call for the identity, shared by both public methods. Bound to the identity's generation.
  var search: Flight<FoundIdentity>?
  /// The call for credentials. Bound to the credentials' generation.
  var attempt: Flight<Credentials>?
  /// True while an identity that the service refused is being replaced.
  var isBeingReplaced = false
  /// Decisions about a guest's identity in progress.
  var decisions = 0
  var pause = RetryPause<IdentityClientError>()

  /// The number of times credentials were dropped.
  private(set) var credentialsGeneration = 0
  /// The number of times the identity was dropped.
  private(set) var identityGeneration = 0

  /// Drops the credentials. A call for the identity continues: the next call for credentials uses its result.
  mutating func dropCredentials() {
    credentialsGeneration += 1
    current = nil
    found = nil
    attempt = nil
    isBeingReplaced = false
    pause = RetryPause()
  }

  mutating func dropIdentity() {
    dropCredentials()
    identityGeneration += 1
    identity = nil
    isStored = false
    search = nil
  }
}

/// At most one call to the service at a time, shared by all callers.
extension IdentityProvider {
  /// The cached identity, or a new one from the service.
  ///
  /// - Returns: the identity that credentials are issued for.
  /// - Throws: ``IdentityClientError``.
  public func identityID() async throws(IdentityClientError) -> String {
    while true {
      try storeIdentity()
      if let attempt = state.attempt, state.identity == nil || state.isBeingReplaced {
        try checkNotDeciding()
        // The call for credentials requests the identity.
        let result = try await attempt.result()
        guard attempt.generation == state.credentialsGeneration else { continue }
        if state.identity == nil { _ = try result.get() }
        continue
      }
      if let identity = state.identity { return identity }
      try state.pause.check(at: clock())
      let search = state.search ?? startSearch(countsFailure: true)
      let result = try await search.result()
      if search.generation == state.identityGeneration { _ = try result.get() }
    }
  }

  /// Same as ``credentials(at:)``, with this module's own errors.
  ///
  /// - Parameter now: the current time.
  /// - Returns: credentials that are valid for at least the margin.
  /// - Throws: ``IdentityClientError``.
  public func poolCredentials(at now: Timestamp = .now) async throws(IdentityClientError) -> Credentials {
    try checkNotDeciding()
    while true {
      try storeIdentity()
      if let current = state.current, let end = current.expiration, now + margin < end {
        return current
      }
      if state.attempt == nil { try state.pause.check(at: clock()) }
      let attempt = state.attempt ?? startAttempt()
      let result = try await attempt.result()
      // The credentials were dropped during the call: start again.
      guard attempt.generation == state.credentialsGeneration else { continue }
      let credentials = try result.get()
      try storeIdentity()
      return credentials
    }
  }

  private func startSearch(countsFailure: Bool) -> IdentityState.Flight<FoundIdentity> {
    let generation = state.identityGeneration
    let credentials = state.credentialsGeneration
    let call = SingleFlight {
      await self.search(generation, credentials, countsFailure: countsFailure)
    }
    let flight = IdentityState.Flight(generation: generation, credentials: credentials, call: call)
    state.search = flight
    return flight
  }

  private func search(
    _ generation: Int, _ credentials: Int, countsFailure: Bool
  ) async -> Result<FoundIdentity, IdentityClientError> {
    let result: Result<FoundIdentity, IdentityClientError>
    do throws(IdentityClientError) { result = .success(try await find()) } catch { result = .failure(error) }
    guard generation == state.identityGeneration else { return result }
    state.search = nil
    switch result {
    case .success(let found):
      adopt(found.identityID)
      if countsFailure { state.pause = RetryPause() }
      if found.token != nil, credentials == state.credentialsGeneration { state.found = found }
    case .failure(let error):
      // A call for credentials that waits for this one counts the failure itself.
      if countsFailure, state.attempt == nil, error.isOfService { state.pause.note(error, at: clock()) }
    }
    return result
  }

  private func startAttempt() -> IdentityState.Flight<Credentials> {
    let generation = state.credentialsGeneration
    let call = SingleFlight { await self.attempt(generation) }
    let flight = IdentityState.Flight(generation: generation, credentials: generation, call: call)
    state.attempt = flight
    return flight
  }

  private func attempt(_ generation: Int) async -> Result<Credentials, IdentityClientError> {
    let result: Result<IdentityCalls.IdentityCredentials, IdentityClientError>
    do throws(IdentityClientError) {
      result = .success(try await request(generation))
    } catch {
      result = .failure(error)
    }
    // A response for dropped credentials is discarded.
    if generation == state.credentialsGeneration { end(result) }
    return result.map(\.credentials)
  }

  private func end(_ result: Result<IdentityCalls.IdentityCredentials, IdentityClientError>) {
    state.attempt = nil
    state.isBeingReplaced = false
    switch result {
    case .success(let found):
      adopt(found.identityID)
      state.current = found.credentials
      state.pause = RetryPause()
    case .failure(let error): if error.isOfService { state.pause.note(error, at: clock()) }
    }
  }

  /// Requests credentials for the cached identity. If the service refuses that identity, requests a new one,
  /// once.
  private func request(_ generation: Int) async throws(IdentityClientError)
    -> IdentityCalls.IdentityCredentials
  {
    guard let known = state.identity else { return try await requestAnew(generation) }
    // A failure of the source is not the identity's, whatever it is.
    let logins = try await source.logins()
    try check(generation)
    do throws(IdentityClientError) {
      if let found = state.found, found.logins.hasSameLogins(as: logins), found.identityID == known {
        // The token that came with the identity may have expired.
        state.found = nil
        do throws(IdentityClientError) { return try await fetch(found) } catch {
          guard error.isOfIdentity else { throw error }
          try check(generation)
        }
      }
      return try await fetch(FoundIdentity(identityID: known, logins: logins, token: nil))
    } catch {
      guard error.isOfIdentity, generation == state.credentialsGeneration else { throw error }
      state.isBeingReplaced = true
      return try await requestAnew(generation)
    }
  }

  /// Requests an identity, and credentials for it.
  private func requestAnew(_ generation: Int) async throws(IdentityClientError)
    -> IdentityCalls.IdentityCredentials
  {
    if let search = state.search, search.credentials != generation {
      // The call started before the credentials were dropped: use its identity, but not its logins or its
      // failure.
      let result = try await search.result()
      try check(generation)
      if let credentials = try await fetch(result, generation) { return credentials }
    }
    let search = state.search ?? startSearch(countsFailure: false)
    let found = try await search.result().get()
    try check(generation)
    state.found = nil
    return try await fetch(found)
  }

  /// Requests credentials for an identity from an earlier call, with the current logins. Returns nil if that
  /// call failed, or if the service refuses the identity.
  private func fetch(
    _ earlier: Result<FoundIdentity, IdentityClientError>, _ generation: Int
  ) async throws(IdentityClientError) -> IdentityCalls.IdentityCredentials? {
    guard case .success(let found) = earlier else { return nil }
    let logins = try await source.logins()
    try check(generation)
    do throws(IdentityClientError) {
      return try await fetch(FoundIdentity(identityID: found.identityID, logins: logins, token: nil))
    } catch {
      guard error.isOfIdentity else { throw error }
      try check(generation)
      state.isBeingReplaced = true
      return nil
    }
  }

  /// Ends a call whose credentials were dropped; its callers start again.
  private func check(_ generation: Int) throws(IdentityClientError) {
    guard generation == state.credentialsGeneration else {
      throw .unreachable("the credentials were dropped during the call")
    }
  }
}
