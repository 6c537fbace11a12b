internal import Synchronization

/// Up to which position in the order of their ends the rows of each table were removed, as far as this process knows.
///
/// PostgreSQL keeps the entries of removed rows in its indexes until they are vacuumed. A portion that began at the start of
/// the index would pass over those of all portions before it, so it begins where the last one ended.
///
/// Rows with an earlier end can come later: from a clock that is behind, from another process, or where they have ended when
/// they are written. No write has to note them, because no position is kept for long: ten minutes of uptime after a portion
/// has begun at the start, another one does, and finds them. So does one that may not remove all that the last one might,
/// since the clock was corrected.
final class RemovedPositions: Sendable {
  /// A position, and at which uptime in seconds a portion has begun at the start.
  struct Known: Sendable, Equatable {
    let position: EndPosition
    let since: Int64
  }

  private let state = Mutex<[Int: Known]>([:])
  /// How long a position is kept, in seconds of uptime.
  private let age: Int64

  init(age: Duration) { self.age = age.wholeSeconds }

  /// Where the next portion of a table begins.
  ///
  /// - Parameters:
  ///   - table: the table.
  ///   - end: until when rows must have ended to be removed.
  ///   - uptime: the store's uptime in seconds.
  ///   - own: the position up to which the transaction itself has removed rows; nil for its first portion of the table.
  /// - Returns: the known position, or the start.
  func start(of table: Int, until end: Int64, at uptime: Int64, own: Known?) -> Known {
    let known = own ?? state.withLock { $0[table] }
    if let known, known.position.time <= end, uptime - known.since < age { return known }
    return Known(position: EndPosition(.min), since: uptime)
  }

  /// Notes what the transaction of a pass has removed. Called when it is committed.
  func note(_ positions: [Int: Known]) {
    if positions.isEmpty { return }
    state.withLock { $0.merge(positions) { $1 } }
  }
}
