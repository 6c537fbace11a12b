internal import Records
internal import Synchronization

/// Removes records of transactions that no node asks for any more, in portions, which run as calls of the
/// pool.
///
/// They are an hour old by the server's clock, which may be ahead, and had ended when this node took a snapshot some time
/// ago by a clock that is never set.
final class CommitRecordRemoval: Sendable {
  private let pool: ConnectionPool
  private let settings: PostgreSQLSettings
  private let isRunning = Atomic<Bool>(false)
  /// The snapshots of the last minutes, the first one first.
  private let snapshots = Mutex<[(taken: SuspendingClock.Instant, text: String)]>([])

  /// Maximum number of records in a portion.
  private static let portion = 5_000

  init(_ pool: ConnectionPool, _ settings: PostgreSQLSettings) {
    self.pool = pool
    self.settings = settings
  }

  /// Begins to remove, unless it runs.
  ///
  /// - Parameter snapshot: the state of the database that this node has just seen.
  func begin(_ snapshot: String) {
    let now = SuspendingClock.now
    let old = snapshots.withLock { snapshots -> String? in
      snapshots.append((now, snapshot))
      guard let last = snapshots.lastIndex(where: { now - $0.taken >= settings.recordsKept }) else {
        return nil
      }
      snapshots.removeFirst(last)
      return snapshots[0].text
    }
    guard let old,
      isRunning.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing).exchanged
    else { return }
    next(old)
  }

  private func next(_ snapshot: String) {
    pool.add(Portion(self, snapshot, Deadline(after: settings.callTimeout)))
  }

  private func end() { isRunning.store(false, ordering: .releasing) }

  private final class Portion: ServerJob {
    let deadline: Deadline
    private let removal: CommitRecordRemoval
    private let snapshot: String

    init(_ removal: CommitRecordRemoval, _ snapshot: String, _ deadline: Deadline) {
      self.removal = removal
      self.snapshot = snapshot
      self.deadline = deadline
    }

    /// The next heartbeat begins again after a failure.
    func fail(_ error: RecordStoreError) { removal.end() }

    func run(_ connection: ServerConnection) -> JobStep {
      do throws(ServerFailure) {
        // Each node takes other records than those that remove now. Numbers that this server has not reached are of
        // another one, from a dump.
        let removed = try connection.query(
          """
          DELETE FROM "records.transactions" WHERE id IN (
            SELECT id FROM "records.transactions" WHERE committed < now() - interval '1 hour'
              AND (xid < pg_snapshot_xmin($1::pg_snapshot) OR xid >= pg_snapshot_xmax(pg_current_snapshot()))
            ORDER BY committed LIMIT \(CommitRecordRemoval.portion) FOR UPDATE SKIP LOCKED)
          """, [.text(snapshot)], deadline.orSooner(after: removal.settings.statementTimeout + .seconds(1))
        ).changed
        if removed == CommitRecordRemoval.portion { removal.next(snapshot) } else { removal.end() }
      } catch {
        removal.end()
      }
      return .finished
    }
  }
}
