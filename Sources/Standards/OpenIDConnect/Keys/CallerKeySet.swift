internal import HTTPExchange
internal import JOSE
internal import Synchronization
internal import TokenSecurityPlatform

/// A cached remote key set that its callers fetch, each on its own thread. It starts no thread and no task.
///
/// One caller fetches at a time. The others verify with the keys that are cached, and wait if there are none, or if their
/// token names an unknown key. When a fetch may begin is decided by ``KeySetState``, as for ``RemoteKeySet``.
final class CallerKeySet: Sendable {
  private let location: KeySetLocation
  private let configuration: RemoteKeySetConfiguration
  private let clocks: CallerClocks
  private let state: Mutex<State>

  private struct State {
    var keySet: KeySetState
    /// The fetch in progress.
    var flight: CallerFlight?
    var time = ElapsedTime()
  }

  /// How long a fetch may take after its time limits, in milliseconds, until another thread may begin one.
  private static let patience: Int64 = 1_000

  init(_ location: KeySetLocation, _ configuration: RemoteKeySetConfiguration, _ clocks: CallerClocks) {
    self.location = location
    self.configuration = configuration
    self.clocks = clocks
    state = Mutex(State(keySet: KeySetState(configuration)))
  }

  /// The keys for a token of this header. Fresh keys that have the header's key are returned at once.
  ///
  /// - Parameters:
  ///   - header: the header.
  ///   - issuer: the token's issuer, for errors.
  ///   - fetch: returns what the call may spend on fetching; nil to use the cached keys only.
  /// - Returns: the keys, which may be expired, or lack the header's key, if no others can be fetched now.
  /// - Throws: why there are no keys.
  @inline(__always)
  func keys(
    for header: borrowing JOSEHeader, _ issuer: @autoclosure () -> String, _ fetch: () -> CallerFetch?
  ) throws(CallerFetchError) -> PreparedKeys {
    let (keys, isFresh) = state.withLock { state in
      let now = state.time.advance(to: clocks.seconds())
      return (state.keySet.usable(at: now), state.keySet.isFresh(at: now))
    }
    if let keys, isFresh, keys.prepared.knows(header) { return keys.prepared }
    guard let fetch = fetch() else {
      guard let keys else { throw .verification(.keysNotCached(issuer: issuer())) }
      return keys.prepared
    }
    let header = copy header
    return try fetched(fetch) { $0.knows(header) }
  }

  /// Fetches the keys if there are none, or if they are due.
  ///
  /// - Parameter fetch: what the call may spend.
  /// - Throws: the error of a fetch, also if older keys may still be used.
  func refresh(_ fetch: CallerFetch) throws(CallerFetchError) {
    let begun = state.withLock { state -> (CallerFlight, KeyFetch)? in
      let now = state.time.advance(to: clocks.seconds())
      guard state.keySet.needsRefresh(at: now), !isUnderWay(state), hasTime(fetch), mayReplace(state, fetch)
      else { return nil }
      return begin(.age, &state, now, fetch)
    }
    if let (flight, first) = begun, case .failure(let error) = try run(first, flight, fetch) {
      throw unavailable(error)
    }
    _ = try fetched(fetch) { _ in true }
  }

  /// Seconds until the next fetch is due.
  var secondsUntilRefresh: Int64 {
    state.withLock { state in
      let now = state.time.advance(to: clocks.seconds())
      return state.keySet.nextRefresh(after: now) - now
    }
  }

  private enum Step {
    case use(CachedKeys)
    case fetch(CallerFlight, KeyFetch)
    case wait(CallerFlight)
    case fail(CallerFetchError)
  }

  /// The fetches that a call may still wait for.
  private struct Attempts {
    /// More than one, because a fetch of another thread may have begun before the key was published.
    var waits = 3
    /// True until the call has fetched itself.
    var mayBegin = true
  }

  private func fetched(
    _ fetch: CallerFetch, _ suffice: (PreparedKeys) -> Bool
  ) throws(CallerFetchError) -> PreparedKeys {
    var attempts = Attempts()
    while true {
      let step = state.withLock { state in
        nextStep(&state, state.time.advance(to: clocks.seconds()), attempts, fetch, suffice)
      }
      switch step {
      case .use(let keys): return keys.prepared
      case .fail(let error): throw error
      case .fetch(let flight, let first):
        attempts.mayBegin = false
        attempts.waits -= 1
        do throws(CallerFetchError) { _ = try run(first, flight, fetch) } catch {
          // Expired keys are used as after a fetch that has failed.
          guard flight.reason == .age, let keys = usable, suffice(keys.prepared) else { throw error }
          return keys.prepared
        }
      case .wait(let flight):
        attempts.waits -= 1
        let now = clocks.milliseconds()
        guard now < fetch.deadline else { throw .timedOut }
        _ = flight.work.done.wait(
          milliseconds: min(fetch.deadline, flight.work.end).saturatingDifference(now))
      }
    }
  }

  private var usable: CachedKeys? {
    state.withLock { $0.keySet.usable(at: $0.time.advance(to: clocks.seconds())) }
  }

  private func nextStep(
    _ state: inout State, _ now: Int64, _ attempts: Attempts, _ fetch: CallerFetch,
    _ suffice: (PreparedKeys) -> Bool
  ) -> Step {
    guard let keys = state.keySet.usable(at: now) else {
      return join(.age, &state, now, attempts, fetch)
        ?? .fail(
          state.keySet.lastError.map(unavailable) ?? .verification(.keysNotCached(issuer: location.name)))
    }
    guard suffice(keys.prepared) else { return join(.search, &state, now, attempts, fetch) ?? .use(keys) }
    // Expired keys are used while newer ones cannot be fetched, and while another thread fetches them.
    guard !state.keySet.isFresh(at: now), state.keySet.mayFetch(at: now), attempts.mayBegin, hasTime(fetch),
      !isUnderWay(state), mayReplace(state, fetch), !fetch.cancellation.hasHappened
    else { return .use(keys) }
    let (flight, first) = begin(.age, &state, now, fetch)
    return .fetch(flight, first)
  }

  /// The fetch in progress, to wait for, or one that begins now; nil if none may begin, or the attempts are used up.
  private func join(
    _ reason: KeySetState.Reason, _ state: inout State, _ now: Int64, _ attempts: Attempts,
    _ fetch: CallerFetch
  ) -> Step? {
    guard attempts.waits > 0 else { return nil }
    guard !fetch.cancellation.hasHappened else { return .fail(.cancelled) }
    if let flight = state.flight, isUnderWay(state) {
      return flight.work.isOwn ? .fail(.reentered) : .wait(flight)
    }
    let isAllowed = reason == .age ? state.keySet.mayFetch(at: now) : state.keySet.maySearch(at: now)
    guard attempts.mayBegin, isAllowed else { return nil }
    guard hasTime(fetch), mayReplace(state, fetch) else { return .fail(.timedOut) }
    let (flight, first) = begin(reason, &state, now, fetch)
    return .fetch(flight, first)
  }

  private func hasTime(_ fetch: CallerFetch) -> Bool { clocks.milliseconds() < fetch.deadline }

  /// A fetch that takes too long is replaced by one that has the time to end: not by a call that has waited for
  /// it, and would have the result of neither.
  private func mayReplace(_ state: borrowing State, _ fetch: CallerFetch) -> Bool {
    guard state.flight?.work.isOfThisProcess == true else { return true }
    return fetch.hasAll(
      of: min(configuration.timeout.wholeMilliseconds, fetch.whole), at: clocks.milliseconds())
  }

  private func isUnderWay(_ state: borrowing State) -> Bool {
    state.flight?.work.isUnderWay(at: clocks.milliseconds()) == true
  }

  private func begin(
    _ reason: KeySetState.Reason, _ state: inout State, _ now: Int64, _ fetch: CallerFetch
  ) -> (CallerFlight, KeyFetch) {
    // Discovery and the keys.
    let limit = configuration.timeout.wholeMilliseconds
    let start = clocks.milliseconds()
    let end = min(fetch.deadline, start.saturatingSum(limit.saturatingProduct(2))).saturatingSum(
      Self.patience)
    let flight = CallerFlight(reason, until: end, hasFullTime: fetch.hasAll(of: limit, at: start))
    state.flight = flight
    return (flight, state.keySet.begin(reason, location, at: now))
  }

  /// Runs a fetch on this thread, without the lock.
  private func run(
    _ first: KeyFetch, _ flight: CallerFlight, _ fetch: CallerFetch
  ) throws(CallerFetchError) -> KeySetState.Outcome {
    defer { flight.work.done.happen() }
    let result: KeyFetch.Result
    do throws(CallerTransportError) { result = try flight.sendAll(first, fetch, clocks) } catch {
      state.withLock { state in
        guard state.flight === flight else { return }
        state.flight = nil
        state.keySet.cancel(flight.reason, at: state.time.advance(to: clocks.seconds()))
      }
      if case .outOfTime = error { throw .timedOut }
      fetch.cancellation.happen()
      throw .cancelled
    }
    state.withLock { state in
      // One that took too long, and was replaced, changes nothing.
      guard state.flight === flight else { return }
      state.flight = nil
      state.keySet.finish(result, at: state.time.advance(to: clocks.seconds()))
    }
    return result.outcome
  }

  private func unavailable(_ error: FetchError) -> CallerFetchError {
    .verification(.keysUnavailable(address: location.name, configuration.shown(error)))
  }
}
