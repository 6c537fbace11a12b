/// Cached rows of one age.
struct CacheGeneration: Sendable {
  /// The cached data of a table.
  struct Table: Sendable {
    var rows: [RecordKey: StoredRow] = [:]
    var entries: [Entry: FoundRow] = [:]
    var scans: [Scan: CachedScan] = [:]
    var bytes = 0
  }

  /// A value in a unique index.
  struct Entry: Sendable, Hashable {
    let index: Int
    let value: RecordKey
  }

  /// The rows of a scan at a time.
  struct CachedScan: Sendable {
    let rows: [FoundRow]
    let now: Int64
  }

  private(set) var tables: [Table]
  private(set) var bytes = 0

  init(tables: Int) { self.tables = Array(repeating: Table(), count: tables) }

  /// An estimate of a row's bytes in memory: its bytes, the value that was decoded from them, key and entry.
  static func weight(_ key: RecordKey, _ row: StoredRow) -> Int {
    256 + 2 * key.bytes.count + 3 * row.bytes.count
  }

  static func weight(_ scan: Scan, _ rows: [FoundRow]) -> Int {
    rows.reduce(256 + scan.range.lower.count + scan.range.upper.count) { $0 + weight($1.key, $1.row) }
  }

  static func weight(_ value: RecordKey) -> Int { 192 + value.bytes.count }

  private mutating func add(_ weight: Int, to table: Int) {
    tables[table].bytes += weight
    bytes += weight
  }

  mutating func insert(_ table: Int, _ key: RecordKey, _ row: StoredRow) {
    if tables[table].rows.updateValue(row, forKey: key) == nil { add(Self.weight(key, row), to: table) }
  }

  mutating func insert(_ table: Int, _ entry: Entry, _ row: FoundRow) {
    if tables[table].entries.updateValue(row, forKey: entry) == nil {
      add(Self.weight(entry.value), to: table)
    }
  }

  mutating func insert(_ scan: Scan, _ cached: CachedScan) {
    if let old = tables[scan.table].scans.updateValue(cached, forKey: scan) {
      add(-Self.weight(scan, old.rows), to: scan.table)
    }
    add(Self.weight(scan, cached.rows), to: scan.table)
  }

  /// Removes rows of a table and all of its scans. An entry of a unique index is valid only with its row.
  mutating func remove(_ table: Int, _ keys: [RecordKey]) {
    for key in keys {
      if let row = tables[table].rows.removeValue(forKey: key) { add(-Self.weight(key, row), to: table) }
    }
    for (scan, cached) in tables[table].scans { add(-Self.weight(scan, cached.rows), to: table) }
    tables[table].scans = [:]
  }

  /// Removes everything of a table.
  mutating func removeAll(_ table: Int) {
    bytes -= tables[table].bytes
    tables[table] = Table()
  }
}
