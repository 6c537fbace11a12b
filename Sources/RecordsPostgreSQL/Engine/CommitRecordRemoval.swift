internal import Records
internal import Synchronization

/// Removes records of transactions that no node asks for any more, in portions, which run as calls of the
/// pool.
final class CommitRecordRemoval: Sendable {
  private let pool: ConnectionPool
  private let settings: PostgreSQLSettings
  private let isRunning = Atomic<Bool>(false)

  /// The most records of a portion.
  private static let portion = 5_000

  init(_ pool: ConnectionPool, _ settings: PostgreSQLSettings) {
    self.pool = pool
    self.settings = settings
  }

  /// Begins to remove, unless it runs.
  func begin() {
    guard
      isRunning.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing).exchanged
    else { return }
    next()
  }

  private func next() { pool.add(Portion(self, Deadline(after: settings.callTimeout))) }

  private func end() { isRunning.store(false, ordering: .releasing) }

  private final class Portion: ServerJob {
    let deadline: Deadline
    private let removal: CommitRecordRemoval

    init(_ removal: CommitRecordRemoval, _ deadline: Deadline) {
      self.removal = removal
      self.deadline = deadline
    }

    /// The next heartbeat begins again after a failure.
    func fail(_ error: RecordStoreError) { removal.end() }

    func run(_ connection: ServerConnection) -> JobStep {
      do throws(ServerFailure) {
        // Each node takes other records than those that remove now.
        let removed = try connection.query(
          """
          DELETE FROM "records.transactions" WHERE id IN (
            SELECT id FROM "records.transactions" WHERE committed < now() - interval '1 hour'
            ORDER BY committed LIMIT \(CommitRecordRemoval.portion) FOR UPDATE SKIP LOCKED)
          """, [], deadline.orSooner(after: removal.settings.statementTimeout + .seconds(1))
        ).changed
        if removed == CommitRecordRemoval.portion { removal.next() } else { removal.end() }
      } catch {
        removal.end()
      }
      return .finished
    }
  }
}
