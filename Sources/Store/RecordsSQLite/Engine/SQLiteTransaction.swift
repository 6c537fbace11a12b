internal import Foundation
internal import GRDB
internal import Records

/// A transaction of SQLite. All values are bound as parameters of prepared statements.
final class SQLiteTransaction: EngineTransaction {
  private let connection: Database
  private let tables: [TableStatements]
  private(set) var changed = ChangedRows()

  init(_ connection: Database, _ tables: [TableStatements]) {
    self.connection = connection
    self.tables = tables
  }

  func version(of table: Int) -> Int { tables[table].layout.version }

  func clock() -> Int64? { nil }

  // MARK: Statements

  private typealias Value = (any DatabaseValueConvertible)?

  /// Reads rows until `take` returns false.
  private func each(
    _ sql: String, _ values: [Value], _ take: (Row) -> Bool
  ) throws(RecordStoreError) {
    do {
      let rows = try Row.fetchCursor(
        try connection.cachedStatement(sql: sql), arguments: StatementArguments(values))
      while let row = try rows.next(), take(row) {}
    } catch {
      throw SQLiteEngine.storeError(error)
    }
  }

  private func execute(_ sql: String, _ values: [Value]) throws(RecordStoreError) {
    do {
      try connection.cachedStatement(sql: sql).execute(arguments: StatementArguments(values))
    } catch {
      throw SQLiteEngine.storeError(error)
    }
  }

  static func key(_ row: Row, _ column: Int) -> RecordKey { RecordKey(stored: bytes(row, column)) }

  static func bytes(_ row: Row, _ column: Int) -> [UInt8] {
    // An empty BLOB has no address. A value of another type, in a damaged file, is read as empty.
    (try? row.withUnsafeData(atIndex: column) { $0.map { Array($0) } }) ?? nil ?? []
  }

  private static func integer(_ row: Row, _ column: Int) -> Int64? {
    Int64.fromDatabaseValue(row[column] as DatabaseValue)
  }

  /// The row in three columns.
  static func stored(_ row: Row, from column: Int) -> StoredRow {
    StoredRow(
      version: integer(row, column).map { Int($0) } ?? .max, expires: integer(row, column + 1),
      bytes: bytes(row, column + 2))
  }

  // MARK: Reads

  func row(_ table: Int, _ key: RecordKey) throws(RecordStoreError) -> StoredRow? {
    var found: StoredRow?
    try each(tables[table].row, [Data(key.bytes)]) { row in
      found = Self.stored(row, from: 0)
      return false
    }
    return found
  }

  func entry(_ table: Int, index: Int, _ value: RecordKey) throws(RecordStoreError) -> FoundRow? {
    var found: FoundRow?
    try each(tables[table].indexes[index].entry, [Data(value.bytes)]) { row in
      found = FoundRow(key: Self.key(row, 0), value: value, row: Self.stored(row, from: 1))
      return false
    }
    return found
  }

  func nearest(_ table: Int, _ key: RecordKey, in range: KeyRange) throws(RecordStoreError) -> FoundRow? {
    var found: FoundRow?
    let values = [Data(key.successor), Data(range.lower), Data(range.upper)]
    try each(tables[table].nearest, values) { row in
      found = FoundRow(key: Self.key(row, 0), value: nil, row: Self.stored(row, from: 1))
      return false
    }
    return found
  }

  private func values(_ scan: Scan) -> [Value] {
    var values: [Value] = [Data(scan.range.lower), Data(scan.range.upper)]
    if scan.index != nil, let after = scan.after {
      values += [Data(after.value.bytes), Data(after.key.bytes)]
    }
    return values + [scan.now, scan.limit]
  }

  func scan(_ scan: Scan) throws(RecordStoreError) -> [FoundRow] {
    var found: [FoundRow] = []
    let sql = tables[scan.table].scan(scan, columns: TableStatements.columns(scan))
    try each(sql, values(scan)) { row in
      let value = scan.index == nil ? nil : Self.key(row, 4)
      found.append(FoundRow(key: Self.key(row, 0), value: value, row: Self.stored(row, from: 1)))
      return true
    }
    return found
  }

  func count(_ scan: Scan) throws(RecordStoreError) -> Int {
    var count = 0
    try each("SELECT count(*) FROM (\(tables[scan.table].scan(scan, columns: "1")))", values(scan)) { row in
      count = Self.integer(row, 0).map { Int($0) } ?? 0
      return false
    }
    return count
  }

  // MARK: Changes

  func put(_ table: Int, _ key: RecordKey, _ row: StoredRow, _ values: [[RecordKey]])
    throws(RecordStoreError)
  {
    let statements = tables[table]
    changed.add(table, key)
    let keyData = Data(key.bytes)
    try execute(statements.put, [keyData, row.version, row.expires, Data(row.bytes)])
    for (index, values) in zip(statements.indexes, values) {
      var missing = Set(values)
      var outdated: [RecordKey] = []
      try each(index.values, [keyData]) { row in
        let value = Self.key(row, 0)
        if missing.remove(value) == nil { outdated.append(value) }
        return true
      }
      for value in outdated { try execute(index.remove, [Data(value.bytes), keyData]) }
      for value in missing { try execute(index.add, [Data(value.bytes), keyData]) }
    }
  }

  func delete(_ table: Int, _ key: RecordKey, at now: Int64) throws(RecordStoreError) -> Bool {
    var (wasThere, wasLive) = (false, false)
    // A statement with RETURNING has done its work before it returns the first row.
    try each(tables[table].delete, [Data(key.bytes)]) { row in
      wasThere = true
      wasLive = Self.integer(row, 0).map { $0 > now } ?? true
      return true
    }
    if wasThere { changed.add(table, key) }
    return wasLive
  }

  func delete(_ table: Int, _ range: KeyRange) throws(RecordStoreError) -> Int {
    try execute(tables[table].deleteRange, [Data(range.lower), Data(range.upper)])
    let count = connection.changesCount
    if count > 0 { changed.addAll(table) }
    return count
  }

  func deleteExpired(_ table: Int, after position: EndPosition, until end: Int64, limit: Int)
    throws(RecordStoreError) -> RemovedRows
  {
    var (keys, removed): ([RecordKey], RemovedRows) = ([], RemovedRows())
    try each(tables[table].deleteExpired, [position.time, Data(position.key.bytes), end, limit]) { row in
      let key = Self.key(row, 0)
      keys.append(key)
      removed.add(EndPosition(Self.integer(row, 1) ?? end, key))
      return true
    }
    for key in keys { changed.add(table, key) }
    return removed
  }

  func rows(_ table: Int, endingAfter position: EndPosition, until end: Int64, limit: Int)
    throws(RecordStoreError) -> [FoundRow]
  {
    var found: [FoundRow] = []
    try each(tables[table].ending, [position.time, Data(position.key.bytes), end, limit]) { row in
      found.append(FoundRow(key: Self.key(row, 0), value: nil, row: Self.stored(row, from: 1)))
      return true
    }
    return found
  }

  func countExpired(_ table: Int, at now: Int64, limit: Int) throws(RecordStoreError) -> Int {
    var count = 0
    try each(tables[table].countExpired, [now, limit]) { row in
      count = Self.integer(row, 0).map { Int($0) } ?? 0
      return false
    }
    return count
  }
}
