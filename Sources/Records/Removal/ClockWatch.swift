internal import Synchronization

/// What a process knows of time between its passes of the removal: how long it was up, and the earliest clock of its
/// writes.
package final class ClockWatch: Sendable {
  let rule: RemovalRule
  /// The store's uptime at the last pass, and when that was.
  private let last = Mutex<(uptime: Duration, at: Duration)?>(nil)
  /// Microseconds since 1970.
  private let earliest = Atomic<Int64>(.max)

  package init(_ rule: RemovalRule) { self.rule = rule }

  /// Notes the clock of a write. A row that a clock wrote which was corrected between two passes is not one of those that
  /// the passes before had found ended.
  func note(_ clock: Int64) {
    var known = earliest.load(ordering: .relaxed)
    while clock < known {
      let result = earliest.weakCompareExchange(expected: known, desired: clock, ordering: .relaxed)
      if result.exchanged { return }
      known = result.original
    }
  }

  /// The earliest clock that was noted since it was forgotten.
  var earliestClock: Int64 { earliest.load(ordering: .relaxed) }

  /// Forgets a clock, unless an earlier one was noted since.
  func forget(_ clock: Int64) {
    _ = earliest.compareExchange(expected: clock, desired: .max, ordering: .relaxed)
  }

  /// The store's uptime in seconds: that of its row, or later by what this process was up since it last knew it. Each
  /// process adds to what it has read and the greatest number counts, so that processes which run side by side do not
  /// count a second twice.
  ///
  /// - Parameter stored: the uptime in the store's row, in seconds.
  /// - Returns: the uptime.
  func uptime(stored: Int64) -> Int64 {
    let now = rule.uptime()
    return last.withLock { last in
      let own = last.map { $0.uptime + min(max(.zero, now - $0.at), RemovalRule.longestPause) } ?? .zero
      let uptime = max(.seconds(stored), own)
      last = (uptime, now)
      return uptime.wholeSeconds
    }
  }
}
