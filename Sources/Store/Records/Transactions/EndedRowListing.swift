internal import TokenSecurityBase

/// Rows that have ended, and the indexes of their tables.
///
/// They are kept for a day after their end. Meanwhile they must cost nothing: a read by an index, such as a look for the
/// next message, would pass over all of them. So they are taken out of indexes that are not unique, at once where they
/// have ended when they are written, and by the removal otherwise. They remain under their keys, where a clock
/// that is right finds them. Those that have not ended by the clock of a later pass are listed again: by
/// ``RemovalTable/unlisted`` none is forgotten.
///
/// In a unique index a value has one row: a read by it passes over none.
extension WriteTransaction {
  /// Writes a row that has ended, without its values in indexes that are not unique.
  ///
  /// - Returns: false where it has none, so that nothing was written.
  func putUnlisted(
    _ table: Int, _ key: RecordKey, _ row: StoredRow, _ values: [[RecordKey]]
  ) throws(RecordStoreError) -> Bool {
    guard let unlisted = runner.unlisted, let end = row.expires else { return false }
    let layout = runner.tables.layouts[table]
    var kept = values
    for (number, index) in layout.indexes.enumerated() where !index.isUnique { kept[number] = [] }
    guard kept != values else { return false }
    let entry = StoredRow(version: RemovalTable.unlisted.layout.version, expires: end, bytes: [])
    try callEngine { engine throws(RecordStoreError) in
      try engine.put(table, key, row, kept)
      try engine.put(unlisted, EndedRow.key(layout.name, key), entry, [])
    }
    return true
  }

  /// Takes the next rows that have ended out of the indexes of a table.
  ///
  /// - Returns: the number of rows that were looked at.
  func unlistExpired(of table: Int, at clock: Int64, limit: Int) throws(RecordStoreError) -> Int {
    let layout = runner.tables.layouts[table]
    guard runner.unlisted != nil, layout.indexes.contains(where: { !$0.isUnique }) else { return 0 }
    let position = try lowerPosition(of: table, to: clock)
    let found = try callEngine { engine throws(RecordStoreError) in
      try engine.rows(table, endingAfter: position, until: clock, limit: limit)
    }
    for row in found {
      // One of a newer version is left to the nodes that read it.
      guard let values = layout.indexValues(row.row, row.key) else { continue }
      _ = try putUnlisted(table, row.key, row.row, values)
    }
    if let last = found.last, let end = last.row.expires {
      try putPosition(EndPosition(end, last.key), of: table)
    }
    return found.count
  }

  /// Lists rows again that have not ended by this clock: it was ahead when they were taken out.
  ///
  /// - Returns: the number of rows that are done.
  func listLive(at clock: Int64, limit: Int) throws(RecordStoreError) -> Int {
    guard let unlisted = runner.unlisted else { return 0 }
    // Of those that end at this time none is live.
    let found = try callEngine { engine throws(RecordStoreError) in
      try engine.rows(unlisted, endingAfter: .after(clock), until: .max, limit: limit)
    }
    var lowered: Set<Int> = []
    var done = 0
    for entry in found {
      guard let (table, key) = EndedRow.row(of: entry.key, in: runner.tables) else { continue }
      if lowered.insert(table).inserted { _ = try lowerPosition(of: table, to: clock) }
      let isDone = try callEngine { engine throws(RecordStoreError) in
        // One that was written since is listed already, or has ended again and has an entry with its new end.
        if let row = try engine.row(table, key), row.expires == entry.row.expires {
          // One of a newer version is left to the nodes that read it.
          guard let values = runner.tables.layouts[table].indexValues(row, key) else { return false }
          try engine.put(table, key, row, values)
        }
        _ = try engine.delete(unlisted, entry.key, at: microseconds)
        return true
      }
      if isDone { done += 1 }
    }
    return done
  }

  /// Forgets entries of rows that may be removed.
  ///
  /// - Returns: the number of entries.
  func forgetUnlisted(until end: Int64, limit: Int) throws(RecordStoreError) -> Int {
    guard let unlisted = runner.unlisted else { return 0 }
    return try removeEnded(unlisted, until: end, limit: limit)
  }

  // MARK: Positions

  /// How far the ended rows of a table were looked at: not further than to the time of this clock. What was written since by
  /// a clock that was set back ends after it.
  private func lowerPosition(of table: Int, to clock: Int64) throws(RecordStoreError) -> EndPosition {
    guard let unlisted = runner.unlisted else { return EndPosition(.min) }
    let key = EndedRow.positionKey(runner.tables.layouts[table].name)
    let stored = try callEngine { engine throws(RecordStoreError) in try engine.row(unlisted, key) }
    guard let position = stored.map({ EndPosition(stored: $0.bytes) }) else { return EndPosition(.min) }
    guard position.time > clock else { return position }
    let lower = EndPosition(clock)
    try putPosition(lower, of: table)
    return lower
  }

  private func putPosition(_ position: EndPosition, of table: Int) throws(RecordStoreError) {
    guard let unlisted = runner.unlisted else { return }
    let key = EndedRow.positionKey(runner.tables.layouts[table].name)
    let row = StoredRow(version: RemovalTable.unlisted.layout.version, expires: nil, bytes: position.stored)
    try callEngine { engine throws(RecordStoreError) in try engine.put(unlisted, key, row, []) }
  }
}

/// The keys in ``RemovalTable/unlisted``.
private enum EndedRow {
  /// That of a row: its table's name, then the elements of its own. It may be longer than keys are otherwise, by a name.
  static func key(_ table: String, _ key: RecordKey) -> RecordKey {
    RecordKey(stored: RecordKey(table).bytes + key.bytes)
  }

  /// The table and the key of a row; nil where the store has no such table.
  static func row(of entry: RecordKey, in tables: TableSet) -> (table: Int, key: RecordKey)? {
    for (number, layout) in tables.layouts.enumerated() {
      let name = RecordKey(layout.name)
      guard entry.starts(with: name) else { continue }
      return (number, RecordKey(stored: Array(entry.bytes.dropFirst(name.bytes.count))))
    }
    return nil
  }

  /// That of a table's position: it begins with a number, as no row's does.
  static func positionKey(_ table: String) -> RecordKey { RecordKey(0, table) }
}

extension EndPosition {
  /// The time in eight bytes, then the key.
  fileprivate var stored: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(bigEndian: time)
    return bytes + key.bytes
  }

  /// Bytes that are none of a position are the first one: all ended rows are looked at again.
  fileprivate init(stored bytes: [UInt8]) {
    guard bytes.count >= 8 else {
      self.init(.min)
      return
    }
    let time = Int64(bigEndianBytes: bytes.prefix(8))
    self.init(time, RecordKey(stored: Array(bytes.dropFirst(8))))
  }
}
