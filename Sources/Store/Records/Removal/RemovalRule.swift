/// How long rows are kept after they have ended.
///
/// A clock that is ahead for a moment must not remove anything, because a removal cannot be taken back. A row is removed
/// only if it had ended some uptime of the store ago, and every clock that was seen since agreed.
package struct RemovalRule: Sendable {
  /// The uptime between the pass that first finds a row ended and the one that removes it.
  package var memory = Duration.seconds(86_400)
  /// The same where a table that strangers can fill has many ended rows.
  package var crowdedMemory = Duration.seconds(1_800)
  /// Maximum number of ended rows of such a table that are kept for the longer memory.
  package var crowd = 1_000_000
  /// The uptime between two sightings that are stored. Rows are kept longer by as much. Also the
  /// uptime after which ended rows are counted again, and up to which end rows were removed is forgotten. A count is
  /// valid for twice as long.
  package var spacing = Duration.seconds(600)
  /// The time since the start of the process by a clock that is never set. It does not count the time in which the machine
  /// is suspended.
  package var uptime: @Sendable () -> Duration = { ProcessStart.instant.duration(to: .now) }

  /// A day, by sightings that are ten minutes apart.
  package init() {}

  /// The longest time between two passes that counts as uptime: a process that was stopped for longer saw no clock.
  static let longestPause = Duration.seconds(3_600)

  /// The uptime after which it is stored, in seconds. A crash loses as much. While there is little, it is stored more
  /// often: processes that do not live long add up to a day all the same.
  static func storedEvery(_ uptime: Int64) -> Int64 { min(max(10, uptime / 10), 60) }
}

private enum ProcessStart {
  static let instant = SuspendingClock.now
}
