/// The pause after failed calls: none after the first failure, then one second, doubled by each further
/// failure up to a minute. Times are of a monotonic clock.
package struct RetryPause<Failure: Error>: Sendable {
  private var failures = 0
  private var end: Duration = .zero
  private var last: Failure?

  /// No pause.
  package init() {}

  /// Throws the last failure during a pause.
  package func check(at now: Duration) throws(Failure) {
    if let last, now < end { throw last }
  }

  /// Counts a failure.
  package mutating func note(_ error: Failure, at now: Duration) {
    failures = min(failures + 1, 32)
    guard failures > 1 else { return }
    last = error
    end = now + .seconds(failures > 7 ? 60 : 1 << (failures - 2))
  }
}
