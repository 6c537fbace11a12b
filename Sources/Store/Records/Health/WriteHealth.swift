internal import Synchronization

/// Whether a store can be written. Nothing is written to find out while writes work. After one that failed, a write of the
/// health's own decides, and is repeated until it works.
///
/// So callers cannot make a store look broken by calls that fail: they cause at most one small write in an interval.
package final class WriteHealth: Sendable {
  private struct State {
    /// Grows with each failed write.
    var doubts = 0
    /// The number of failed writes when a write has last worked.
    var answered = 0
    var problem: RecordStoreError?
    var last: Duration?
  }

  private let interval: Duration
  private let uptime: @Sendable () -> Duration
  private let state = Mutex(State())

  /// Makes the health of a store whose writes work.
  ///
  /// - Parameters:
  ///   - interval: the time after a write of its own in which there is no other one. Default: 2 s.
  ///   - uptime: a monotonic clock. Default: the system's.
  package init(interval: Duration = .seconds(2), uptime: (@Sendable () -> Duration)? = nil) {
    let start = ContinuousClock.now
    self.interval = interval
    self.uptime = uptime ?? { ContinuousClock.now - start }
  }

  /// Notes that the store may have failed a write.
  package func doubt() { state.withLock { $0.doubts += 1 } }

  /// Tries a write, if one has failed and the interval has passed.
  ///
  /// - Parameter write: a write that changes something.
  /// - Returns: why the store cannot be written; nil where it can, as far as is known.
  package nonisolated(nonsending) func problem(
    trying write: () async throws(RecordStoreError) -> Void
  ) async -> RecordStoreError? {
    let now = uptime()
    let (doubts, known): (Int?, RecordStoreError?) = state.withLock { state in
      let isEarly = state.last.map { now - $0 < interval } ?? false
      guard state.doubts > state.answered, !isEarly else { return (nil, state.problem) }
      state.last = now
      return (state.doubts, state.problem)
    }
    guard let doubts else { return known }
    do throws(RecordStoreError) {
      try await write()
      // A write that has failed since is another doubt.
      state.withLock { state in
        state.answered = max(state.answered, doubts)
        state.problem = nil
      }
      return nil
    } catch {
      return state.withLock { state in
        // Too many writes at once say nothing of the store.
        if !error.isOfLoad { state.problem = error }
        return state.problem
      }
    }
  }
}

extension RecordStoreError {
  fileprivate var isOfLoad: Bool {
    switch self {
    case .busy, .tooManyRetries: true
    default: false
    }
  }
}
