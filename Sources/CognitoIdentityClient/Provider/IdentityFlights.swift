internal import TokenSecurityEncodings

/// What a provider knows, and what it is asking for.
struct IdentityState {
  /// A question that is under way, and what has to be unchanged for its answer to count.
  struct Flight<Value: Sendable> {
    let generation: Int
    /// The credentials' generation at its start: after a drop, the logins that it has asked for are those before.
    let credentials: Int
    let task: Task<Result<Value, IdentityClientError>, Never>
  }

  var identity: String?
  /// False where the store does not have `identity` yet.
  var isKept = true
  var current: Credentials?
  /// The developer's token of a call that asked for the identity alone, for the call for credentials that follows.
  var found: FoundIdentity?
  /// The call for the identity, which both public calls share. It ends with the identity's generation.
  var search: Flight<FoundIdentity>?
  /// The call for credentials. It ends with the credentials' generation.
  var attempt: Flight<Credentials>?
  /// True while an identity that the service has refused is being replaced.
  var isDoubted = false
  var pause = RetryPause()

  /// Counts dropped credentials.
  private(set) var credentialsGeneration = 0
  /// Counts dropped identities.
  private(set) var identityGeneration = 0

  /// A search that is under way goes on: the identity is the same for the next call.
  mutating func dropCredentials() {
    credentialsGeneration += 1
    current = nil
    found = nil
    attempt = nil
    isDoubted = false
    pause = RetryPause()
  }

  mutating func dropIdentity() {
    dropCredentials()
    identityGeneration += 1
    identity = nil
    isKept = false
    search = nil
  }
}

/// One call to the service, however many wait for it.
extension IdentityProvider {
  /// The identity, asked for where none is known. It is the one that credentials are for.
  ///
  /// - Throws: ``IdentityClientError``.
  public func getIdentityID() async throws(IdentityClientError) -> String {
    while true {
      try keep()
      if let attempt = state.attempt, state.identity == nil || state.isDoubted {
        // The call for credentials is finding the identity.
        let result = await attempt.task.value
        guard attempt.generation == state.credentialsGeneration else { continue }
        if state.identity == nil { _ = try result.get() }
        continue
      }
      if let identity = state.identity { return identity }
      try state.pause.check(at: clock())
      let search = state.search ?? startSearch(countsFailure: true)
      let result = await search.task.value
      if search.generation == state.identityGeneration { _ = try result.get() }
    }
  }

  /// The same as ``credentials(at:)``, with the fault as it was.
  ///
  /// - Throws: ``IdentityClientError``.
  public func getCredentials(at now: Timestamp = .now) async throws(IdentityClientError) -> Credentials {
    while true {
      try keep()
      if let current = state.current, let end = current.expiration, now + margin < end {
        return current
      }
      let attempt: IdentityState.Flight<Credentials>
      if let running = state.attempt {
        attempt = running
      } else {
        try state.pause.check(at: clock())
        attempt = startAttempt()
      }
      let result = await attempt.task.value
      // Those who waited for what was dropped in the meantime ask again.
      guard attempt.generation == state.credentialsGeneration else { continue }
      let credentials = try result.get()
      try keep()
      return credentials
    }
  }

  private func startSearch(countsFailure: Bool) -> IdentityState.Flight<FoundIdentity> {
    let generation = state.identityGeneration
    let credentials = state.credentialsGeneration
    let task = Task { () -> Result<FoundIdentity, IdentityClientError> in
      let result: Result<FoundIdentity, IdentityClientError>
      do throws(IdentityClientError) {
        result = .success(try await self.find())
      } catch {
        result = .failure(error)
      }
      guard generation == self.state.identityGeneration else { return result }
      self.state.search = nil
      switch result {
      case .success(let found):
        self.adopt(found.identityID)
        if countsFailure { self.state.pause = RetryPause() }
        if found.token != nil, credentials == self.state.credentialsGeneration { self.state.found = found }
      case .failure(let fault):
        // A call for credentials that waits for this one counts the failure itself.
        if countsFailure, self.state.attempt == nil { self.state.pause.note(fault, at: self.clock()) }
      }
      return result
    }
    let flight = IdentityState.Flight(generation: generation, credentials: credentials, task: task)
    state.search = flight
    return flight
  }

  private func startAttempt() -> IdentityState.Flight<Credentials> {
    let generation = state.credentialsGeneration
    let task = Task { () -> Result<Credentials, IdentityClientError> in
      let result: Result<IdentityCalls.IdentityCredentials, IdentityClientError>
      do throws(IdentityClientError) {
        result = .success(try await self.ask(generation))
      } catch {
        result = .failure(error)
      }
      // An answer for a user who has left is not taken over.
      if generation == self.state.credentialsGeneration { self.end(result) }
      return result.map(\.credentials)
    }
    let flight = IdentityState.Flight(generation: generation, credentials: generation, task: task)
    state.attempt = flight
    return flight
  }

  private func end(_ result: Result<IdentityCalls.IdentityCredentials, IdentityClientError>) {
    state.attempt = nil
    state.isDoubted = false
    switch result {
    case .success(let found):
      adopt(found.identityID)
      state.current = found.credentials
      state.pause = RetryPause()
    case .failure(let fault): state.pause.note(fault, at: clock())
    }
  }

  /// Asks for everything; once more where the identity that is known is of no use.
  private func ask(_ generation: Int) async throws(IdentityClientError) -> IdentityCalls.IdentityCredentials {
    guard let known = state.identity else { return try await askAnew(generation) }
    do throws(IdentityClientError) {
      let logins = try await source.logins()
      try check(generation)
      if let found = state.found, found.logins.hasSameLogins(as: logins), found.identityID == known {
        // The token that came with the identity; it may have ended since.
        state.found = nil
        do throws(IdentityClientError) { return try await fetch(found) } catch {
          guard error.isOfIdentity else { throw error }
          try check(generation)
        }
      }
      return try await fetch(FoundIdentity(identityID: known, logins: logins, token: nil))
    } catch {
      guard error.isOfIdentity, generation == state.credentialsGeneration else { throw error }
      state.isDoubted = true
      return try await askAnew(generation)
    }
  }

  /// The same without an identity.
  private func askAnew(_ generation: Int) async throws(IdentityClientError)
    -> IdentityCalls.IdentityCredentials
  {
    if let search = state.search, search.credentials != generation {
      // It began before the credentials were dropped: its identity counts, its logins and its failure do not.
      let result = await search.task.value
      try check(generation)
      if let credentials = try await fetch(result, generation) { return credentials }
    }
    let search = state.search ?? startSearch(countsFailure: false)
    let found = try await search.task.value.get()
    try check(generation)
    state.found = nil
    return try await fetch(found)
  }

  /// Credentials for an identity that was found with logins of before, and the logins of now; nil where there are none.
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
      state.isDoubted = true
      return nil
    }
  }

  /// Ends a call whose answer no one will use; those who wait for it ask again.
  private func check(_ generation: Int) throws(IdentityClientError) {
    guard generation == state.credentialsGeneration else {
      throw .unreachable("the credentials were dropped while they were asked for")
    }
  }
}
