internal import TokenLifetime

/// Repeats short transactions that remove rows. After each comes a pause that is as long as the transaction took, in which
/// calls have the store's only writer. The time that a transaction waited for the writer counts too, so that the pause has a
/// maximum: where calls keep the writer busy, removal must go on.
package struct PacedRemoval: Sendable {
  private let timers: any Clock<Duration>
  /// The longest pause. A transaction of 500 rows takes less unless it waits, or the machine was suspended.
  private static let longestPause = Duration.milliseconds(100)

  /// - Parameter timers: measures transactions and pauses. Default: the system's clock.
  package init(timers: any Clock<Duration> = ContinuousClock()) { self.timers = timers }

  /// Repeats a step until nothing is left or the task is cancelled.
  ///
  /// - Parameter step: removes a portion, and returns true if some may be left.
  /// - Throws: what the step throws.
  package nonisolated(nonsending) func run<Failure: Error>(
    _ step: () async throws(Failure) -> Bool
  ) async throws(Failure) {
    while !Task.isCancelled {
      let elapsed = timers.stopwatch()
      guard try await step() else { return }
      do { try await timers.sleep(for: min(elapsed(), Self.longestPause)) } catch { return }
    }
  }
}
