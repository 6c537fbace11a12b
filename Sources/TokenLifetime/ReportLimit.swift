internal import Synchronization
internal import TokenSecurityEncodings

/// Bounds reports of causes that recur: the first one is reported, then one in an interval, with the number of those in
/// between. So callers cannot choose how many lines a log has.
package final class ReportLimit: Sendable {
  private struct Cause {
    var last: Duration
    var left = 0
  }

  private let interval: Duration
  private let uptime: @Sendable () -> Duration
  private let causes = Mutex<[ExactString: Cause]>([:])

  /// Makes a limit.
  ///
  /// - Parameters:
  ///   - interval: the time after a report in which none of its cause follows. Default: 10 s.
  ///   - uptime: a monotonic clock. Default: the system's.
  package init(interval: Duration = .seconds(10), uptime: (@Sendable () -> Duration)? = nil) {
    let start = ContinuousClock.now
    self.interval = interval
    self.uptime = uptime ?? { ContinuousClock.now - start }
  }

  /// Notes a cause.
  ///
  /// - Parameter cause: one of a few texts of the program, never a caller's.
  /// - Returns: how often it occurred since its last report; nil where this one is not reported.
  package func report(_ cause: String) -> Int? {
    let now = uptime()
    return causes.withLock { causes in
      let name = ExactString(cause)
      if let known = causes[name], now - known.last < interval {
        causes[name]?.left += 1
        return nil
      }
      let left = causes[name]?.left ?? 0
      causes[name] = Cause(last: now)
      return left
    }
  }
}
