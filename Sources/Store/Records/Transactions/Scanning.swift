extension ReadTransaction {
  /// Returns rows in the order of their keys.
  ///
  /// - Parameters:
  ///   - table: the table.
  ///   - range: the keys. Default: all.
  ///   - limit: the most rows.
  ///   - isDescending: whether the last key comes first. Default: no.
  /// - Returns: the readable rows.
  /// - Throws: the failure of the store.
  public final func scan<Row>(
    _ table: Table<Row>, _ range: KeyRange = .all, limit: Int, isDescending: Bool = false
  ) throws(Failure) -> [Row] {
    try attempt { () throws(RecordStoreError) in
      let number = try number(of: table)
      return try readable(table, limit) { last, limit in
        var rest = range
        if let last { rest = isDescending ? range.before(last.key) : range.after(last.key) }
        return Scan(
          table: number, index: nil, range: rest, after: nil, isDescending: isDescending, limit: limit,
          now: microseconds)
      }
    }
  }

  /// Returns rows in the order of their values in an index, then of their keys.
  ///
  /// A row with several values in the range is returned once for each.
  ///
  /// - Parameters:
  ///   - table: the table.
  ///   - index: one of its indexes.
  ///   - range: the values. Default: all.
  ///   - after: the last entry of the previous page. Default: from the start.
  ///   - limit: the most rows.
  ///   - isDescending: whether the last value comes first. Default: no.
  /// - Returns: the readable rows.
  /// - Throws: the failure of the store.
  public final func scan<Row>(
    _ table: Table<Row>, by index: Index<Row>, _ range: KeyRange = .all, after: IndexPosition? = nil,
    limit: Int, isDescending: Bool = false
  ) throws(Failure) -> [Row] {
    try attempt { () throws(RecordStoreError) in
      let (number, indexNumber) = (try number(of: table), try table.number(of: index))
      return try readable(table, limit) { last, limit in
        let position = last.flatMap { row in row.value.map { IndexPosition(value: $0, key: row.key) } }
        return Scan(
          table: number, index: indexNumber, range: range, after: position ?? after,
          isDescending: isDescending,
          limit: limit, now: microseconds)
      }
    }
  }

  /// Returns the keys of rows in the order of their values in an index, those of rows that cannot be read
  /// included.
  ///
  /// - Parameters:
  ///   - table: the table.
  ///   - index: one of its indexes.
  ///   - range: the values. Default: all.
  ///   - limit: the most keys.
  /// - Returns: the keys.
  /// - Throws: the failure of the store.
  public final func keys<Row>(
    of table: Table<Row>, by index: Index<Row>, _ range: KeyRange = .all, limit: Int
  ) throws(Failure) -> [RecordKey] {
    try attempt { () throws(RecordStoreError) in
      let next = Scan(
        table: try number(of: table), index: try table.number(of: index), range: range, after: nil,
        isDescending: false, limit: limit, now: microseconds)
      guard limit > 0, !range.isEmpty else { return [] }
      return try callEngine { engine throws(RecordStoreError) in try engine.scan(next) }.map(\.key)
    }
  }

  /// Returns the number of rows, those that cannot be read included.
  ///
  /// - Parameters:
  ///   - table: the table.
  ///   - range: the keys. Default: all.
  ///   - limit: where counting stops.
  /// - Returns: the number, at most `limit`.
  /// - Throws: the failure of the store.
  public final func count<Row>(
    _ table: Table<Row>, _ range: KeyRange = .all, limit: Int
  ) throws(Failure) -> Int {
    try attempt { () throws(RecordStoreError) in
      try count(number(of: table), index: nil, range, limit)
    }
  }

  /// Returns the number of a range's entries in an index, those of rows that cannot be read included.
  ///
  /// - Parameters:
  ///   - table: the table.
  ///   - index: one of its indexes.
  ///   - range: the values. Default: all.
  ///   - limit: where counting stops.
  /// - Returns: the number, at most `limit`.
  /// - Throws: the failure of the store.
  public final func count<Row>(
    _ table: Table<Row>, by index: Index<Row>, _ range: KeyRange = .all, limit: Int
  ) throws(Failure) -> Int {
    try attempt { () throws(RecordStoreError) in
      try count(number(of: table), index: table.number(of: index), range, limit)
    }
  }

  private func count(
    _ table: Int, index: Int?, _ range: KeyRange, _ limit: Int
  ) throws(RecordStoreError) -> Int {
    guard limit > 0, !range.isEmpty else { return 0 }
    return try callEngine { engine throws(RecordStoreError) in
      try engine.count(
        Scan(
          table: table, index: index, range: range, after: nil, isDescending: false, limit: limit,
          now: microseconds))
    }
  }

  /// Collects `limit` readable rows. Where some are not, it goes on after the last row.
  private func readable<Row>(
    _ table: Table<Row>, _ limit: Int, _ scan: (_ last: FoundRow?, _ limit: Int) -> Scan
  ) throws(RecordStoreError) -> [Row] {
    var rows: [Row] = []
    var last: FoundRow?
    while rows.count < limit {
      let missing = limit - rows.count
      let next = scan(last, missing)
      guard !next.range.isEmpty else { break }
      let found = try callEngine { engine throws(RecordStoreError) in try engine.scan(next) }
      rows.reserveCapacity(found.count)
      for entry in found {
        // A row that cannot be read is reported there.
        if let row = try? value(of: table, entry.row, entry.key) { rows.append(row) }
      }
      guard found.count == missing, rows.count < limit else { break }
      last = found.last
    }
    return rows
  }
}
