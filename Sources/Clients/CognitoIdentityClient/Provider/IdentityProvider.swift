public import SigV4
internal import TokenSecurityBase

/// An identity of a pool and its AWS credentials on a device, cached and refreshed.
///
///     let provider = try IdentityProvider(
///       poolID: "eu-west-1:…", calls: calls, logins: session, developer: MyService())
///     let credentials = try await provider.credentials()      // cached until shortly before they expire
///     let signer = try Signer(service: "execute-api", region: "eu-west-1")
///     let signed = try signer.sign(head, body: .bytes(body), with: credentials)
///
/// - Concurrent callers share one call to the service, so that no unused identity is created.
/// - Credentials are refreshed some minutes before they expire. The logins are read only then.
/// - If the developer provider is among the logins, its `refresh` returns identity and token; otherwise the
///   pool does.
/// - ``clearCredentials()`` drops the credentials: after a sign-in, the next call uses the new logins.
/// - ``clearIdentity()`` also drops the identity: for another user.
/// - If a change of logins changes the identity, the old credentials are dropped and ``changes()`` reports
///   it.
/// - If the service refuses the cached identity, it is dropped and the call is repeated, once.
/// - If a guest signs in as a developer's user who has another identity, the provider goes on with that one. Before, it calls
///   `shouldReplaceGuest`, which can merge the guest's data or keep the guest's identity.
/// - An identity that could not be stored is stored at the next call; until then calls throw
///   `stateUnavailable`.
/// - After two failures in a row the provider pauses for one second, doubled by each further failure up to a
///   minute. During a pause, calls throw the last failure.
public actor IdentityProvider: CredentialsSource {
  /// How credentials are requested.
  public enum Flow: Sendable, Hashable {
    /// From the pool (`GetCredentialsForIdentity`), with `customRole` if it is one of the login's roles.
    case enhanced(customRole: String? = nil)
    /// From STS (`AssumeRoleWithWebIdentity`), with a role for signed-in users and one for guests.
    case basic(authenticated: RoleRequest, unauthenticated: RoleRequest? = nil)
  }

  /// The pool.
  public nonisolated let poolID: String
  /// The account that the pool must belong to; nil for any.
  public nonisolated let accountID: String?
  /// How long before they expire credentials are refreshed.
  public nonisolated let margin: Duration

  let calls: IdentityCalls
  let source: any LoginsSource
  let developer: (any DeveloperProvider)?
  let flow: Flow
  let clock: @Sendable () -> Duration
  let shouldReplaceGuest: @Sendable (IdentityChange) async -> Bool
  private let store: (any IdentityStateStore)?

  var state = IdentityState()
  private var watchers: [Int: AsyncStream<IdentityChange>.Continuation] = [:]
  private var watcherCount = 0

  /// Creates a provider for a pool.
  ///
  /// - Parameters:
  ///   - poolID: the pool, in the endpoint's region.
  ///   - accountID: the AWS account that the pool must belong to, 1 to 15 digits. Default: any.
  ///   - calls: the calls to the service.
  ///   - logins: the source of logins. Default: none, for guests.
  ///   - developer: calls the application's own service. Default: none.
  ///   - flow: how credentials are requested. Default: enhanced.
  ///   - store: where the identity is stored between starts. Default: nowhere.
  ///   - margin: how long before they expire credentials are refreshed. Default: 500 seconds.
  ///   - shouldReplaceGuest: called when the developer's user turns out to have another identity than the cached one, with
  ///     both: where to merge a guest's data first. False keeps the guest's identity, and the call for credentials throws
  ///     `identityKept`; the next one asks again. It must not request credentials of this provider, which wait for it
  ///     (`configurationInvalid`): ``IdentityCalls/credentials(for:logins:customRole:)`` gives those of the guest. Default: true.
  /// - Throws: `configurationInvalid`, `stateUnavailable`.
  public init(
    poolID: String, accountID: String? = nil, calls: IdentityCalls,
    logins: any LoginsSource = StaticLogins([:]), developer: (any DeveloperProvider)? = nil,
    flow: Flow = .enhanced(),
    store: (any IdentityStateStore)? = nil,
    margin: Duration = .seconds(500),
    shouldReplaceGuest: @escaping @Sendable (_ change: IdentityChange) async -> Bool = { _ in true }
  ) throws(IdentityClientError) {
    let start = ContinuousClock.now
    try self.init(
      poolID: poolID, accountID: accountID, calls: calls, logins: logins, developer: developer, flow: flow,
      store: store, margin: margin, shouldReplaceGuest: shouldReplaceGuest,
      clock: { ContinuousClock.now - start })
  }

  /// Same with another monotonic clock, for tests.
  package init(
    poolID: String, accountID: String? = nil, calls: IdentityCalls, logins: any LoginsSource,
    developer: (any DeveloperProvider)?, flow: Flow, store: (any IdentityStateStore)?, margin: Duration,
    shouldReplaceGuest: @escaping @Sendable (_ change: IdentityChange) async -> Bool = { _ in true },
    clock: @escaping @Sendable () -> Duration
  ) throws(IdentityClientError) {
    guard RequestIDs.isPoolID(poolID, region: calls.endpoint.region) else {
      throw .configurationInvalid(
        rule: "the pool \(poolID.quoted) is not in the region \(calls.endpoint.region.quoted)")
    }
    guard accountID.map(RequestIDs.isAccount) != false else {
      throw .configurationInvalid(rule: "the account \((accountID ?? "").quoted) is not 1 to 15 digits")
    }
    guard margin >= .zero else { throw .configurationInvalid(rule: "the margin is negative") }
    self.poolID = poolID
    self.accountID = accountID
    self.calls = calls
    source = logins
    self.developer = developer
    self.flow = flow
    self.store = store
    self.margin = margin
    self.clock = clock
    self.shouldReplaceGuest = shouldReplaceGuest
    // A stored identity of another pool, or with a malformed id, is ignored.
    if let known = try store?.load(), known.poolID == poolID, RequestIDs.isIdentity(known.identityID) {
      state.identity = known.identityID
    }
  }

  /// The identity cached on this device, if any. Makes no call.
  public var cachedIdentityID: String? { state.identity }

  /// The cached credentials, or new ones from the service.
  ///
  /// - Parameter now: the current time.
  /// - Returns: credentials that are valid for at least the margin.
  /// - Throws: `serviceRefused`, `unusable`, `serviceUnreachable`, `serviceResponse`.
  public func credentials(at now: Timestamp = .now) async throws(CredentialsError) -> Credentials {
    do throws(IdentityClientError) {
      return try await poolCredentials(at: now)
    } catch {
      switch error {
      case .refused(let type, _): throw .serviceRefused(status: 400, code: type)
      case .credentialsUnusable(let error): throw .unusable(error)
      case .unreachable(let reason): throw .serviceUnreachable(reason)
      case .responseMalformed(let rule): throw .serviceResponse(rule)
      default: throw .serviceResponse("\(error)")
      }
    }
  }

  /// Drops the credentials and keeps the identity. The next call reads the logins again.
  public func clearCredentials() { state.dropCredentials() }

  /// Drops the credentials and the identity, also from the store: for another user.
  ///
  /// - Throws: `stateUnavailable` if the stored identity cannot be removed. All calls throw it until it is
  ///   removed.
  public func clearIdentity() throws(IdentityClientError) {
    let old = state.identity
    state.dropIdentity()
    if let old { announce(IdentityChange(old: old, new: nil)) }
    try storeIdentity()
  }

  /// Caches an identity. If it is another one, drops the credentials and reports the change.
  func adopt(_ found: String) {
    guard found != state.identity else { return }
    let old = state.identity
    state.identity = found
    state.isStored = false
    state.current = nil
    announce(IdentityChange(old: old, new: found))
  }

  /// Saves the identity, or removes the stored one, unless the store is up to date.
  func storeIdentity() throws(IdentityClientError) {
    guard !state.isStored else { return }
    try store?.save(state.identity.map { StoredIdentity(poolID: poolID, identityID: $0) })
    state.isStored = true
  }

  /// Every change of the identity from now on.
  ///
  /// - Returns: the changes. A slow reader gets the last 100.
  public func changes() -> AsyncStream<IdentityChange> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: IdentityChange.self, bufferingPolicy: .bufferingNewest(100))
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
}
