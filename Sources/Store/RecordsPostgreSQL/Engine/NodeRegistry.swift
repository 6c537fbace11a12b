internal import Records
internal import TokenSecurityBase

/// The nodes on a database, and the versions of tables that they read.
///
/// `"records.nodes"` has a row for each node, with the time of its last heartbeat by the server's clock.
/// `"records.tables"` has the version in which rows may have been written: the newest one that all live nodes
/// read. A program that does not read it is refused, and no row is written in a newer one, so that nodes of
/// two versions run side by side.
struct NodeRegistry: Sendable {
  let id: Int64
  let layouts: [TableLayout]
  let database: String
  let clock: ServerClock

  /// How long a node counts as live after its last heartbeat. A node stops writing ten seconds earlier, so
  /// that its last commits have ended.
  private static let lifetime = "30 seconds"
  /// How long after its last heartbeat a node stays live with another one. Others may count it as gone soon,
  /// and then it registers again.
  private static let refreshable = "25 seconds"
  /// "RECS": the number of the advisory lock of all changes to the schema.
  private static let lock = 0x5245_4353

  /// Runs `body` in a transaction that no other node's runs beside.
  func locked<Value>(
    _ connection: ServerConnection, _ deadline: Deadline, _ body: () throws -> Value
  ) throws -> Value {
    try connection.simple("BEGIN; SELECT pg_advisory_xact_lock(\(Self.lock))", deadline)
    return try commit(connection, deadline, body)
  }

  /// Runs `body` as ``locked(_:_:_:)`` does; nil while another node has the lock, which may migrate for
  /// minutes.
  func lockedNow<Value>(
    _ connection: ServerConnection, _ deadline: Deadline, _ body: () throws -> Value
  ) throws -> Value? {
    try connection.simple("BEGIN", deadline)
    let sql = "SELECT 1 WHERE pg_try_advisory_xact_lock(\(Self.lock))"
    let isLocked = try !connection.simple(sql, deadline).rows.isEmpty
    return try commit(connection, deadline) { isLocked ? try body() : nil }
  }

  private func commit<Value>(
    _ connection: ServerConnection, _ deadline: Deadline, _ body: () throws -> Value
  ) throws -> Value {
    do {
      let value = try body()
      try connection.simple("COMMIT", deadline)
      return value
    } catch {
      _ = try? connection.simple("ROLLBACK", deadline)
      throw error
    }
  }

  /// The versions in the database, by table.
  func databaseVersions(
    _ connection: ServerConnection, _ deadline: Deadline
  ) throws(ServerFailure) -> [ExactString: Int] {
    let rows = try connection.query("SELECT name, version FROM \"records.tables\"", [], deadline).rows
    var versions: [ExactString: Int] = [:]
    for row in rows {
      versions[ExactString(Self.text(row[0]))] = Int(ServerRows.integer(row[1]) ?? 0)
    }
    return versions
  }

  /// Checks that no row may have been written in a version, or to a table, that this program does not read.
  func check(_ versions: [ExactString: Int]) throws(RecordStoreError) {
    for (name, version) in versions where version > 0 {
      guard let layout = layouts.first(where: { ExactString($0.name) == name }), layout.version >= version
      else { throw .databaseTooNew("the database \(database)") }
    }
  }

  /// The versions of each live node's tables, this node's not included.
  func others(
    _ connection: ServerConnection, _ deadline: Deadline
  ) throws(ServerFailure) -> [[ExactString: Int]] {
    let rows = try connection.query(
      """
      SELECT tables FROM "records.nodes" WHERE heartbeat > now() - interval '\(Self.lifetime)' AND id <> $1
      """, [.integer(id)], deadline
    ).rows
    return rows.map { row in
      var versions: [ExactString: Int] = [:]
      for part in Self.text(row[0]).parts(at: ",") {
        let sides = part.parts(at: "=")
        if sides.count == 2, let version = Int(sides[1]) { versions[ExactString(sides[0])] = version }
      }
      return versions
    }
  }

  /// The data of a registered node.
  struct Registration: Sendable {
    /// The version in which rows of each table are written.
    let versions: [Int]
    /// A moment before the heartbeat.
    let asked: ContinuousClock.Instant
  }

  /// Registers this node, and raises the versions in the database that all live nodes read. Within the lock.
  func beat(_ connection: ServerConnection, _ deadline: Deadline) throws -> Registration {
    let asked = ContinuousClock.now
    let known = try databaseVersions(connection, deadline)
    try check(known)
    let tables = layouts.map { "\($0.name)=\($0.version)" }.joined(separator: ",")
    _ = try connection.query(
      """
      INSERT INTO "records.nodes" (id, heartbeat, tables) VALUES ($1, clock_timestamp(), $2)
      ON CONFLICT (id) DO UPDATE SET heartbeat = excluded.heartbeat, tables = excluded.tables
      """, [.integer(id), .text(tables)], deadline)
    let others = try others(connection, deadline)
    var versions: [Int] = []
    for layout in layouts {
      let name = ExactString(layout.name)
      // A live node that does not know the table may be started again: until it has gone, the version is not
      // raised. Rows have the version that the nodes with the table read.
      let readable = others.map { $0[name] ?? 0 }.min().map { min($0, layout.version) } ?? layout.version
      if let version = known[name], readable > version {
        _ = try connection.query(
          "UPDATE \"records.tables\" SET version = $1 WHERE name = $2",
          [.smallInteger(Int32(readable)), .text(layout.name)], deadline)
      }
      versions.append(others.compactMap { $0[name] }.min().map { min($0, layout.version) } ?? layout.version)
    }
    return Registration(versions: versions, asked: asked)
  }

  /// Shows that this node is live, and returns true if others could not count it as gone meanwhile.
  func refresh(_ connection: ServerConnection, _ deadline: Deadline) throws(ServerFailure) -> Bool {
    try connection.query(
      """
      UPDATE "records.nodes" SET heartbeat = clock_timestamp()
      WHERE id = $1 AND heartbeat > clock_timestamp() - interval '\(Self.refreshable)'
      """, [.integer(id)], deadline
    ).changed == 1
  }

  /// Removes this node, so that others need not write versions for it.
  func leave(_ connection: ServerConnection, _ deadline: Deadline) {
    _ = try? connection.query("DELETE FROM \"records.nodes\" WHERE id = $1", [.integer(id)], deadline)
  }

  /// Removes nodes that have gone.
  func removeGone(_ connection: ServerConnection, _ deadline: Deadline) throws(ServerFailure) {
    try connection.simple(
      "DELETE FROM \"records.nodes\" WHERE heartbeat < now() - interval '1 day'", deadline)
  }

  static func text(_ bytes: [UInt8]?) -> String { String(decoding: bytes ?? [], as: UTF8.self) }
}
