internal import Records

/// A transaction of PostgreSQL. All values are parameters of prepared statements.
///
/// It begins with its first statement, in the same exchange with the server. Rows that are put are sent with
/// the next read, or with the commit. The first statement of a read runs alone, without a transaction. If a
/// second one follows, the transaction begins and repeats the first: with the same rows the read goes on,
/// with others it runs again.
final class PostgreSQLTransaction: EngineTransaction {
  /// How the transaction begins.
  enum Start: Sendable {
    case write
    /// A read, without a transaction as long as it has one statement.
    case single
    /// A read with a transaction.
    case read
  }

  private let connection: ServerConnection
  private let tables: [ServerStatements]
  private let versions: [Int]
  private let deadline: Deadline
  private let statementTimeout: Duration
  private let serverClock: ServerClock
  private let start: Start
  private(set) var changed = ChangedRows()
  /// The first failure, after which the server refuses everything.
  private(set) var failure: ServerFailure?
  /// True once the beginning has been sent.
  private(set) var isBegun = false
  /// The first statement of a read without a transaction, and its rows.
  private var first: (command: ServerCommand, rows: ServerRows)?
  /// Changes that have not been sent.
  private var waiting: [ServerCommand] = []
  private var waitingSize = 0
  /// Maximum number of changes that wait, and of their bytes.
  private static let waitingLimits = (count: 256, size: 1 << 20)

  init(_ connection: ServerConnection, _ context: EngineContext, _ deadline: Deadline, _ start: Start) {
    self.connection = connection
    tables = context.statements
    versions = context.writeVersions
    statementTimeout = context.statementTimeout
    serverClock = context.clock
    self.deadline = deadline
    self.start = start
  }

  func version(of table: Int) -> Int { versions[table] }

  func clock() throws(RecordStoreError) -> Int64? {
    ServerRows.integer(try query(serverClock.statement, []).rows.first?.first ?? nil)
  }

  // MARK: Statements

  private var begin: ServerCommand {
    ServerCommand(
      start == .write
        ? "BEGIN ISOLATION LEVEL SERIALIZABLE READ WRITE" : "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
  }

  private func query(_ sql: String, _ values: [ServerValue]) throws(RecordStoreError) -> ServerRows {
    let command = ServerCommand(sql, values)
    do throws(ServerFailure) {
      if let failure { throw failure }
      return try start == .single && !isBegun ? single(command) : exchange([command])
    } catch {
      failure = error
      throw .unavailable(error.reason)
    }
  }

  /// Runs the first statement of a read alone. With the second one, the transaction begins.
  private func single(_ command: ServerCommand) throws(ServerFailure) -> ServerRows {
    guard let first else {
      let rows = try run([command])
      first = (command, rows)
      return rows
    }
    isBegun = true
    let rows = try connection.run([begin, first.command, command], end)
    guard rows.count == 3, rows[1] == first.rows else {
      throw .refused(
        state: ServerFailure.serializationFailure, message: "rows have changed between two reads")
    }
    return rows[2]
  }

  /// Sends the beginning and what waits before `commands`, and returns the rows of the last one.
  private func exchange(_ commands: [ServerCommand]) throws(ServerFailure) -> ServerRows {
    let all = (isBegun ? [] : [begin]) + waiting + commands
    (waiting, waitingSize) = ([], 0)
    isBegun = true
    return try run(all)
  }

  private func run(_ commands: [ServerCommand]) throws(ServerFailure) -> ServerRows {
    try connection.run(commands, end).last ?? ServerRows(rows: [], changed: 0)
  }

  private var end: Deadline { deadline.orSooner(after: statementTimeout) }

  /// Sends what waits, a record of the transaction, and the commit.
  func commit(_ record: ServerCommand?) throws(ServerFailure) {
    if let failure { throw failure }
    if record == nil, !isBegun { return }
    _ = try exchange((record.map { [$0] } ?? []) + [ServerCommand("COMMIT")])
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

  func nearest(_ table: Int, _ key: RecordKey, in range: KeyRange) throws(RecordStoreError) -> FoundRow? {
    let values = [key.successor, range.lower, range.upper].map { ServerValue.bytes($0) }
    return try query(tables[table].nearest, values).rows.first.map {
      FoundRow(key: Self.key($0[0]), value: nil, row: Self.stored($0, from: 1))
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
    let command = ServerCommand(
      tables[table].put, parameters + values.map { .bytesArray($0.map(\.bytes)) })
    waiting.append(command)
    waitingSize += command.size
    guard waiting.count >= Self.waitingLimits.count || waitingSize >= Self.waitingLimits.size else { return }
    do throws(ServerFailure) {
      if let failure { throw failure }
      _ = try exchange([])
    } catch {
      failure = error
      throw .unavailable(error.reason)
    }
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

  func deleteExpired(_ table: Int, after position: EndPosition, until end: Int64, limit: Int)
    throws(RecordStoreError) -> RemovedRows
  {
    var removed = RemovedRows()
    for row in try query(tables[table].deleteExpired, Self.values(position, end, limit)).rows {
      let key = Self.key(row[0])
      changed.add(table, key)
      removed.add(EndPosition(ServerRows.integer(row[1]) ?? end, key))
    }
    return removed
  }

  private static func values(_ position: EndPosition, _ end: Int64, _ limit: Int) -> [ServerValue] {
    [.integer(position.time), .bytes(position.key.bytes), .integer(end), .integer(Int64(limit))]
  }

  func rows(_ table: Int, endingAfter position: EndPosition, until end: Int64, limit: Int)
    throws(RecordStoreError) -> [FoundRow]
  {
    return try query(tables[table].ending, Self.values(position, end, limit)).rows.map { row in
      FoundRow(key: Self.key(row[0]), value: nil, row: Self.stored(row, from: 1))
    }
  }

  func countExpired(_ table: Int, at now: Int64, limit: Int) throws(RecordStoreError) -> Int {
    let rows = try query(tables[table].countExpired, [.integer(now), .integer(Int64(limit))]).rows
    return Int(ServerRows.integer(rows.first?.first ?? nil) ?? 0)
  }
}
