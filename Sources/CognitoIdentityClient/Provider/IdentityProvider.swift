public import AWSCredentials
internal import TokenSecurityEncodings

/// An identity and its credentials on a device, as Cognito's credentials providers have them.
///
///     let provider = try IdentityProvider(
///       poolID: "eu-west-1:…", calls: calls, logins: session, developer: MyService())
///     let credentials = try await provider.credentials()      // cached until shortly before they end
///     let signed = try Signer(service: "execute-api", region: "eu-west-1").sign(&request, with: credentials)
///
/// - Identity and credentials are asked for once, however many wait for either of them: no call makes an identity that
///   another call does not use.
/// - Credentials are asked for again some minutes before they end.
/// - The logins are asked for only when there are no credentials, or when they have come to their margin.
/// - Where the developer provider is among the logins, its `refresh` brings identity and token; otherwise the pool is asked.
/// - ``clearCredentials()`` drops the credentials: a guest who has signed in becomes a signed-in user at the next call.
/// - ``clearKeychain()`` drops the identity as well: another user.
/// - A change of logins can change the identity; the credentials of the one before are dropped, and ``changes()`` tells.
/// - An identity that the service no longer knows, or gives to nobody, is dropped, and the call made once more, once.
/// - An identity that could not be stored is stored at the next call; until then calls throw `stateUnavailable`.
/// - After two failures in a row the service is left alone for a second, then for twice as long after each further one,
///   up to a minute. Calls throw the last failure in the meantime.
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
  /// How long before their end credentials are renewed. Default: 500 seconds.
  public nonisolated let margin: Duration

  let calls: IdentityCalls
  let source: any LoginsSource
  let developer: (any DeveloperProvider)?
  let flow: Flow
  let clock: @Sendable () -> Duration
  private let store: (any IdentityStateStore)?

  var state = IdentityState()
  private var watchers: [Int: AsyncStream<IdentityChange>.Continuation] = [:]
  private var watcherCount = 0

  /// A provider for a pool.
  ///
  /// - Parameters:
  ///   - poolID: the pool, whose region must be the endpoint's.
  ///   - calls: the calls to the service.
  ///   - logins: which logins there are; by default none, for guests.
  ///   - developer: the application's own way to its service.
  ///   - flow: how credentials are had; by default enhanced.
  ///   - store: where the identity is remembered between starts.
  ///   - margin: how long before their end credentials are renewed.
  /// - Throws: `configurationInvalid`, `stateUnavailable`.
  public init(
    poolID: String, calls: IdentityCalls, logins: any LoginsSource = StaticLogins([:]),
    developer: (any DeveloperProvider)? = nil, flow: Flow = .enhanced(),
    store: (any IdentityStateStore)? = nil,
    margin: Duration = .seconds(500)
  ) throws(IdentityClientError) {
    let start = ContinuousClock.now
    try self.init(
      poolID: poolID, calls: calls, logins: logins, developer: developer, flow: flow, store: store,
      margin: margin, clock: { ContinuousClock.now - start })
  }

  /// The same with a clock that only goes forward.
  package init(
    poolID: String, calls: IdentityCalls, logins: any LoginsSource, developer: (any DeveloperProvider)?,
    flow: Flow, store: (any IdentityStateStore)?, margin: Duration, clock: @escaping @Sendable () -> Duration
  ) throws(IdentityClientError) {
    guard RequestIDs.isPoolID(poolID, region: calls.endpoint.region) else {
      throw .configurationInvalid(
        rule: "the pool \(poolID.quoted) is not of the region \(calls.endpoint.region.quoted)")
    }
    guard margin >= .zero else { throw .configurationInvalid(rule: "the margin is below 0 s") }
    self.poolID = poolID
    self.calls = calls
    source = logins
    self.developer = developer
    self.flow = flow
    self.store = store
    self.margin = margin
    self.clock = clock
    // What was remembered of another pool is of no use, and neither is what no service calls an identity.
    if let known = try store?.load(), known.poolID == poolID, RequestIDs.isIdentity(known.identityID) {
      state.identity = known.identityID
    }
  }

  /// The identity that is known on this device; nothing is asked for it.
  public var identityID: String? { state.identity }

  /// Credentials that are valid for the margin at least.
  public func credentials(at now: Timestamp = .now) async throws(CredentialsError) -> Credentials {
    do throws(IdentityClientError) {
      return try await getCredentials(at: now)
    } catch {
      switch error {
      case .refused(let type, _): throw .serviceRefused(status: 400, code: type)
      case .credentialsUnusable(let fault): throw .unusable(fault)
      case .unreachable(let reason): throw .serviceUnreachable(reason)
      default: throw .serviceResponse("\(error)")
      }
    }
  }

  /// Drops the credentials. The identity stays; the next call asks for the logins.
  public func clearCredentials() { state.dropCredentials() }

  /// Drops the credentials and the identity, here and where it is remembered: for another user.
  ///
  /// - Throws: `stateUnavailable` where the stored identity cannot be removed. All calls throw it until it is.
  public func clearKeychain() throws(IdentityClientError) {
    let old = state.identity
    state.dropIdentity()
    if let old { announce(IdentityChange(old: old, new: nil)) }
    try keep()
  }

  /// Takes an identity over.
  func adopt(_ found: String) {
    guard found != state.identity else { return }
    let old = state.identity
    state.identity = found
    state.isKept = false
    state.current = nil
    announce(IdentityChange(old: old, new: found))
  }

  /// Stores the identity, or that there is none, where that has not been done yet.
  func keep() throws(IdentityClientError) {
    guard !state.isKept else { return }
    try store?.save(state.identity.map { StoredIdentity(poolID: poolID, identityID: $0) })
    state.isKept = true
  }

  /// Tells of every change of the identity from now on. A reader that is slow gets the last 100.
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
