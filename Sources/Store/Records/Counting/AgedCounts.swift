internal import Synchronization
internal import TokenLifetime

/// Numbers that are counted in a store, at most once in a time and once at a time, so that a busy service does not count for
/// each call. What calls add since is added to the number that is known.
///
/// Each number has a scope, such as a pool.
package final class AgedCounts<Scope: Hashable & Sendable, Count: Sendable, Failure: Error>: Sendable {
  private struct Known {
    var count: Count
    /// When it was known.
    let counted: ContinuousClock.Instant
  }

  private struct State {
    var known: [Scope: Known] = [:]
    /// The counts that are under way.
    var flights: [Scope: SingleFlight<Result<Void, Failure>>] = [:]
  }

  private let age: Duration
  private let limit: Int
  private let clock: @Sendable () -> ContinuousClock.Instant
  private let state = Mutex(State())

  /// Makes counts of which none is known.
  ///
  /// - Parameters:
  ///   - age: how long a number is valid.
  ///   - limit: how many are kept before outdated ones are forgotten. Default: 1,000.
  ///   - clock: a monotonic clock.
  package init(
    validFor age: Duration, limit: Int = 1_000, clock: @escaping @Sendable () -> ContinuousClock.Instant
  ) {
    self.age = age
    self.limit = limit
    self.clock = clock
  }

  /// Counts, unless the last number is valid. Calls that come while it is counted wait for the same count.
  ///
  /// - Parameters:
  ///   - scope: the scope.
  ///   - count: counts.
  /// - Returns: whether a number is known; nil where the caller's task was cancelled.
  package func refresh(
    _ scope: Scope, _ count: @escaping @Sendable () async -> Result<Count, Failure>
  ) async -> Result<Void, Failure>? {
    guard let flight = neededCount(scope, count) else { return .success(()) }
    return await flight.value
  }

  /// The count that a call has to wait for; nil where the last one is valid.
  private func neededCount(
    _ scope: Scope, _ count: @escaping @Sendable () async -> Result<Count, Failure>
  ) -> SingleFlight<Result<Void, Failure>>? {
    let now = clock()
    return state.withLock { state in
      if let flight = state.flights[scope] { return flight }
      if let known = state.known[scope], now - known.counted < age { return nil }
      let flight = SingleFlight {
        let found = await count()
        self.note(found, scope)
        return found.map { _ in }
      }
      state.flights[scope] = flight
      return flight
    }
  }

  /// Notes a count with the time at which it is known: one that took longer than it is valid serves those who have waited
  /// for it, and others for that time.
  private func note(_ found: Result<Count, Failure>, _ scope: Scope) {
    let now = clock()
    state.withLock { state in
      state.flights[scope] = nil
      guard case .success(let count) = found else { return }
      if state.known.count >= limit { state.known = state.known.filter { now - $0.value.counted < age } }
      state.known[scope] = Known(count: count, counted: now)
    }
  }

  /// The number that is known, however old it is.
  package subscript(scope: Scope) -> Count? { state.withLock { $0.known[scope]?.count } }

  /// Changes the number that is known.
  ///
  /// - Parameters:
  ///   - scope: the scope.
  ///   - body: changes it.
  /// - Returns: what `body` returns; nil where no number is known.
  package func update<Value: Sendable>(_ scope: Scope, _ body: (inout Count) -> Value) -> Value? {
    state.withLock { state in
      guard var known = state.known[scope] else { return nil }
      let value = body(&known.count)
      state.known[scope] = known
      return value
    }
  }
}
