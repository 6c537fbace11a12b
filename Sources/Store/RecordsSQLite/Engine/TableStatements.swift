internal import Records

/// The names and statements of a table.
///
/// Rows are in a table of its name. Each index is a table of values and keys, whose entries are removed with
/// their rows; the index by key finds them.
struct TableStatements: Sendable {
  let layout: TableLayout
  let row, nearest, put, delete, deleteRange, deleteExpired, ending, countExpired: String
  let indexes: [IndexStatements]

  /// The statements of an index.
  struct IndexStatements: Sendable {
    let name: String
    let entry, values, add, remove: String
  }

  private static let live = "(t.expires IS NULL OR t.expires > ?)"

  init(_ layout: TableLayout) {
    self.layout = layout
    let table = "\"\(layout.name)\""
    row = "SELECT version, expires, row FROM \(table) WHERE key = ?"
    // ?1 is the key's successor, which no row has: a search that meets its key ends earlier than another. The second part
    // runs only where the first one finds nothing.
    nearest = """
      SELECT key, version, expires, row FROM (
        SELECT * FROM (SELECT key, version, expires, row FROM \(table)
          WHERE key >= ?2 AND key < ?1 ORDER BY key DESC LIMIT 1)
        UNION ALL
        SELECT * FROM (SELECT key, version, expires, row FROM \(table)
          WHERE key >= ?1 AND key < ?3 ORDER BY key LIMIT 1)
      ) LIMIT 1
      """
    put = """
      INSERT INTO \(table) (key, version, expires, row) VALUES (?, ?, ?, ?)
      ON CONFLICT (key) DO UPDATE SET version = excluded.version, expires = excluded.expires,
        row = excluded.row
      """
    delete = "DELETE FROM \(table) WHERE key = ? RETURNING expires"
    deleteRange = "DELETE FROM \(table) WHERE key >= ? AND key < ?"
    deleteExpired = """
      DELETE FROM \(table) WHERE key IN (
        SELECT key FROM \(table) WHERE (expires, key) > (?, ?) AND expires <= ?
        ORDER BY expires, key LIMIT ?) RETURNING key, expires
      """
    ending = """
      SELECT key, version, expires, row FROM \(table) WHERE (expires, key) > (?, ?) AND expires <= ?
      ORDER BY expires, key LIMIT ?
      """
    countExpired = "SELECT count(*) FROM (SELECT 1 FROM \(table) WHERE expires <= ? LIMIT ?)"
    indexes = layout.indexes.map { index in
      let name = "\"\(layout.name).\(index.name)\""
      return IndexStatements(
        name: name,
        entry: """
          SELECT t.key, t.version, t.expires, t.row FROM \(name) i CROSS JOIN \(table) t ON t.key = i.key
          WHERE i.value = ?
          """,
        values: "SELECT value FROM \(name) WHERE key = ?",
        add: "INSERT INTO \(name) (value, key) VALUES (?, ?)",
        remove: "DELETE FROM \(name) WHERE value = ? AND key = ?")
    }
  }

  /// The statement of a scan. Its parameters are the range, the entry after which it begins, the time and the
  /// limit.
  func scan(_ scan: Scan, columns: String) -> String {
    let (order, comparison) = scan.isDescending ? ("DESC", "<") : ("ASC", ">")
    guard let index = scan.index else {
      return """
        SELECT \(columns) FROM "\(layout.name)" t WHERE t.key >= ? AND t.key < ? AND \(Self.live)
        ORDER BY t.key \(order) LIMIT ?
        """
    }
    let after = scan.after == nil ? "" : "AND (i.value, i.key) \(comparison) (?, ?)"
    return """
      SELECT \(columns) FROM \(indexes[index].name) i CROSS JOIN "\(layout.name)" t ON t.key = i.key
      WHERE i.value >= ? AND i.value < ? \(after) AND \(Self.live)
      ORDER BY i.value \(order), i.key \(order) LIMIT ?
      """
  }

  /// The columns of a scan's rows.
  static func columns(_ scan: Scan) -> String {
    "t.key, t.version, t.expires, t.row" + (scan.index == nil ? "" : ", i.value")
  }
}
