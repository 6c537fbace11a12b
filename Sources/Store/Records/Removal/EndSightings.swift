/// The times by which rows have ended, as the passes of the removal have seen them.
///
/// A sighting says that the clock had passed `time` when the store's uptime was `uptime`, and that every clock which was
/// seen since had passed it, too. So each row with an end of at most `time` that was there then was found ended by that
/// pass and by all since. A list for the store is worth as much as a mark on each row.
package struct EndSightings: Sendable, Equatable {
  /// A time that the clock had passed, and when.
  package struct Sighting: Sendable, Equatable {
    /// Microseconds since 1970.
    package let time: Int64
    /// Seconds.
    package let uptime: Int64
  }

  /// Seconds in which a process was up that removes rows. Times in which several were are counted once.
  package private(set) var uptime: Int64
  /// The sightings, the earliest first. Both of their numbers grow.
  package private(set) var seen: [Sighting]

  package init(uptime: Int64 = 0, seen: [Sighting] = []) {
    self.uptime = uptime
    self.seen = seen
  }

  /// Adds what a pass has seen.
  ///
  /// - Parameters:
  ///   - clock: the earliest clock since the pass before, in microseconds since 1970.
  ///   - uptime: the store's uptime, in seconds.
  ///   - rule: what is kept.
  package mutating func add(_ clock: Int64, at uptime: Int64, _ rule: RemovalRule) {
    self.uptime = max(self.uptime, uptime)
    // By this clock some of the rows may not have ended: it was ahead, or is behind now.
    seen.removeAll { $0.time > clock }
    let (time, isTooEarly) = clock.subtractingReportingOverflow(RecordLimits.removalDelay)
    let isNews =
      seen.last.map { time > $0.time && self.uptime - $0.uptime >= rule.spacing.wholeSeconds } ?? true
    if isNews, !isTooEarly { seen.append(Sighting(time: time, uptime: self.uptime)) }
    // Of those that are old enough the last one says the most.
    let isOld = lastOld(rule.memory)
    if let isOld { seen.removeFirst(isOld) }
  }

  /// Adds uptime alone.
  package mutating func add(uptime: Int64) { self.uptime = max(self.uptime, uptime) }

  /// The time until which a row must have ended to be removed after some uptime; nil where none may be.
  package func removable(after memory: Duration) -> Int64? { lastOld(memory).map { seen[$0].time } }

  private func lastOld(_ memory: Duration) -> Int? {
    seen.lastIndex { uptime - $0.uptime >= memory.wholeSeconds }
  }
}
