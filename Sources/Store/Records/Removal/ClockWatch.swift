internal import Synchronization

/// The times that a process measures between its passes of the removal: its uptime and the clocks of its writes; the tables
/// with many ended rows; and up to which position rows were removed.
package final class ClockWatch: Sendable {
  /// The clocks before a look at them.
  private struct Noted: Sendable {
    var look: Int
    var earliest: Int64
  }

  private struct State: Sendable {
    /// The store's uptime at the last pass, and when that was.
    var last: (uptime: Duration, at: Duration)?
    /// The clocks that no committed pass has taken into account, in the order of the looks at them.
    var noted: [Noted] = []
    /// The number of the last look.
    var look = 0
    /// The tables whose ended rows were counted: at which uptime of the process, and whether there were many.
    var counted: [Int: (at: Duration, isCrowded: Bool)] = [:]
  }

  let rule: RemovalRule
  /// Up to which position rows were removed.
  let removed: RemovedPositions
  private let state = Mutex(State())
  /// The earliest clock since the last look, in microseconds since 1970. Each write notes its own.
  private let earliest = Atomic<Int64>(.max)
  /// Maximum number of looks that are kept apart.
  private static let lookLimit = 16

  package init(_ rule: RemovalRule) {
    self.rule = rule
    removed = RemovedPositions(age: rule.spacing)
  }

  // MARK: Clocks

  /// Notes the clock of a write. A row that a clock wrote which was corrected between two passes is not one of those that
  /// the passes before had found ended.
  package func note(_ clock: Int64) {
    var known = earliest.load(ordering: .relaxed)
    while clock < known {
      let result = earliest.weakCompareExchange(expected: known, desired: clock, ordering: .relaxed)
      if result.exchanged { return }
      known = result.original
    }
  }

  /// Looks at the clocks of writes.
  ///
  /// - Returns: the earliest one that no committed pass has taken into account, and the number of the look for
  ///   ``forget(until:)``.
  package func look() -> (clock: Int64, number: Int) {
    state.withLock { state in
      let new = earliest.exchange(.max, ordering: .relaxed)
      state.look += 1
      if state.noted.count >= Self.lookLimit {
        let first = state.noted.removeFirst()
        state.noted[0].earliest = min(first.earliest, state.noted[0].earliest)
      }
      state.noted.append(Noted(look: state.look, earliest: new))
      return (state.noted.reduce(.max) { min($0, $1.earliest) }, state.look)
    }
  }

  /// Forgets the clocks of a look and of earlier ones. Called when the pass is committed: one that fails has dropped no
  /// sightings. Clocks that were noted since the look remain.
  package func forget(until look: Int) {
    state.withLock { state in state.noted.removeAll { $0.look <= look } }
  }

  // MARK: Uptime

  /// The store's uptime in seconds: that of its row, or later by what this process was up since it last knew it. Each
  /// process adds to what it has read and the greatest number counts, so that processes which run side by side do not
  /// count a second twice.
  ///
  /// - Parameter stored: the uptime in the store's row, in seconds.
  /// - Returns: the uptime.
  func uptime(stored: Int64) -> Int64 {
    let now = rule.uptime()
    return state.withLock { state in
      let own = state.last.map { $0.uptime + min(max(.zero, now - $0.at), RemovalRule.longestPause) }
      let uptime = max(.seconds(stored), own ?? .zero)
      state.last = (uptime, now)
      return uptime.wholeSeconds
    }
  }

  /// True once this process has made a pass, so that it knows of some uptime.
  var hasUptime: Bool { state.withLock { $0.last != nil } }

  // MARK: Tables

  /// True at first, and ten minutes after the ended rows of a table were counted.
  func isCountDue(_ table: Int) -> Bool { !isCounted(table, within: rule.spacing) }

  /// Notes whether a table has many ended rows.
  func noteCrowd(_ isCrowded: Bool, in table: Int) {
    let now = rule.uptime()
    state.withLock { $0.counted[table] = (now, isCrowded) }
  }

  /// Whether a table had many ended rows at the last count. An old count says nothing.
  func isCrowded(_ table: Int) -> Bool {
    isCounted(table, within: rule.spacing * 2) && state.withLock { $0.counted[table]?.isCrowded == true }
  }

  private func isCounted(_ table: Int, within time: Duration) -> Bool {
    let now = rule.uptime()
    return state.withLock { state in state.counted[table].map { now - $0.at < time } ?? false }
  }
}
