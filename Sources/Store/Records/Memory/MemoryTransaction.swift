/// A transaction over a snapshot.
final class MemoryTransaction: EngineTransaction {
  private(set) var tables: [MemoryTable]
  private(set) var changed = ChangedRows()
  /// The entries that were looked at, those of rows that have ended included.
  private(set) var visited = 0
  private let layouts: [TableLayout]

  init(_ tables: [MemoryTable], _ layouts: [TableLayout]) {
    self.tables = tables
    self.layouts = layouts
  }

  func version(of table: Int) -> Int { layouts[table].version }

  func clock() -> Int64? { nil }

  func row(_ table: Int, _ key: RecordKey) -> StoredRow? { tables[table].rows[key.bytes]?.row }

  func entry(_ table: Int, index: Int, _ value: RecordKey) -> FoundRow? {
    let rows = tables[table]
    guard let key = rows.key(value, inIndex: index), let entry = rows.rows[key.bytes] else { return nil }
    return FoundRow(key: key, value: value, row: entry.row)
  }

  func nearest(_ table: Int, _ key: RecordKey, in range: KeyRange) -> FoundRow? {
    var found: FoundRow?
    func take(_ bytes: [UInt8], _ entry: MemoryTable.Entry) -> Bool {
      found = FoundRow(key: RecordKey(stored: bytes), value: nil, row: entry.row)
      return false
    }
    let rows = tables[table].rows
    rows.forEach(from: range.lower, to: key.successor, isDescending: true, take)
    if found == nil { rows.forEach(from: key.successor, to: range.upper, take) }
    return found
  }

  func scan(_ scan: Scan) -> [FoundRow] {
    var found: [FoundRow] = []
    visited += tables[scan.table].forEach(in: scan) { row in
      found.append(row)
      return found.count < scan.limit
    }
    return found
  }

  func count(_ scan: Scan) -> Int {
    var count = 0
    visited += tables[scan.table].forEach(in: scan) { _ in
      count += 1
      return count < scan.limit
    }
    return count
  }

  func put(_ table: Int, _ key: RecordKey, _ row: StoredRow, _ values: [[RecordKey]]) {
    changed.add(table, key)
    tables[table].put(key, .init(row: row, values: values))
  }

  func delete(_ table: Int, _ key: RecordKey, at now: Int64) -> Bool {
    guard let old = tables[table].remove(key) else { return false }
    changed.add(table, key)
    return old.row.isLive(at: now)
  }

  func delete(_ table: Int, _ range: KeyRange) -> Int {
    var keys: [RecordKey] = []
    tables[table].rows.forEach(from: range.lower, to: range.upper) { key, _ in
      keys.append(RecordKey(stored: key))
      return true
    }
    for key in keys { _ = tables[table].remove(key) }
    if !keys.isEmpty { changed.addAll(table) }
    return keys.count
  }

  func deleteExpired(_ table: Int, after position: EndPosition, until end: Int64, limit: Int) -> RemovedRows {
    var removed = RemovedRows()
    for key in tables[table].keys(endingAfter: position, until: end, limit: limit) {
      guard let old = tables[table].remove(key) else { continue }
      changed.add(table, key)
      removed.add(EndPosition(old.row.expires ?? .max, key))
    }
    return removed
  }

  func rows(_ table: Int, endingAfter position: EndPosition, until end: Int64, limit: Int) -> [FoundRow] {
    let keys = tables[table].keys(endingAfter: position, until: end, limit: limit)
    visited += keys.count
    return keys.compactMap { key in row(table, key).map { FoundRow(key: key, value: nil, row: $0) } }
  }

  func countExpired(_ table: Int, at now: Int64, limit: Int) -> Int {
    tables[table].keys(endingAfter: EndPosition(.min), until: now, limit: limit).count
  }
}
