package import GRDB
package import Records
internal import TokenLifetime

/// The conversion of a database that an earlier program made, with tables of its own.
///
/// It is one transaction: after a crash the file is as it was before.
package struct DatabaseConversion {
  private let connection: Database
  private let transaction: SQLiteTransaction
  private let tables: TableSet
  /// Writes rows to the new tables.
  package let rows: WriteTransaction<RecordStoreError>

  /// Converts a database, if it exists and is an earlier one.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - declared: the new tables.
  ///   - isEarlier: whether a database is an earlier one. It throws `databaseTooNew` for one that is newer.
  ///   - prepare: gives the earlier tables other names than the new ones.
  ///   - convert: writes the rows and removes the earlier tables.
  /// - Throws: `fileRefused`, `databaseTooNew`, `unavailable` and the errors of writing.
  package static func run(
    _ path: String, to declared: [any DeclaredTable], if isEarlier: (Database) throws -> Bool,
    prepare: (Database) throws -> Void, convert: (DatabaseConversion, Database) throws -> Void
  ) throws(RecordStoreError) {
    let tables = try TableSet(declared)
    guard PrivateFiles.exists(path) else { return }
    var configuration = Configuration()
    configuration.label = "records.conversion"
    configuration.busyMode = .timeout(10)
    configuration.foreignKeysEnabled = true
    do {
      try PrivateFiles.check(folder: PrivateFiles.folder(of: path))
      try DatabaseFile.checkFiles(path)
      guard try DatabaseFile.read(path, configuration, isEarlier) else { return }
      let database = try DatabaseQueue(path: path, configuration: configuration)
      try database.inDatabase { connection in
        try connection.execute(sql: "PRAGMA synchronous = FULL")
        try connection.inTransaction(.immediate) {
          // Another process may have converted it.
          guard try isEarlier(connection) else { return .rollback }
          try prepare(connection)
          try Schema(tables: declared, path: path).make(connection)
          let conversion = DatabaseConversion(connection, tables)
          try convert(conversion, connection)
          conversion.rows.end()
          return .commit
        }
      }
      try database.close()
    } catch {
      throw SQLiteEngine.storeError(error)
    }
  }

  private init(_ connection: Database, _ tables: TableSet) {
    self.connection = connection
    self.tables = tables
    transaction = SQLiteTransaction(connection, tables.layouts.map { TableStatements($0) })
    let runner = BodyRunner(tables: tables, damaged: DamagedRows { _, _ in })
    rows = WriteTransaction(on: transaction, runner, at: .earliest)
  }

  /// Keeps what an earlier row had that cannot be read. It remains a row that cannot be read.
  ///
  /// - Parameters:
  ///   - bytes: what it had.
  ///   - key: its key.
  ///   - table: its table.
  /// - Throws: the failure of the store.
  package func keep<Row: Sendable>(
    _ bytes: [UInt8], under key: RecordKey, in table: Records.Table<Row>
  ) throws(RecordStoreError) {
    let number = try tables.number(of: table.layout)
    let row = StoredRow(version: table.layout.version, expires: nil, bytes: bytes)
    try transaction.put(number, key, row, table.layout.indexes.map { _ in [] })
  }
}
