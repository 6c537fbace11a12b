public import HTTPExchange
public import JOSE
public import Logging
internal import Synchronization
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityPlatform

/// A cached remote key set.
///
/// It is fetched on first use, refreshed before it expires, and fetched again when a token names an unknown
/// key: once per cool-down, by one fetch for all callers. While fetches fail, the cached keys are used for a
/// bounded time. A set without a usable key never replaces one with keys.
public final class RemoteKeySet: Sendable {
  /// How the set is fetched and cached.
  public let configuration: RemoteKeySetConfiguration
  let location: KeySetLocation

  private let fetch: TaskFetch
  private let metrics: KeySetMetrics
  let clock: @Sendable () -> Int64
  let state: Mutex<State>

  struct State {
    var keySet: KeySetState
    /// The fetch in progress. There is at most one.
    var flight: SingleFlight<Void>?
    var time = ElapsedTime()
  }

  /// A set that `transport` fetches on first use.
  ///
  /// - Parameters:
  ///   - location: the location of the set.
  ///   - transport: the HTTP client that fetches it.
  ///   - configuration: how it is fetched and cached.
  ///   - logger: the logger for key-set events. Default: none.
  public convenience init(
    _ location: KeySetLocation, transport: any HTTPTransport,
    configuration: RemoteKeySetConfiguration = RemoteKeySetConfiguration(), logger: Logger = .silent
  ) {
    self.init(location, transport: transport, configuration: configuration, logger: logger) {
      SystemClock.bootSeconds
    }
  }

  package init(
    _ location: KeySetLocation, transport: any HTTPTransport, configuration: RemoteKeySetConfiguration,
    logger: Logger, timers: any Clock<Duration> = ContinuousClock(), clock: @escaping @Sendable () -> Int64
  ) {
    self.configuration = configuration
    self.location = location
    self.clock = clock
    fetch = TaskFetch(transport: transport, timers: timers)
    metrics = KeySetMetrics(location.name, logger: logger)
    state = Mutex(State(keySet: KeySetState(configuration)))
  }

  /// The cached keys that may be used, or nil.
  public var cached: JWKSet? {
    state.withLock { state in
      let now = state.time.advance(to: clock())
      return state.keySet.usable(at: now)?.set
    }
  }

  /// Fetches the set unless fresh keys are cached.
  ///
  /// - Throws: `keysUnavailable` if the fetch fails and no usable keys are cached; `keysNotCached` if the
  ///   task is cancelled before.
  public func prefetch() async throws(OpenIDError) {
    _ = try await keys { _ in true }
  }

  /// Keeps the set fresh until the task is cancelled, even without tokens. Otherwise the set is refreshed
  /// when a token comes in the last quarter of its lifetime.
  public func keepFresh() async {
    while !Task.isCancelled {
      let (wait, flight) = state.withLock { state -> (Int64, SingleFlight<Void>?) in
        let now = state.time.advance(to: clock())
        let wait = state.keySet.nextRefresh(after: now).saturatingDifference(now)
        return (wait, wait > 0 ? nil : beginFetch(.age, &state, now))
      }
      if let flight {
        _ = await flight.value
      } else {
        // The runtime keeps a task that was cancelled until its sleep would have ended.
        try? await Task.sleep(for: .seconds(min(wait, 60)))
      }
    }
  }

  /// The cached keys, without waiting; nil if none may be used. Starts a fetch in the background if a refresh
  /// is due or the header's key is unknown.
  @inline(__always)
  func cachedKeys(for header: borrowing JOSEHeader) -> PreparedKeys? {
    let found = state.withLock { state -> (keys: CachedKeys, isFresh: Bool)? in
      let now = state.time.advance(to: clock())
      guard let keys = state.keySet.usable(at: now) else {
        if state.keySet.mayFetch(at: now) { beginFetch(.age, &state, now) }
        return nil
      }
      if state.keySet.needsRefresh(at: now) { beginFetch(.age, &state, now) }
      return (keys, state.keySet.isFresh(at: now))
    }
    guard let found else { return nil }
    if !found.isFresh { metrics.usedStale() }
    if !found.keys.prepared.knows(header) {
      state.withLock { state in
        let now = state.time.advance(to: clock())
        if state.keySet.maySearch(at: now) { beginFetch(.search, &state, now) }
      }
    }
    return found.keys.prepared
  }

  /// The keys for a token of this header, fetched if necessary. The verifier reports a key that is unknown
  /// after that.
  package func keys(for header: JOSEHeader) async throws(OpenIDError) -> PreparedKeys {
    try await keys { $0.knows(header) }
  }

  private enum Step {
    case use(CachedKeys, isFresh: Bool)
    case wait(SingleFlight<Void>, isOwn: Bool)
    case fail(FetchError?)
  }

  /// The fetches that a caller may still wait for.
  private struct Attempts {
    /// More than one, because a fetch of another caller may have begun before the key was published.
    var waits = 3
    /// True until the caller has started a fetch.
    var mayBegin = true
  }

  private func keys(
    suffice: @Sendable (PreparedKeys) -> Bool
  ) async throws(OpenIDError) -> PreparedKeys {
    var attempts = Attempts()
    while true {
      let step = state.withLock { state in
        nextStep(&state, state.time.advance(to: clock()), attempts, suffice)
      }
      switch step {
      case .use(let keys, let isFresh):
        if !isFresh { metrics.usedStale() }
        return keys.prepared
      case .wait(let flight, let isOwn):
        attempts.waits -= 1
        if isOwn { attempts.mayBegin = false }
        // A cancelled caller stops waiting; the fetch continues for the others.
        if await flight.value == nil { attempts.waits = 0 }
      case .fail(let error):
        guard let error else { throw .keysNotCached(issuer: location.name) }
        throw .keysUnavailable(address: location.name, configuration.shown(error))
      }
    }
  }

  private func nextStep(
    _ state: inout State, _ now: Int64, _ attempts: Attempts, _ suffice: (PreparedKeys) -> Bool
  ) -> Step {
    guard let keys = state.keySet.usable(at: now) else {
      return wait(.age, &state, now, attempts) ?? .fail(state.keySet.lastError)
    }
    let isFresh = state.keySet.isFresh(at: now)
    guard suffice(keys.prepared) else {
      return wait(.search, &state, now, attempts) ?? .use(keys, isFresh: isFresh)
    }
    if isFresh {
      if state.keySet.needsRefresh(at: now) { beginFetch(.age, &state, now) }
      return .use(keys, isFresh: true)
    }
    // Expired keys are used only while newer ones cannot be fetched.
    return wait(.age, &state, now, attempts) ?? .use(keys, isFresh: false)
  }

  /// A fetch to wait for, in progress or started now; nil if none may start, or the attempts are used up.
  private func wait(
    _ reason: KeySetState.Reason, _ state: inout State, _ now: Int64, _ attempts: Attempts
  ) -> Step? {
    guard attempts.waits > 0 else { return nil }
    if let flight = state.flight { return .wait(flight, isOwn: false) }
    let isAllowed = reason == .age ? state.keySet.mayFetch(at: now) : state.keySet.maySearch(at: now)
    guard attempts.mayBegin, isAllowed else { return nil }
    return .wait(beginFetch(reason, &state, now), isOwn: true)
  }

  /// The fetch in progress, or one that starts now.
  @discardableResult
  private func beginFetch(
    _ reason: KeySetState.Reason, _ state: inout State, _ now: Int64
  ) -> SingleFlight<Void> {
    if let flight = state.flight { return flight }
    let next = state.keySet.begin(reason, location, at: now)
    let flight = SingleFlight { await self.run(next, reason) }
    state.flight = flight
    return flight
  }

  // Metrics and logs are written outside the lock, because they call handlers of the application.
  private func run(_ next: KeyFetch, _ reason: KeySetState.Reason) async {
    metrics.began(reason)
    let result = await fetch.run(next)
    let before = state.withLock { state in
      let before = state.keySet.keys
      state.keySet.finish(result, at: state.time.advance(to: clock()))
      state.flight = nil
      return before
    }
    metrics.ended(result.outcome, before: before)
  }
}
