internal import Foundation
internal import GRDB
internal import Records
internal import TokenSecurityEncodings

/// The tables of a database, and the migration of older ones.
///
/// `"records.tables"` has a row for each declared table: the newest version of its rows that a program had when
/// it opened the file, and the number of transactions that changed the table.
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
      guard let layout = layouts[ExactString(row[0])], layout.version >= (row[1] as Int) else {
        throw RecordStoreError.databaseTooNew(path)
      }
    }
  }

  /// Adds the tables and indexes that the database lacks, within a transaction.
  func migrate(_ connection: Database) throws {
    for table in tables {
      let layout = table.layout
      let version = try Int.fetchOne(
        connection, sql: "SELECT version FROM \"records.tables\" WHERE name = ?", arguments: [layout.name])
      if version == layout.version {
        guard try indexes(of: layout, connection) == Set(layout.indexes.map { ExactString($0.name) }) else {
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

  /// The names of a table's indexes in the database.
  private func indexes(of layout: TableLayout, _ connection: Database) throws -> Set<ExactString> {
    let prefix = "\(layout.name)."
    let names = try String.fetchAll(connection, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'")
    return Set(
      names.filter { $0.utf8.starts(with: prefix.utf8) }.map {
        ExactString(String($0.dropFirst(prefix.count)))
      })
  }

  private func migrateIndexes(of table: any DeclaredTable, _ connection: Database) throws {
    let layout = table.layout
    let known = try indexes(of: layout, connection)
    for name in known where !layout.indexes.contains(where: { ExactString($0.name) == name }) {
      try connection.execute(sql: "DROP TABLE \"\(layout.name).\(name.text)\"")
    }
    for (place, index) in layout.indexes.enumerated() where !known.contains(ExactString(index.name)) {
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
        for value in Set(layout.indexValues(stored, key)?[place] ?? []) {
          try connection.execute(
            sql: "INSERT INTO \"\(name)\" (value, key) VALUES (?, ?)",
            arguments: [Data(value.bytes), Data(key.bytes)])
        }
      }
    }
  }
}
