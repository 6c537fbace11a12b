/// The rows, index entries and scans of a read.
struct RecordedReads: Sendable {
  var rows: [(table: Int, key: RecordKey, row: StoredRow)] = []
  var entries: [(table: Int, index: Int, entry: FoundRow)] = []
  var scans: [(scan: Scan, rows: [FoundRow])] = []

  var isEmpty: Bool { rows.isEmpty && entries.isEmpty && scans.isEmpty }
}

/// Reads from an engine, and records what was found. A row that is cached with the same bytes is not decoded again.
final class RecordingTransaction: EngineTransaction {
  private let engine: any EngineTransaction
  private let cache: RowCache
  private let isRecording: Bool
  private(set) var recorded = RecordedReads()
  /// Maximum number of rows in a cached scan.
  private static let scanLimit = 64

  /// A transaction over that of an engine; without a record for writes, whose rows the cache does not take.
  init(_ engine: any EngineTransaction, _ cache: RowCache, isRecording: Bool = true) {
    self.engine = engine
    self.cache = cache
    self.isRecording = isRecording
  }

  func row(_ table: Int, _ key: RecordKey) throws(RecordStoreError) -> StoredRow? {
    guard let row = try engine.row(table, key).map({ cache.known(table, key, as: $0) }) else { return nil }
    if isRecording { recorded.rows.append((table, key, row)) }
    return row
  }

  func entry(_ table: Int, index: Int, _ value: RecordKey) throws(RecordStoreError) -> FoundRow? {
    guard let found = try engine.entry(table, index: index, value) else { return nil }
    let row = cache.known(table, found.key, as: found.row)
    let entry = FoundRow(key: found.key, value: found.value, row: row)
    if isRecording { recorded.entries.append((table, index, entry)) }
    return entry
  }

  // Neither cached nor compared with what is: the work is the same for all keys.
  func nearest(_ table: Int, _ key: RecordKey, in range: KeyRange) throws(RecordStoreError) -> FoundRow? {
    try engine.nearest(table, key, in: range)
  }

  func scan(_ scan: Scan) throws(RecordStoreError) -> [FoundRow] {
    let rows = try engine.scan(scan)
    // Ranges without rows are not cached: callers could invent any number of them.
    if isRecording, !rows.isEmpty, rows.count <= Self.scanLimit { recorded.scans.append((scan, rows)) }
    return rows
  }

  func count(_ scan: Scan) throws(RecordStoreError) -> Int { try engine.count(scan) }

  func clock() throws(RecordStoreError) -> Int64? { try engine.clock() }

  func version(of table: Int) -> Int { engine.version(of: table) }

  func put(_ table: Int, _ key: RecordKey, _ row: StoredRow, _ values: [[RecordKey]])
    throws(RecordStoreError)
  { try engine.put(table, key, row, values) }

  func delete(_ table: Int, _ key: RecordKey, at now: Int64) throws(RecordStoreError) -> Bool {
    try engine.delete(table, key, at: now)
  }

  func delete(_ table: Int, _ range: KeyRange) throws(RecordStoreError) -> Int {
    try engine.delete(table, range)
  }

  func deleteExpired(_ table: Int, after position: EndPosition, until end: Int64, limit: Int)
    throws(RecordStoreError) -> RemovedRows
  { try engine.deleteExpired(table, after: position, until: end, limit: limit) }

  func rows(_ table: Int, endingAfter position: EndPosition, until end: Int64, limit: Int)
    throws(RecordStoreError) -> [FoundRow]
  { try engine.rows(table, endingAfter: position, until: end, limit: limit) }

  func countExpired(_ table: Int, at now: Int64, limit: Int) throws(RecordStoreError) -> Int {
    try engine.countExpired(table, at: now, limit: limit)
  }
}
