/// Failed attempts at guessing something, and how long to refuse the next attempt: a value that is stored
/// with what is guessed. `OTPThrottle` and `CognitoLockout` are this with numbers of their own.
package struct AttemptThrottle: Sendable, Hashable {
  /// Failures since the last success.
  package private(set) var failures: Int
  /// When the last failure was counted.
  package private(set) var lastFailure: Timestamp

  package init(failures: Int, lastFailure: Timestamp) {
    self.failures = max(0, failures)
    self.lastFailure = lastFailure
  }

  /// Counts a failure. Earlier ones are forgotten if the last was at least `quietTime` ago.
  package mutating func fail(at now: Timestamp, forgettingAfter quietTime: Duration? = nil) {
    if let quietTime, now - lastFailure >= quietTime { failures = 0 }
    failures = failures == .max ? .max : failures + 1
    lastFailure = now
  }

  /// The wait after the last failure: zero before `attempts` failures, then `first`, doubled by each further
  /// failure up to `longest`. Both are rounded up to whole seconds.
  package func wait(attempts: Int, first: Duration, longest: Duration) -> Duration {
    let attempts = max(1, attempts)
    guard failures >= attempts else { return .zero }
    let longest = longest.secondsRoundedUp
    let doublings = failures - attempts
    guard doublings < 62 else { return .seconds(longest) }
    return .seconds(min(first.secondsRoundedUp.saturatingProduct(1 << Int64(doublings)), longest))
  }

  /// The rest of `wait` at `now`, or nil if it is over.
  ///
  /// A failure more than `clockDifference` in the future was counted by a clock that was set back since, and
  /// is ignored: otherwise the wait would last as long as that clock was ahead.
  package func remaining(of wait: Duration, clockDifference: Duration, at now: Timestamp) -> Duration? {
    let elapsed = now - lastFailure
    guard wait > .zero, lastFailure <= now + clockDifference, elapsed < wait else { return nil }
    return wait - elapsed
  }
}
