/// Reads from the cache alone. Where something is not cached the read fails, to be repeated on the engine.
final class CachedTransaction: EngineTransaction {
  private let cache: RowCache
  private let versions: TableVersions
  /// True once something was not cached.
  private(set) var isIncomplete = false

  init(_ cache: RowCache, _ versions: TableVersions) {
    self.cache = cache
    self.versions = versions
  }

  /// Ends the run of the closure. The error reaches no caller.
  private func found<Value>(_ value: Value?) throws(RecordStoreError) -> Value {
    if let value { return value }
    isIncomplete = true
    throw .transactionEnded
  }

  func row(_ table: Int, _ key: RecordKey) throws(RecordStoreError) -> StoredRow? {
    try found(cache.row(table, key, versions))
  }

  func entry(_ table: Int, index: Int, _ value: RecordKey) throws(RecordStoreError) -> FoundRow? {
    try found(cache.entry(table, index, value, versions))
  }

  // Never from the cache, which has rows of some keys alone.
  func nearest(_ table: Int, _ key: RecordKey, in range: KeyRange) throws(RecordStoreError) -> FoundRow? {
    try found(FoundRow??.none)
  }

  func scan(_ scan: Scan) throws(RecordStoreError) -> [FoundRow] { try found(cache.scan(scan, versions)) }

  func count(_ scan: Scan) throws(RecordStoreError) -> Int { try found(Int?.none) }

  func version(of table: Int) -> Int { 0 }

  // A read has no way to call these.
  func clock() throws(RecordStoreError) -> Int64? { try found(nil) }
  func put(_ table: Int, _ key: RecordKey, _ row: StoredRow, _ values: [[RecordKey]])
    throws(RecordStoreError)
  { try found(Void?.none) }
  func delete(_ table: Int, _ key: RecordKey, at now: Int64) throws(RecordStoreError) -> Bool {
    try found(nil)
  }
  func delete(_ table: Int, _ range: KeyRange) throws(RecordStoreError) -> Int { try found(nil) }
  func deleteExpired(_ table: Int, after position: EndPosition, until end: Int64, limit: Int)
    throws(RecordStoreError) -> RemovedRows
  { try found(nil) }
  func rows(_ table: Int, endingAfter position: EndPosition, until end: Int64, limit: Int)
    throws(RecordStoreError) -> [FoundRow]
  { try found(nil) }
  func countExpired(_ table: Int, at now: Int64, limit: Int) throws(RecordStoreError) -> Int {
    try found(nil)
  }
}
