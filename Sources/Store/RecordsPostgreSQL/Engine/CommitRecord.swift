internal import Records

/// The record of a committed transaction in `"records.transactions"`: its id, and the rows that it has
/// changed, which other nodes read there.
///
/// A node whose connection was lost while it committed inserts the id itself. PostgreSQL waits with that
/// until the lost transaction has ended, if the server still runs it. An id that is there already means that
/// it was committed. If it was not, it cannot be any more, since its own insertion fails.
///
/// The statement that records a transaction also checks the versions of the tables: a node that others have
/// counted as gone commits nothing after they wrote rows that it does not read, or added indexes that it does
/// not fill.
struct CommitRecord: Sendable {
  private let tables: [String]
  private let insertion: String

  init(_ layouts: [TableLayout]) {
    tables = layouts.map(\.name)
    let unknown = layouts.map { "WHEN '\($0.name)' THEN \($0.version)" }.joined(separator: " ")
    // A null is refused, and the transaction with it.
    insertion = """
      INSERT INTO "records.transactions" (id, changes) SELECT $1, CASE WHEN EXISTS (
        SELECT FROM "records.tables" WHERE version > CASE name \(unknown) ELSE 0 END) THEN NULL ELSE $2 END
      """
  }

  /// The statement that records a transaction.
  func command(_ id: Int64, _ changed: ChangedRows) -> ServerCommand {
    ServerCommand(insertion, [.integer(id), .text(RecordedChanges.text(id, changed, tables: tables))])
  }

  /// Returns true for the failure of a transaction of a program that is too old.
  static func isRefused(_ failure: ServerFailure) -> Bool {
    guard case .refused(let state, _) = failure else { return false }
    return state.utf8.elementsEqual("23502".utf8)
  }

  /// Returns true if a transaction was committed. Otherwise it never will be.
  static func isCommitted(
    _ id: Int64, _ connection: ServerConnection, _ deadline: Deadline
  ) throws(ServerFailure) -> Bool {
    let nothing = RecordedChanges.text(id, ChangedRows(), tables: [])
    return try connection.query(
      """
      INSERT INTO "records.transactions" (id, changes) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING
      """, [.integer(id), .text(nothing)], deadline
    ).changed == 0
  }

  /// The changes of the transactions that a snapshot did not show, and the snapshot in which they are
  /// visible.
  ///
  /// Transactions become visible in another order than they began in. Those are returned that had not begun
  /// when the snapshot was taken, or had not ended, so that none is left out and none is returned twice.
  /// Records of another server, from a dump, may have numbers that this one has not reached.
  static func changes(
    since snapshot: String?, _ connection: ServerConnection, _ deadline: Deadline
  ) throws(ServerFailure) -> (snapshot: String, changes: [String]) {
    let now = "SELECT pg_current_snapshot()::text, NULL::text"
    guard let snapshot else {
      return (NodeRegistry.text(try connection.query(now, [], deadline).rows.first?[0] ?? nil), [])
    }
    let rows = try connection.query(
      """
      \(now) UNION ALL (
        SELECT NULL, changes FROM "records.transactions"
        WHERE xid >= pg_snapshot_xmax($1::pg_snapshot) AND xid < pg_snapshot_xmax(pg_current_snapshot())
        UNION ALL
        SELECT NULL, changes FROM "records.transactions"
        WHERE xid = ANY (ARRAY(SELECT pg_snapshot_xip($1::pg_snapshot)))
        LIMIT \(limit + 1))
      """, [.text(snapshot)], deadline
    ).rows
    return (
      rows.compactMap { $0[0] }.first.map { NodeRegistry.text($0) } ?? snapshot,
      rows.compactMap { $0[1] }.map { NodeRegistry.text($0) }
    )
  }

  /// Maximum number of transactions whose changes are read one by one.
  static let limit = 1_000
}
