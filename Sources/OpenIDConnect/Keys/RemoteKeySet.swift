internal import TokenSecurityPlatform
internal import TokenSecurityEncodings
public import HTTPExchange
public import JOSE
public import Logging
internal import Synchronization

/// A key set that lies elsewhere, held here.
///
/// It is fetched when it is first wanted, asked for again before its time runs out, and searched anew when
/// a token names a key that it lacks: once per cool-down, by one fetch, whatever the number of callers. While
/// fetches fail, the keys at hand go on serving for a bounded time. A set without a usable key never replaces one
/// that works.
public final class RemoteKeySet: Sendable {
  /// How it is fetched and held.
  public let rules: RemoteKeySetConfiguration
  let location: KeySetLocation

  private let fetch: KeyFetch
  private let watch: KeySetMetrics
  private let clock: @Sendable () -> Int64
  private let state: Mutex<State>

  private struct State {
    var ledger: KeySetState
    var flight: Task<Void, Never>?
    var discovered: HTTPURL?
    var discoveredUntil: Int64 = .min
    var time = ElapsedTime()
  }

  /// A set that is fetched over `transport` when it is first wanted.
  ///
  /// - Parameters:
  ///   - location: where it lies.
  ///   - transport: the HTTP client that fetches it.
  ///   - rules: how it is fetched and held.
  ///   - logger: where what happens to the set is told; nowhere unless said otherwise.
  public convenience init(
    _ location: KeySetLocation, transport: any HTTPTransport, rules: RemoteKeySetConfiguration = RemoteKeySetConfiguration(),
    logger: Logger = .silent
  ) {
    self.init(location, transport: transport, rules: rules, logger: logger) { SystemClock.bootSeconds }
  }

  package init(
    _ location: KeySetLocation, transport: any HTTPTransport, rules: RemoteKeySetConfiguration, logger: Logger,
    clock: @escaping @Sendable () -> Int64
  ) {
    self.rules = rules
    self.location = location
    self.clock = clock
    fetch = KeyFetch(location: location, rules: rules, transport: transport)
    watch = KeySetMetrics(location.name, logger: logger)
    state = Mutex(State(ledger: KeySetState(rules: rules)))
  }

  /// The keys that are held and may serve, or nil.
  public var held: JWKSet? {
    state.withLock { state in
      let now = state.time.advance(to: clock())
      return state.ledger.usable(at: now)?.set
    }
  }

  /// Fetches the set where it is not held, or not fresh.
  ///
  /// - Throws: `keysUnavailable` where there are no keys that may serve, even so.
  public func prefetch() async throws(OpenIDError) {
    _ = try await keys { _ in true }
  }

  /// Keeps the set fresh until the task is cancelled, whether or not tokens come. Without it, the set is asked for
  /// again when a token comes in the last quarter of its life.
  public func keepFresh() async {
    while !Task.isCancelled {
      let (wait, flight) = state.withLock { state -> (Int64, Task<Void, Never>?) in
        let now = state.time.advance(to: clock())
        let wait = state.ledger.nextRefresh(after: now).saturatingDifference(now)
        return (wait, wait > 0 ? nil : self.flight(.age, &state, now))
      }
      if let flight {
        await flight.value
      } else {
        try? await Task.sleep(for: .seconds(min(wait, 3_600)))
      }
    }
  }

  /// The keys at hand, without waiting: nil where there are none that may serve. Where it is time, or where
  /// a key is not known, a fetch begins in the background.
  @inline(__always)
  func cachedKeys(for header: borrowing JOSEHeader) -> PreparedKeys? {
    let found = state.withLock { state -> (keys: CachedKeys, isFresh: Bool)? in
      let now = state.time.advance(to: clock())
      guard let keys = state.ledger.usable(at: now) else {
        if state.flight == nil, state.ledger.mayFetch(at: now) { _ = flight(.age, &state, now) }
        return nil
      }
      if state.ledger.wantsRefresh(at: now), state.flight == nil { _ = flight(.age, &state, now) }
      return (keys, state.ledger.isFresh(at: now))
    }
    guard let found else { return nil }
    if !found.isFresh { watch.usedStale() }
    if !found.keys.prepared.knows(header) {
      state.withLock { state in
        let now = state.time.advance(to: clock())
        if state.flight == nil, state.ledger.maySearch(at: now) { _ = flight(.search, &state, now) }
      }
    }
    return found.keys.prepared
  }

  /// The keys for a token of this header, fetched where need be. A key that is not known after that is for the
  /// verifier to report.
  package func keys(for header: JOSEHeader) async throws(OpenIDError) -> PreparedKeys {
    try await keys { $0.knows(header) }
  }

  /// What came of the set so far.
  enum Standing {
    /// There are keys that may serve.
    case held
    /// The first fetch has not ended.
    case underWay
    /// The last fetch failed, and there are no keys.
    case failed(FetchError, mayRetry: Bool)
    /// There were keys, which may no longer serve, and no fetch has been made since.
    case expired
  }

  /// What came of the set so far.
  var standing: Standing {
    state.withLock { state in
      let now = state.time.advance(to: clock())
      if state.ledger.usable(at: now) != nil { return .held }
      guard state.flight == nil else { return .underWay }
      if let fault = state.ledger.lastFault {
        return .failed(fault, mayRetry: state.ledger.mayFetch(at: now))
      }
      return state.ledger.keys == nil ? .underWay : .expired
    }
  }

  private enum Step {
    case use(CachedKeys, isFresh: Bool)
    case wait(Task<Void, Never>, isOurs: Bool)
    case fail(FetchError?)
  }

  /// What a caller has waited for so far.
  private struct Patience {
    /// How many fetches it will still wait for. Somebody else's may have begun before the key was there.
    var waits = 3
    /// Whether it may begin one itself, which it does once.
    var mayBegin = true
  }

  private func keys(
    suffice: @Sendable (PreparedKeys) -> Bool
  ) async throws(OpenIDError) -> PreparedKeys {
    var patience = Patience()
    while true {
      let step = state.withLock { state in
        self.step(&state, state.time.advance(to: clock()), patience, suffice)
      }
      switch step {
      case .use(let keys, let isFresh):
        if !isFresh { watch.usedStale() }
        return keys.prepared
      case .wait(let flight, let isOurs):
        patience.waits -= 1
        if isOurs { patience.mayBegin = false }
        await flight.value
      case .fail(let fault):
        guard let fault else { throw .keysNotHeld(issuer: location.name) }
        throw .keysUnavailable(address: location.name, rules.shown(fault))
      }
    }
  }

  private func step(
    _ state: inout State, _ now: Int64, _ patience: Patience, _ suffice: (PreparedKeys) -> Bool
  ) -> Step {
    guard let keys = state.ledger.usable(at: now) else {
      return wait(.age, &state, now, patience) ?? .fail(state.ledger.lastFault)
    }
    let isFresh = state.ledger.isFresh(at: now)
    guard suffice(keys.prepared) else {
      return wait(.search, &state, now, patience) ?? .use(keys, isFresh: isFresh)
    }
    if isFresh {
      if state.flight == nil, state.ledger.wantsRefresh(at: now) { _ = flight(.age, &state, now) }
      return .use(keys, isFresh: true)
    }
    // Behind their life keys serve only while newer ones cannot be had.
    return wait(.age, &state, now, patience) ?? .use(keys, isFresh: false)
  }

  /// A fetch to wait for, under way or begun now; nil where none may begin, or enough have been waited for.
  private func wait(
    _ reason: KeySetState.Reason, _ state: inout State, _ now: Int64, _ patience: Patience
  ) -> Step? {
    guard patience.waits > 0 else { return nil }
    if let flight = state.flight { return .wait(flight, isOurs: false) }
    let isAllowed = reason == .age ? state.ledger.mayFetch(at: now) : state.ledger.maySearch(at: now)
    guard patience.mayBegin, isAllowed else { return nil }
    return .wait(flight(reason, &state, now), isOurs: true)
  }

  /// The fetch that is under way, or one that begins now. There is never more than one.
  private func flight(
    _ reason: KeySetState.Reason, _ state: inout State, _ now: Int64
  ) -> Task<Void, Never> {
    if let flight = state.flight { return flight }
    state.ledger.begin(reason, at: now)
    let known = now < state.discoveredUntil ? state.discovered : nil
    let tag = state.ledger.keys == nil ? nil : state.ledger.tag
    let flight = Task.detached(priority: .high) { await self.fly(reason, known, tag) }
    state.flight = flight
    return flight
  }

  // What is counted and told is told outside of the lock: whose handlers those are is not known here.
  private func fly(_ reason: KeySetState.Reason, _ known: HTTPURL?, _ tag: String?) async {
    watch.began(reason)
    let result = await fetch.run(known: known, tag: tag)
    let before = state.withLock { state in
      let now = state.time.advance(to: clock())
      let before = state.ledger.keys
      state.ledger.finish(result.outcome, at: now)
      if let discovered = result.discovered {
        state.discovered = discovered.address
        state.discoveredUntil = now.saturatingSum(discovered.life)
      } else if case .fault = result.outcome {
        // The keys may have moved: the issuer is asked again where they are.
        state.discoveredUntil = .min
      }
      state.flight = nil
      return before
    }
    watch.ended(result.outcome, before: before)
  }
}

extension Logger {
  /// A logger that tells nobody anything.
  public static var silent: Logger { Logger(label: "OpenIDConnect") { _ in SwiftLogNoOpLogHandler() } }
}
