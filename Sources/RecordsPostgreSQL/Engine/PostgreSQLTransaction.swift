internal import Records

/// A transaction of PostgreSQL. All values are parameters of prepared statements.
final class PostgreSQLTransaction: EngineTransaction {
  private let connection: ServerConnection
  private let tables: [ServerStatements]
  private let versions: [Int]
  private let deadline: Deadline
  private let statementTimeout: Duration
  private(set) var changed = ChangedRows()
  /// The first failure, after which the server refuses everything.
  private(set) var failure: ServerFailure?

  init(_ connection: ServerConnection, _ context: EngineContext, _ deadline: Deadline) {
    self.connection = connection
    tables = context.statements
    versions = context.writeVersions
    statementTimeout = context.statementTimeout
    self.deadline = deadline
  }

  func version(of table: Int) -> Int { versions[table] }

  private func query(_ sql: String, _ values: [ServerValue]) throws(RecordStoreError) -> ServerRows {
    do throws(ServerFailure) {
      if let failure { throw failure }
      return try connection.query(sql, values, deadline.orSooner(after: statementTimeout))
    } catch {
      failure = error
      throw .unavailable(error.reason)
    }
  }

  // MARK: Reads

  /// The row in three columns.
  static func stored(_ row: [[UInt8]?], from column: Int) -> StoredRow {
    StoredRow(
      version: ServerRows.integer(row[column]).map { Int($0) } ?? .max,
      expires: ServerRows.integer(row[column + 1]), bytes: row[column + 2] ?? [])
  }

  static func key(_ bytes: [UInt8]?) -> RecordKey { RecordKey(stored: bytes ?? []) }

  func row(_ table: Int, _ key: RecordKey) throws(RecordStoreError) -> StoredRow? {
    try query(tables[table].row, [.bytes(key.bytes)]).rows.first.map { Self.stored($0, from: 0) }
  }

  func entry(_ table: Int, index: Int, _ value: RecordKey) throws(RecordStoreError) -> FoundRow? {
    try query(tables[table].entries[index], [.bytes(value.bytes)]).rows.first.map {
      FoundRow(key: Self.key($0[0]), value: value, row: Self.stored($0, from: 1))
    }
  }

  private func values(_ scan: Scan) -> [ServerValue] {
    var values: [ServerValue] = [
      .bytes(scan.range.lower), .bytes(scan.range.upper), .integer(scan.now), .integer(Int64(scan.limit)),
    ]
    if scan.index != nil, let after = scan.after {
      values += [.bytes(after.value.bytes), .bytes(after.key.bytes)]
    }
    return values
  }

  func scan(_ scan: Scan) throws(RecordStoreError) -> [FoundRow] {
    let sql = tables[scan.table].scan(scan, columns: ServerStatements.columns(scan))
    return try query(sql, values(scan)).rows.map { row in
      FoundRow(
        key: Self.key(row[0]), value: scan.index == nil ? nil : Self.key(row[4]),
        row: Self.stored(row, from: 1))
    }
  }

  func count(_ scan: Scan) throws(RecordStoreError) -> Int {
    let sql = "SELECT count(*) FROM (\(tables[scan.table].scan(scan, columns: "1"))) AS found"
    return Int(ServerRows.integer(try query(sql, values(scan)).rows.first?.first ?? nil) ?? 0)
  }

  // MARK: Changes

  func put(_ table: Int, _ key: RecordKey, _ row: StoredRow, _ values: [[RecordKey]])
    throws(RecordStoreError)
  {
    changed.add(table, key)
    let parameters: [ServerValue] = [
      .bytes(key.bytes), .smallInteger(Int32(clamping: row.version)),
      row.expires.map { .integer($0) } ?? .noInteger, .bytes(row.bytes),
    ]
    _ = try query(tables[table].put, parameters + values.map { .bytesArray($0.map(\.bytes)) })
  }

  func delete(_ table: Int, _ key: RecordKey, at now: Int64) throws(RecordStoreError) -> Bool {
    guard let row = try query(tables[table].delete, [.bytes(key.bytes)]).rows.first else { return false }
    changed.add(table, key)
    return ServerRows.integer(row[0]).map { $0 > now } ?? true
  }

  func delete(_ table: Int, _ range: KeyRange) throws(RecordStoreError) -> Int {
    let count = try query(tables[table].deleteRange, [.bytes(range.lower), .bytes(range.upper)]).changed
    if count > 0 { changed.addAll(table) }
    return count
  }

  func deleteExpired(_ table: Int, at now: Int64, limit: Int) throws(RecordStoreError) -> Int {
    let rows = try query(tables[table].deleteExpired, [.integer(now), .integer(Int64(limit))]).rows
    for row in rows { changed.add(table, Self.key(row[0])) }
    return rows.count
  }
}
