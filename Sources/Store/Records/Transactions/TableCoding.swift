extension Table {
  /// The row's key, within its bound.
  func checkedKey(of row: Row) throws(RecordStoreError) -> RecordKey {
    let key = key(row)
    try Self.check(key, name)
    return key
  }

  static func check(_ key: RecordKey, _ table: String) throws(RecordStoreError) {
    guard key.bytes.count <= RecordLimits.key else {
      throw .keyTooLong(table: table, count: key.bytes.count)
    }
  }

  /// The row's values in each index, each value once.
  func indexValues(of row: Row) throws(RecordStoreError) -> [[RecordKey]] {
    var all: [[RecordKey]] = []
    for index in indexes {
      let values = index.distinctValues(of: row)
      for value in values { try Self.check(value, name) }
      all.append(values)
    }
    return all
  }

  /// The row's stored form in a version. It has been read back, so that a row that was stored can be read.
  func stored(
    _ row: Row, key: RecordKey, values: [[RecordKey]], version: Int
  ) throws(RecordStoreError) -> StoredRow {
    guard version >= encoding.oldest else {
      throw .rowRefused(table: name, reason: "a live node reads only version \(version) and older ones")
    }
    let version = min(version, encoding.version)
    guard let bytes = encoding.encode(row, version) else {
      throw .rowRefused(table: name, reason: "version \(version) cannot express it")
    }
    guard bytes.count <= RecordLimits.row else { throw .rowTooLarge(table: name, count: bytes.count) }
    let stored = StoredRow(version: version, expires: expires?(row)?.microseconds, bytes: bytes)
    let copy: Row
    do throws(RecordStoreError) { copy = try value(of: stored, key: key) } catch {
      throw .rowRefused(table: name, reason: "it could not be read back")
    }
    guard expires?(copy)?.microseconds == stored.expires,
      try indexValues(of: copy) == values
    else {
      throw .rowRefused(table: name, reason: "its encoding loses the expiration or the value of an index")
    }
    return stored
  }

  /// The value of a stored row.
  func value(of stored: StoredRow, key: RecordKey) throws(RecordStoreError) -> Row {
    try stored.value { () throws(RecordStoreError) in
      guard stored.version <= encoding.version else {
        throw .rowTooNew(table: name, version: stored.version)
      }
      // A row under another key than its own is damaged.
      guard let row = encoding.decode(stored.bytes, stored.version), self.key(row) == key else {
        throw .rowDamaged(table: name)
      }
      return row
    }
  }

  /// The number of an index.
  func number(of index: Index<Row>) throws(RecordStoreError) -> Int {
    guard let number = layout.indexes.firstIndex(where: { $0 === index.layout }) else {
      throw .tableRefused(table: name, reason: "it is declared without the index \(index.layout.name)")
    }
    return number
  }
}
