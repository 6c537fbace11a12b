/// All rows of a memory store. A copy is a snapshot.
struct MemoryState: Sendable {
  var tables: [MemoryTable]
  var versions: TableVersions
}

/// A table in memory.
struct MemoryTable: Sendable {
  /// A row and its values in each index.
  struct Entry: Sendable {
    let row: StoredRow
    let values: [[RecordKey]]
  }

  private(set) var rows = OrderedMap<Entry>()
  /// The keys of rows by their values in each index.
  private(set) var indexes: [OrderedMap<RecordKey>]
  /// The keys of rows by their expirations.
  private(set) var expirations = OrderedMap<RecordKey>()

  init(indexes: Int) { self.indexes = Array(repeating: OrderedMap(), count: indexes) }

  /// The bytes by which an index orders a value and a key. No element begins with the zero byte between them,
  /// so a value comes before longer values that it begins.
  static func order(_ value: RecordKey, _ key: RecordKey) -> [UInt8] { value.bytes + [0] + key.bytes }

  private static func order(_ expires: Int64, _ key: RecordKey) -> [UInt8] {
    RecordKey(expires).bytes + key.bytes
  }

  /// The key of the first row with a value in an index.
  func key(_ value: RecordKey, inIndex index: Int) -> RecordKey? { indexes[index].first(value.bytes) }

  mutating func put(_ key: RecordKey, _ entry: Entry) {
    _ = remove(key)
    rows.put(key.bytes, entry)
    for (number, values) in entry.values.enumerated() {
      for value in values { indexes[number].put(Self.order(value, key), key) }
    }
    if let expires = entry.row.expires { expirations.put(Self.order(expires, key), key) }
  }

  mutating func remove(_ key: RecordKey) -> Entry? {
    guard let old = rows.remove(key.bytes) else { return nil }
    for (number, values) in old.values.enumerated() {
      for value in values { indexes[number].remove(Self.order(value, key)) }
    }
    if let expires = old.row.expires { expirations.remove(Self.order(expires, key)) }
    return old
  }

  /// The keys of rows that end after a position and until a time, in the order of their ends.
  func keys(endingAfter position: EndPosition, until end: Int64, limit: Int) -> [RecordKey] {
    guard limit > 0 else { return [] }
    var keys: [RecordKey] = []
    let lower = Self.order(position.time, position.key) + [0]
    // A row expires at its expiration: those up to the end.
    let upper = end == .max ? KeyRange.all.upper : RecordKey(end + 1).bytes
    expirations.forEach(from: lower, to: upper) { _, key in
      keys.append(key)
      return keys.count < limit
    }
    return keys
  }

  /// Calls `body` with the rows of a scan until it returns false, and returns the number of rows that it looked at.
  func forEach(in scan: Scan, _ body: (FoundRow) -> Bool) -> Int {
    var visited = 0
    func visit(_ found: FoundRow) -> Bool {
      visited += 1
      return found.row.isLive(at: scan.now) ? body(found) : true
    }
    guard let index = scan.index else {
      rows.forEach(from: scan.range.lower, to: scan.range.upper, isDescending: scan.isDescending) {
        visit(FoundRow(key: RecordKey(stored: $0), value: nil, row: $1.row))
      }
      return visited
    }
    var (lower, upper) = (scan.range.lower, scan.range.upper)
    if let after = scan.after {
      let position = Self.order(after.value, after.key)
      if scan.isDescending {
        if RecordKey.order(position, upper) < 0 { upper = position }
      } else if RecordKey.order(position, lower) >= 0 {
        lower = position + [0]
      }
    }
    indexes[index].forEach(from: lower, to: upper, isDescending: scan.isDescending) { bytes, key in
      guard let entry = rows[key.bytes] else { return true }
      let value = RecordKey(stored: Array(bytes.dropLast(key.bytes.count + 1)))
      return visit(FoundRow(key: key, value: value, row: entry.row))
    }
    return visited
  }
}
