internal import Records

/// The record of a committed transaction: its id in `"records.transactions"`.
///
/// A node whose connection was lost while it committed inserts the id itself. PostgreSQL waits with that until
/// the lost transaction has ended, if the server still runs it. An id that is there already means that it was
/// committed. If it was not, it cannot be any more, since its own insertion fails.
enum CommitRecord {
  /// The statements that record, notify and commit, sent at once.
  static func commit(_ id: Int64, _ changed: ChangedRows, _ statements: [ServerStatements]) -> String {
    // An integer, and a text without quotes.
    """
    INSERT INTO "records.transactions" (id) VALUES (\(id));
    NOTIFY \(ChangeNotification.channel), '\(ChangeNotification.text(id, changed, tables: statements.map(\.layout.name)))';
    COMMIT
    """
  }

  /// Returns true if a transaction was committed. Otherwise it never will be.
  static func isCommitted(
    _ id: Int64, _ connection: ServerConnection, _ deadline: Deadline
  ) throws(ServerFailure) -> Bool {
    try connection.query(
      "INSERT INTO \"records.transactions\" (id) VALUES ($1) ON CONFLICT (id) DO NOTHING", [.integer(id)],
      deadline
    ).changed == 0
  }
}
