internal import Records
internal import TokenSecurityBase

/// The tables of a database, and the migration of older ones, within the lock of ``NodeRegistry``.
struct ServerSchema {
  let registry: NodeRegistry
  /// False where an empty database is refused.
  let makesDatabase: Bool
  /// False where a database of an older program is refused.
  let migrates: Bool
  /// The version of this layout.
  private static let layoutVersion = 1

  /// Makes what the database lacks, and registers the node.
  func open(_ connection: ServerConnection, _ deadline: Deadline) throws -> NodeRegistry.Registration {
    try registry.clock.check(connection, deadline)
    return try registry.locked(connection, deadline) {
      if try name("records.tables", connection, deadline) == nil {
        try checkNames(connection, deadline)
        guard makesDatabase else {
          throw RecordStoreError.databaseEmpty("the database \(registry.database)")
        }
        try make(connection, deadline)
      }
      let layout = try connection.query("SELECT version FROM \"records.layout\"", [], deadline).rows.first?[0]
      guard ServerRows.integer(layout ?? nil) ?? 0 <= Int64(Self.layoutVersion) else {
        throw RecordStoreError.databaseTooNew("the database \(registry.database)")
      }
      let versions = try registry.databaseVersions(connection, deadline)
      try registry.check(versions)
      if !migrates { try checkVersions(versions) }
      for layout in registry.layouts {
        if let version = versions[ExactString(layout.name)] {
          try migrate(layout, from: version, connection, deadline)
        } else {
          try make(layout, connection, deadline)
        }
      }
      return try registry.beat(connection, deadline)
    }
  }

  /// Checks that the database has all tables in the versions of this program: then nothing is made, and no
  /// version is raised.
  private func checkVersions(_ versions: [ExactString: Int]) throws(RecordStoreError) {
    for layout in registry.layouts where versions[ExactString(layout.name)] != layout.version {
      throw .databaseTooOld("the database \(registry.database)")
    }
  }

  /// The name of a table as text; nil if there is no such table.
  private func name(
    _ table: String, _ connection: ServerConnection, _ deadline: Deadline
  ) throws(ServerFailure) -> [UInt8]? {
    try connection.query("SELECT to_regclass($1)::text", [.text("\"\(table)\"")], deadline).rows.first?[0]
      ?? nil
  }

  /// Checks that no other program has made tables with the names of this one's.
  private func checkNames(_ connection: ServerConnection, _ deadline: Deadline) throws {
    for layout in registry.layouts {
      guard try name(layout.name, connection, deadline) == nil else {
        throw RecordStoreError.databaseForeign(
          "the database \(registry.database) has a table \(layout.name), which this program has not made")
      }
    }
  }

  private func make(_ connection: ServerConnection, _ deadline: Deadline) throws {
    try connection.simple(
      """
      CREATE TABLE "records.layout" (version int8 NOT NULL);
      INSERT INTO "records.layout" VALUES (\(Self.layoutVersion));
      CREATE TABLE "records.tables" (name text PRIMARY KEY, version int4 NOT NULL);
      CREATE TABLE "records.nodes" (
        id int8 PRIMARY KEY, heartbeat timestamptz NOT NULL, tables text NOT NULL);
      CREATE TABLE "records.transactions" (
        id int8 PRIMARY KEY, committed timestamptz NOT NULL DEFAULT now(),
        xid xid8 NOT NULL DEFAULT pg_current_xact_id(), changes text NOT NULL);
      CREATE INDEX "records.transactions..committed" ON "records.transactions" (committed);
      CREATE INDEX "records.transactions..xid" ON "records.transactions" (xid)
      """, deadline)
  }

  private func make(_ layout: TableLayout, _ connection: ServerConnection, _ deadline: Deadline) throws {
    try connection.simple(
      """
      CREATE TABLE "\(layout.name)" (
        key bytea PRIMARY KEY, version int4 NOT NULL, expires int8, row bytea NOT NULL);
      CREATE INDEX "\(layout.name)..expires" ON "\(layout.name)" (expires, key) WHERE expires IS NOT NULL;
      INSERT INTO "records.tables" VALUES ('\(layout.name)', 0)
      """, deadline)
    for index in layout.indexes { try make(index, of: layout, connection, deadline) }
  }

  private func make(
    _ index: IndexLayout, of layout: TableLayout, _ connection: ServerConnection, _ deadline: Deadline
  ) throws {
    let name = "\(layout.name).\(index.name)"
    try connection.simple(
      """
      CREATE TABLE "\(name)" (
        value bytea NOT NULL, key bytea NOT NULL REFERENCES "\(layout.name)" (key) ON DELETE CASCADE,
        PRIMARY KEY (value\(index.isUnique ? "" : ", key")));
      CREATE INDEX "\(name)..key" ON "\(name)" (key)
      """, deadline)
  }

  /// The indexes of a table in the database, and whether they are unique: then their key is the value alone.
  private func indexes(
    of layout: TableLayout, _ connection: ServerConnection, _ deadline: Deadline
  ) throws(ServerFailure) -> [ExactString: Bool] {
    let rows = try connection.query(
      """
      SELECT relname::text, indnkeyatts
      FROM pg_class JOIN pg_index ON indrelid = pg_class.oid AND indisprimary
      WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace AND starts_with(relname::text, $1)
      """, [.text("\(layout.name).")], deadline
    ).rows
    var indexes: [ExactString: Bool] = [:]
    for row in rows {
      let name = String(NodeRegistry.text(row[0]).dropFirst(layout.name.count + 1))
      indexes[ExactString(name)] = ServerRows.integer(row[1]) == 1
    }
    return indexes
  }

  /// Adds and removes indexes of a table. Older programs would not fill new ones, so none may be live.
  private func migrate(
    _ layout: TableLayout, from version: Int, _ connection: ServerConnection, _ deadline: Deadline
  ) throws {
    let known = try indexes(of: layout, connection, deadline)
    let declared = Dictionary(
      layout.indexes.map { (ExactString($0.name), $0.isUnique) }, uniquingKeysWith: { first, _ in first })
    guard known != declared else { return }
    guard version < layout.version else {
      throw RecordStoreError.tableRefused(
        table: layout.name, reason: "its indexes have changed and its version has not")
    }
    let live = try registry.others(connection, deadline)
    guard !live.contains(where: { $0[ExactString(layout.name)].map { $0 < layout.version } ?? false }) else {
      throw RecordStoreError.tableRefused(
        table: layout.name, reason: "its indexes have changed: stop the nodes of the older version first")
    }
    for (name, isUnique) in known where declared[name] != isUnique {
      try connection.simple("DROP TABLE \"\(layout.name).\(name.text)\"", deadline)
    }
    for (number, index) in layout.indexes.enumerated()
    where known[ExactString(index.name)] != index.isUnique {
      try make(index, of: layout, connection, deadline)
      try fill(number, of: layout, connection, deadline)
    }
    // Rows in older versions remain, but a program without the indexes must not write.
    _ = try connection.query(
      "UPDATE \"records.tables\" SET version = $1 WHERE name = $2",
      [.smallInteger(Int32(layout.version)), .text(layout.name)], deadline)
  }

  /// Adds the values of all rows to a new index, in portions.
  private func fill(
    _ number: Int, of layout: TableLayout, _ connection: ServerConnection, _ deadline: Deadline
  ) throws {
    let name = "\(layout.name).\(layout.indexes[number].name)"
    var last: [UInt8] = []
    while true {
      let rows = try connection.query(
        "SELECT key, version, expires, row FROM \"\(layout.name)\" WHERE key > $1 ORDER BY key LIMIT 500",
        [.bytes(last)], deadline
      ).rows
      for row in rows {
        let key = PostgreSQLTransaction.key(row[0])
        // A row that cannot be read is found by its key alone.
        let values = layout.indexValues(PostgreSQLTransaction.stored(row, from: 1), key)?[number] ?? []
        for value in Set(values) {
          do throws(ServerFailure) {
            _ = try connection.query(
              "INSERT INTO \"\(name)\" (value, key) VALUES ($1, $2)",
              [.bytes(value.bytes), .bytes(key.bytes)], deadline)
          } catch {
            guard error.isUniqueViolation else { throw error }
            throw RecordStoreError.tableRefused(
              table: layout.name, reason: "rows have the same value in the unique index \(name)")
          }
        }
      }
      guard let next = rows.last?[0] ?? nil else { return }
      last = next
    }
  }
}
