internal import Synchronization
internal import TokenSecurityBase

/// Bounds reports of causes that recur: the first one is reported, then one in an interval, with the number of those in
/// between. So callers cannot choose how many lines a log has. Causes beyond a number are one: an administrator
/// chooses the names of functions, for instance.
package final class ReportLimit: Sendable {
  /// The cause that replaces those beyond the limit.
  private static let others: ExactString = ""

  private struct Cause {
    var last: Duration
    var left = 0
  }

  private let interval: Duration
  private let limit: Int
  private let uptime: @Sendable () -> Duration
  private let causes = Mutex<[ExactString: Cause]>([:])

  /// Makes a limit.
  ///
  /// - Parameters:
  ///   - interval: the time after a report in which none of its cause follows. Default: 10 s.
  ///   - limit: the most causes that are told apart at a time. Default: 256.
  ///   - uptime: a monotonic clock. Default: the system's.
  package init(
    interval: Duration = .seconds(10), limit: Int = 256, uptime: (@Sendable () -> Duration)? = nil
  ) {
    let start = ContinuousClock.now
    self.interval = interval
    self.limit = max(1, limit)
    self.uptime = uptime ?? { ContinuousClock.now - start }
  }

  /// Notes a cause.
  ///
  /// - Parameter cause: one of a few texts of the program or of an administrator, never a caller's.
  /// - Returns: how often it occurred since its last report; nil where this one is not reported.
  package func report(_ cause: String) -> Int? {
    let now = uptime()
    return causes.withLock { causes in
      var name = ExactString(cause)
      if causes[name] == nil, causes.count >= limit {
        // Their next report begins anew.
        causes = causes.filter { now - $0.value.last < interval }
        if causes.count >= limit { name = Self.others }
      }
      if let known = causes[name], now - known.last < interval {
        causes[name]?.left += 1
        return nil
      }
      let left = causes[name]?.left ?? 0
      causes[name] = Cause(last: now)
      return left
    }
  }

  /// The causes that are known now, at most one more than the limit.
  package var count: Int { causes.withLock { $0.count } }
}
