internal import Foundation
internal import GRDB
internal import Records
internal import TokenSecurityBase

/// The tables of a database, and the migration of older ones.
///
/// `"records.tables"` has a row for each declared table: the newest version of its rows that a program had
/// when it opened the file, and the number of transactions that changed the table.
struct Schema {
  let tables: [any DeclaredTable]
  let path: String

  /// "RECS", so that files of other programs are recognised.
  private static let applicationID: Int32 = 0x5245_4353
  /// The version of this layout, in `user_version`.
  private static let layoutVersion = 1

  /// Makes the tables of an empty database.
  func make(_ connection: Database) throws {
    try connection.execute(
      sql: """
        PRAGMA application_id = \(Self.applicationID);
        PRAGMA user_version = \(Self.layoutVersion);
        CREATE TABLE "records.tables" (
          name TEXT PRIMARY KEY, version INTEGER NOT NULL, change INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """)
    try migrate(connection)
  }

  /// Checks that a database is one of this program and not newer than it. Changes nothing.
  func check(_ connection: Database) throws {
    guard try connection.tableExists("records.tables") else {
      throw RecordStoreError.databaseForeign(
        "\(path) has no tables: it is a copy without its -wal file, or not a database of this program")
    }
    guard try Int32.fetchOne(connection, sql: "PRAGMA application_id") == Self.applicationID else {
      throw RecordStoreError.databaseForeign("\(path) is not a database of this program")
    }
    guard try Int.fetchOne(connection, sql: "PRAGMA user_version") ?? 0 <= Self.layoutVersion else {
      throw RecordStoreError.databaseTooNew(path)
    }
    let layouts = Dictionary(
      tables.map { (ExactString($0.name), $0.layout) }, uniquingKeysWith: { first, _ in first })
    for row in try Row.fetchAll(connection, sql: "SELECT name, version FROM \"records.tables\"") {
      guard let name = String.fromDatabaseValue(row[0]), let version = Int.fromDatabaseValue(row[1]) else {
        throw RecordStoreError.fileRefused("\(path) is damaged: the list of its tables cannot be read")
      }
      guard let layout = layouts[ExactString(name)], layout.version >= version else {
        throw RecordStoreError.databaseTooNew(path)
      }
    }
  }

  /// Checks that the database has all tables in the versions of this program.
  func checkVersions(_ connection: Database) throws {
    for table in tables {
      let version = try Int.fetchOne(
        connection, sql: "SELECT version FROM \"records.tables\" WHERE name = ?", arguments: [table.name])
      guard version == table.layout.version else { throw RecordStoreError.databaseTooOld(path) }
    }
  }

  /// Adds the tables and indexes that the database lacks, within a transaction.
  func migrate(_ connection: Database) throws {
    for table in tables {
      let layout = table.layout
      let version = try Int.fetchOne(
        connection, sql: "SELECT version FROM \"records.tables\" WHERE name = ?", arguments: [layout.name])
      if version == layout.version {
        guard try indexes(of: layout, connection) == Self.declared(layout) else {
          throw RecordStoreError.tableRefused(
            table: layout.name, reason: "its indexes have changed and its version has not")
        }
        continue
      }
      if version == nil { try make(layout, connection) }
      try migrateIndexes(of: table, connection)
      try connection.execute(
        sql: """
          INSERT INTO "records.tables" (name, version, change) VALUES (?, ?, 0)
          ON CONFLICT (name) DO UPDATE SET version = excluded.version, change = change + 1
          """, arguments: [layout.name, layout.version])
    }
  }

  private func make(_ layout: TableLayout, _ connection: Database) throws {
    try connection.execute(
      sql: """
        CREATE TABLE "\(layout.name)" (
          key BLOB PRIMARY KEY, version INTEGER NOT NULL, expires INTEGER, row BLOB NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX "\(layout.name)..expires" ON "\(layout.name)" (expires, key) WHERE expires IS NOT NULL;
        """)
  }

  private static func declared(_ layout: TableLayout) -> [ExactString: Bool] {
    Dictionary(
      layout.indexes.map { (ExactString($0.name), $0.isUnique) }, uniquingKeysWith: { first, _ in first })
  }

  /// The indexes of a table in the database, and whether they are unique: then their key is the value alone.
  private func indexes(of layout: TableLayout, _ connection: Database) throws -> [ExactString: Bool] {
    let prefix = "\(layout.name)."
    let names = try String.fetchAll(connection, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'")
    var indexes: [ExactString: Bool] = [:]
    for name in names where name.utf8.starts(with: prefix.utf8) {
      let columns = try Int.fetchOne(
        connection, sql: "SELECT count(*) FROM pragma_table_info(?) WHERE pk > 0", arguments: [name])
      indexes[ExactString(String(name.dropFirst(prefix.count)))] = columns == 1
    }
    return indexes
  }

  private func migrateIndexes(of table: any DeclaredTable, _ connection: Database) throws {
    let layout = table.layout
    let (known, declared) = (try indexes(of: layout, connection), Self.declared(layout))
    for (name, isUnique) in known where declared[name] != isUnique {
      try connection.execute(sql: "DROP TABLE \"\(layout.name).\(name.text)\"")
    }
    for (number, index) in layout.indexes.enumerated()
    where known[ExactString(index.name)] != index.isUnique {
      let name = "\(layout.name).\(index.name)"
      try connection.execute(
        sql: """
          CREATE TABLE "\(name)" (
            value BLOB NOT NULL, key BLOB NOT NULL REFERENCES "\(layout.name)" (key) ON DELETE CASCADE,
            PRIMARY KEY (value\(index.isUnique ? "" : ", key"))
          ) STRICT, WITHOUT ROWID;
          CREATE INDEX "\(name)..key" ON "\(name)" (key);
          """)
      let rows = try Row.fetchCursor(
        connection, sql: "SELECT key, version, expires, row FROM \"\(layout.name)\"")
      while let row = try rows.next() {
        let (key, stored) = (SQLiteTransaction.key(row, 0), SQLiteTransaction.stored(row, from: 1))
        // A row that cannot be read is found by its key alone.
        for value in layout.indexValues(stored, key)?[number] ?? [] {
          do {
            try connection.execute(
              sql: "INSERT INTO \"\(name)\" (value, key) VALUES (?, ?)",
              arguments: [Data(value.bytes), Data(key.bytes)])
          } catch let error as DatabaseError
            where error.extendedResultCode == .SQLITE_CONSTRAINT_PRIMARYKEY
          {
            throw RecordStoreError.tableRefused(
              table: layout.name, reason: "rows have the same value in the unique index \(name)")
          }
        }
      }
    }
  }
}
