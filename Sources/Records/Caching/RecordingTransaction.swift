/// What a read has read.
struct RecordedReads: Sendable {
  var rows: [(table: Int, key: RecordKey, row: StoredRow)] = []
  var entries: [(table: Int, index: Int, entry: FoundRow)] = []
  var scans: [(scan: Scan, rows: [FoundRow])] = []

  var isEmpty: Bool { rows.isEmpty && entries.isEmpty && scans.isEmpty }
}

/// Reads from an engine and records what was found.
final class RecordingTransaction: EngineTransaction {
  private let engine: any EngineTransaction
  private(set) var recorded = RecordedReads()
  /// The most rows of a scan that is cached.
  private static let scanLimit = 64

  init(_ engine: any EngineTransaction) { self.engine = engine }

  func row(_ table: Int, _ key: RecordKey) throws(RecordStoreError) -> StoredRow? {
    let row = try engine.row(table, key)
    if let row { recorded.rows.append((table, key, row)) }
    return row
  }

  func entry(_ table: Int, index: Int, _ value: RecordKey) throws(RecordStoreError) -> FoundRow? {
    let entry = try engine.entry(table, index: index, value)
    if let entry { recorded.entries.append((table, index, entry)) }
    return entry
  }

  func scan(_ scan: Scan) throws(RecordStoreError) -> [FoundRow] {
    let rows = try engine.scan(scan)
    // Ranges without rows are not cached: callers could invent any number of them.
    if !rows.isEmpty, rows.count <= Self.scanLimit { recorded.scans.append((scan, rows)) }
    return rows
  }

  func count(_ scan: Scan) throws(RecordStoreError) -> Int { try engine.count(scan) }

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

  func deleteExpired(_ table: Int, at now: Int64, limit: Int) throws(RecordStoreError) -> Int {
    try engine.deleteExpired(table, at: now, limit: limit)
  }
}
