internal import Records

/// The statements of a table.
///
/// Rows are in a table of its name. Each index is a table of values and keys, whose entries are removed with
/// their rows; the index by key finds them.
struct ServerStatements: Sendable {
  let layout: TableLayout
  let row, nearest, put, delete, deleteRange, deleteExpired, ending, countExpired: String
  /// The statements that find a value of each index.
  let entries: [String]

  private static func live(_ parameter: Int) -> String { "(t.expires IS NULL OR t.expires > $\(parameter))" }

  init(_ layout: TableLayout) {
    self.layout = layout
    let table = "\"\(layout.name)\""
    row = "SELECT version, expires, row FROM \(table) WHERE key = $1"
    // $1 is the key's successor. Each part finds a row at most, and the first one's key is the smaller one.
    nearest = """
      (SELECT key, version, expires, row FROM \(table) WHERE key >= $2 AND key < $1 ORDER BY key DESC LIMIT 1)
      UNION ALL
      (SELECT key, version, expires, row FROM \(table) WHERE key >= $1 AND key < $3 ORDER BY key LIMIT 1)
      ORDER BY key LIMIT 1
      """
    // One statement, so that a change costs one exchange with the server.
    var parts = [
      """
      written AS (INSERT INTO \(table) (key, version, expires, row) VALUES ($1, $2, $3, $4)
        ON CONFLICT (key) DO UPDATE
          SET version = excluded.version, expires = excluded.expires, row = excluded.row)
      """
    ]
    for (number, index) in layout.indexes.enumerated() {
      let (name, values) = ("\"\(layout.name).\(index.name)\"", "$\(5 + number)")
      parts.append("removed\(number) AS (DELETE FROM \(name) WHERE key = $1 AND value <> ALL (\(values)))")
      parts.append(
        """
        added\(number) AS (INSERT INTO \(name) (value, key) SELECT v, $1 FROM unnest(\(values)) v
          WHERE NOT EXISTS (SELECT 1 FROM \(name) WHERE value = v AND key = $1))
        """)
    }
    put = "WITH \(parts.joined(separator: ",\n")) SELECT 1"
    delete = "DELETE FROM \(table) WHERE key = $1 RETURNING expires"
    deleteRange = "DELETE FROM \(table) WHERE key >= $1 AND key < $2"
    deleteExpired = """
      DELETE FROM \(table) WHERE key IN (
        SELECT key FROM \(table) WHERE (expires, key) > ($1, $2) AND expires <= $3
        ORDER BY expires, key LIMIT $4) RETURNING key, expires
      """
    ending = """
      SELECT key, version, expires, row FROM \(table) WHERE (expires, key) > ($1, $2) AND expires <= $3
      ORDER BY expires, key LIMIT $4
      """
    countExpired = "SELECT count(*) FROM (SELECT 1 FROM \(table) WHERE expires <= $1 LIMIT $2) AS ended"
    entries = layout.indexes.map { index in
      """
      SELECT t.key, t.version, t.expires, t.row FROM "\(layout.name).\(index.name)" i
      JOIN \(table) t ON t.key = i.key WHERE i.value = $1
      """
    }
  }

  /// The statement of a scan. Its parameters are the range, the time, the limit, and the entry after which it
  /// begins.
  func scan(_ scan: Scan, columns: String) -> String {
    let (order, comparison) = scan.isDescending ? ("DESC", "<") : ("ASC", ">")
    guard let index = scan.index else {
      return """
        SELECT \(columns) FROM "\(layout.name)" t WHERE t.key >= $1 AND t.key < $2 AND \(Self.live(3))
        ORDER BY t.key \(order) LIMIT $4
        """
    }
    let after = scan.after == nil ? "" : "AND (i.value, i.key) \(comparison) ($5, $6)"
    return """
      SELECT \(columns) FROM "\(layout.name).\(layout.indexes[index].name)" i
      JOIN "\(layout.name)" t ON t.key = i.key
      WHERE i.value >= $1 AND i.value < $2 AND \(Self.live(3)) \(after)
      ORDER BY i.value \(order), i.key \(order) LIMIT $4
      """
  }

  /// The columns of a scan's rows.
  static func columns(_ scan: Scan) -> String {
    "t.key, t.version, t.expires, t.row" + (scan.index == nil ? "" : ", i.value")
  }
}
