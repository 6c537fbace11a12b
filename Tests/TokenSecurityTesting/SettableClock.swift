internal import Synchronization

/// A clock that a test sets. Tasks that sleep by it wake when the test has advanced it far enough.
public final class SettableClock: Clock, Sendable {
  /// The time since the clock was made.
  public struct Instant: InstantProtocol {
    let time: Duration

    /// Returns the instant later by a duration.
    public func advanced(by duration: Duration) -> Self { Self(time: time + duration) }
    /// Returns how much later another instant is.
    public func duration(to other: Self) -> Duration { other.time - time }
    /// Compares by time.
    public static func < (a: Self, b: Self) -> Bool { a.time < b.time }
  }

  private struct Sleeper {
    let end: Duration
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var now = Duration.zero
    var number = 0
    var sleepers: [Int: Sleeper] = [:]
  }

  private let state = Mutex(State())

  /// A clock at its start.
  public init() {}

  /// The time that the test has set.
  public var now: Instant { Instant(time: elapsed) }
  /// The same, as a duration from the start.
  public var elapsed: Duration { state.withLock { $0.now } }
  /// The same, for what counts by the system's clock.
  public var instant: ContinuousClock.Instant { Self.start + elapsed }
  private static let start = ContinuousClock.now

  /// Zero: the clock has no steps.
  public var minimumResolution: Duration { .zero }

  /// Number of tasks that sleep.
  public var sleepers: Int { state.withLock { $0.sleepers.count } }

  /// Waits until the clock was advanced to an instant.
  ///
  /// - Parameters:
  ///   - deadline: the instant.
  ///   - tolerance: not used.
  /// - Throws: `CancellationError`.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let number = state.withLock { state in
      state.number += 1
      return state.number
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isOver: Bool? = state.withLock { state in
          if Task.isCancelled { return false }
          if deadline.time <= state.now { return true }
          state.sleepers[number] = Sleeper(end: deadline.time, continuation: continuation)
          return nil
        }
        switch isOver {
        case true?: continuation.resume()
        case false?: continuation.resume(throwing: CancellationError())
        case nil: break
        }
      }
    } onCancel: {
      state.withLock { $0.sleepers.removeValue(forKey: number) }?.continuation
        .resume(throwing: CancellationError())
    }
  }

  /// Advances the clock, and wakes the tasks whose time has come.
  ///
  /// - Parameter duration: by how much; negative to set the clock back.
  /// - Returns: the time from the start.
  @discardableResult
  public func advance(by duration: Duration) -> Duration {
    let (now, due) = state.withLock { state in
      state.now += duration
      let due = state.sleepers.filter { $0.value.end <= state.now }
      for number in due.keys { state.sleepers[number] = nil }
      return (state.now, due.values.map(\.continuation))
    }
    for continuation in due { continuation.resume() }
    return now
  }

  /// Advances the clock again and again until a condition holds.
  ///
  /// - Parameters:
  ///   - step: by how much each time.
  ///   - condition: the condition.
  /// - Throws: ``ConditionNeverHeld``; what the condition throws.
  public func advance(by step: Duration, until condition: () async throws -> Bool) async throws {
    try await eventually {
      if try await condition() { return true }
      advance(by: step)
      return false
    }
  }

  /// Runs work, and advances the clock again and again until it ends.
  ///
  /// - Parameters:
  ///   - step: by how much each time.
  ///   - work: the work.
  /// - Returns: the result of the work.
  /// - Throws: what the work throws; ``ConditionNeverHeld``.
  public func advancing<R: Sendable>(
    by step: Duration, during work: @escaping @Sendable () async throws -> R
  ) async throws -> R {
    let ended = Tally()
    let task = Task {
      defer { ended.add() }
      return try await work()
    }
    try await advance(by: step) { ended.value > 0 }
    return try await task.value
  }
}
