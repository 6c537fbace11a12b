internal import Encodings

/// An identity and its credentials on a device, as Cognito's credentials providers have them.
///
///     let provider = try IdentityProvider(
///       poolID: "eu-west-1:…", calls: calls, logins: session, developer: MyService())
///     let credentials = try await provider.credentials()      // cached until shortly before they end
///     let signed = try Signer(service: "execute-api", region: "eu-west-1").sign(&request, with: credentials)
///
/// - Credentials are asked for again some minutes before they end, once, however many wait for them.
/// - The logins are asked for only when there are no credentials, or when they have come to their margin.
/// - Where the developer provider is among the logins, its `refresh` brings identity and token; otherwise the pool is asked.
/// - ``clearCredentials()`` drops the credentials: a guest who has signed in becomes a signed-in user at the next call.
/// - ``clearKeychain()`` drops the identity as well: another user.
/// - A change of logins can change the identity; the credentials of the one before are dropped, and ``changes()`` tells.
/// - An identity that the service no longer knows, or gives to nobody, is dropped, and the call made once more, once.
public actor IdentityProvider: CredentialsSource {
  /// How credentials are had.
  public enum Flow: Sendable, Hashable {
    /// From the pool itself (`GetCredentialsForIdentity`), with one of the login's roles where one is named.
    case enhanced(customRole: String? = nil)
    /// From STS (`AssumeRoleWithWebIdentity`): a role for those who have signed in, and one for guests.
    case basic(authenticated: RoleRequest, unauthenticated: RoleRequest? = nil)
  }

  /// The pool.
  public nonisolated let poolID: String
  /// How many seconds before their end credentials are asked for again; 500 unless said otherwise, as one platform has it.
  public nonisolated let margin: Int64

  let calls: IdentityCalls
  let source: any LoginsSource
  let developer: (any DeveloperProvider)?
  let flow: Flow
  private let store: (any IdentityStateStore)?

  private var identity: String?
  private var current: Credentials?
  private var attempt: Attempt?
  /// Counts what was dropped: an answer to a question from before it is of no use.
  private var generation = 0
  private var watchers: [Int: AsyncStream<IdentityChange>.Continuation] = [:]
  private var watcherCount = 0

  private struct Attempt {
    let generation: Int
    let task: Task<Result<Credentials, ClientFault>, Never>
  }

  /// A provider for a pool.
  ///
  /// - Parameters:
  ///   - poolID: the pool, whose region must be the endpoint's.
  ///   - calls: the calls to the service.
  ///   - logins: which logins there are; none, for guests, unless said otherwise.
  ///   - developer: the application's own way to its service.
  ///   - flow: how credentials are had; enhanced unless said otherwise.
  ///   - store: where the identity is remembered between starts.
  ///   - margin: in seconds.
  /// - Throws: `configurationInvalid`, `stateUnavailable`.
  public init(
    poolID: String, calls: IdentityCalls, logins: any LoginsSource = StaticLogins([:]),
    developer: (any DeveloperProvider)? = nil, flow: Flow = .enhanced(),
    store: (any IdentityStateStore)? = nil,
    margin: Int64 = 500
  ) throws(ClientFault) {
    guard poolID.hasPrefix(calls.endpoint.region + ":") else {
      throw .configurationInvalid(
        rule: "the pool \(poolID.quoted) is not of the region \(calls.endpoint.region.quoted)")
    }
    guard margin >= 0 else { throw .configurationInvalid(rule: "the margin is below 0 s") }
    self.poolID = poolID
    self.calls = calls
    source = logins
    self.developer = developer
    self.flow = flow
    self.store = store
    self.margin = margin
    // What was remembered of another pool is of no use.
    if let known = try store?.load(), known.poolID == poolID { identity = known.identityID }
  }

  /// The identity that is known on this device; nothing is asked for it.
  public var identityID: String? { identity }

  /// The identity, asked for where none is known.
  public func getIdentityID() async throws(ClientFault) -> String {
    if let identity { return identity }
    let generation = generation
    let logins = try await source.logins()
    let found: String
    if let developer, logins[developer.name] != nil {
      found = try await developer.refresh(identityID: nil, logins: logins).identityID
    } else {
      found = try await calls.getID(poolID: poolID, logins: logins)
    }
    // Somebody else may have been quicker, or all was dropped in the meantime.
    if let identity { return identity }
    guard generation == self.generation else { return try await getIdentityID() }
    try adopt(found)
    return found
  }

  /// Credentials that hold for the margin at least.
  public func credentials(at now: AmzDate = .now) async throws(CredentialsFault) -> Credentials {
    do throws(ClientFault) {
      return try await getCredentials(at: now)
    } catch {
      switch error {
      case .refused(let type, _): throw .serviceRefused(status: 400, code: type)
      case .credentialsUnusable(let fault): throw .unusable(fault)
      case .unreachable(let reason): throw .serviceUnreachable(reason)
      default: throw .serviceAnswer("\(error)")
      }
    }
  }

  /// The same, with the fault as it was.
  public func getCredentials(at now: AmzDate = .now) async throws(ClientFault) -> Credentials {
    while true {
      if let current, let end = current.expiration, now.advanced(bySeconds: margin) < end { return current }
      let attempt = attempt ?? start(now)
      let result = await attempt.task.value
      // Those who waited for what was dropped in the meantime ask again.
      if attempt.generation == generation { return try result.get() }
    }
  }

  /// Drops the credentials. The identity stays; the next call asks for the logins.
  public func clearCredentials() {
    generation += 1
    current = nil
    attempt = nil
  }

  /// Drops the credentials and the identity, here and where it is remembered: for another user.
  public func clearKeychain() throws(ClientFault) {
    clearCredentials()
    let old = identity
    identity = nil
    try store?.save(nil)
    if old != nil { announce(IdentityChange(old: old, new: nil)) }
  }

  /// Tells of every change of the identity from now on.
  public func changes() -> AsyncStream<IdentityChange> {
    let (stream, continuation) = AsyncStream.makeStream(of: IdentityChange.self)
    let number = watcherCount
    watcherCount += 1
    watchers[number] = continuation
    continuation.onTermination = { [weak self] _ in
      Task { await self?.forget(number) }
    }
    return stream
  }

  private func forget(_ number: Int) { watchers[number] = nil }

  private func announce(_ change: IdentityChange) { for watcher in watchers.values { watcher.yield(change) } }

  private func start(_ now: AmzDate) -> Attempt {
    let generation = generation
    let task = Task { () -> Result<Credentials, ClientFault> in
      let result: Result<Credentials, ClientFault>
      do throws(ClientFault) {
        result = .success(try await self.refresh(generation))
      } catch {
        result = .failure(error)
      }
      self.end(generation, result)
      return result
    }
    let made = Attempt(generation: generation, task: task)
    attempt = made
    return made
  }

  private func end(_ generation: Int, _ result: Result<Credentials, ClientFault>) {
    guard generation == self.generation else { return }
    attempt = nil
    if case .success(let credentials) = result { current = credentials }
  }

  /// Asks for everything anew; once more where the identity that is remembered is of no use.
  private func refresh(_ generation: Int) async throws(ClientFault) -> Credentials {
    let known = identity
    do throws(ClientFault) {
      return try await ask(known, generation)
    } catch {
      guard error.isOfIdentity, known != nil, generation == self.generation else { throw error }
      return try await ask(nil, generation)
    }
  }

  private func ask(_ known: String?, _ generation: Int) async throws(ClientFault) -> Credentials {
    let logins = try await source.logins()
    let found = try await fetch(known, logins)
    // What came for somebody who is no longer here is not taken over.
    guard generation == self.generation else { return found.credentials }
    try adopt(found.identityID)
    return found.credentials
  }

  private func adopt(_ found: String) throws(ClientFault) {
    guard found != identity else { return }
    let old = identity
    identity = found
    current = nil
    try store?.save(StoredIdentity(poolID: poolID, identityID: found))
    announce(IdentityChange(old: old, new: found))
  }
}
