extension WriteTransaction {
  /// Removes rows that have expired a day of uptime ago, the first to expire first.
  ///
  /// Each call looks at the clock: at the transaction's time, that of earlier writes of this process, and the one of a
  /// database server. A row is removed only if one of these looks, at least 24 hours of the store's uptime ago, found it
  /// expired, and all looks since did. So a clock that is ahead for a moment removes nothing. Call it regularly: the time
  /// between two calls counts as uptime, an hour at most.
  ///
  /// - Parameters:
  ///   - table: the table.
  ///   - limit: the most rows.
  /// - Returns: the number of removed rows; less than `limit` if no such row is left.
  /// - Throws: the failure of the store.
  public func removeExpired<Row>(from table: Table<Row>, limit: Int) throws(Failure) -> Int {
    try attempt { () throws(RecordStoreError) in
      let number = try number(of: table)
      guard limit > 0, table.layout.hasExpirations, let end = try removable() else { return 0 }
      return try callEngine { engine throws(RecordStoreError) in
        try engine.deleteExpired(number, at: end, limit: limit)
      }
    }
  }

  /// The time until which a row must have ended to be removed, in microseconds since 1970; nil where none may be. Looked
  /// for once in a transaction.
  private func removable() throws(RecordStoreError) -> Int64? {
    if let known = removableUntil { return known }
    let watch = runner.watch
    let stored = try storedSightings()
    let server = try callEngine { engine throws(RecordStoreError) in try engine.clock() }
    let earliest = watch.earliestClock
    let clock = min(microseconds, earliest, server ?? .max)
    var sightings = stored ?? EndSightings()
    // What was stored agrees with the clock, or is removed from the row by this transaction and found so by the next one.
    if sightings.seen.allSatisfy({ $0.time <= clock }) { watch.forget(earliest) }
    sightings.add(clock, at: watch.uptime(stored: sightings.uptime), watch.rule)
    let isDue = sightings.uptime - (stored?.uptime ?? 0) >= RemovalRule.storedEvery
    if isDue || sightings.seen != stored?.seen {
      try write(sightings, RemovalTable.rows, RemovalTable.key)
    }
    let end = sightings.removable(watch.rule)
    removableUntil = .some(end)
    return end
  }

  /// What was stored; nil for a first pass, and where the row cannot be read: then rows are kept longer.
  private func storedSightings() throws(RecordStoreError) -> EndSightings? {
    guard let row = try live(RemovalTable.rows.layout, RemovalTable.key) else { return nil }
    do throws(RecordStoreError) {
      return try value(of: RemovalTable.rows, row, RemovalTable.key)
    } catch {
      guard case .rowDamaged = error else { throw error }
      return nil
    }
  }
}
