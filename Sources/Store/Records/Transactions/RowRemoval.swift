/// What a transaction's look at the clock has found.
struct RemovalLook {
  /// The look's number for ``ClockWatch/forget(until:)``.
  let number: Int
  /// The earliest of the clocks, in microseconds since 1970.
  let clock: Int64
  /// The store's uptime in seconds.
  let uptime: Int64
  /// The time until which rows must have ended to be removed; nil where none may be.
  let end: Int64?
  /// The same for tables with many ended rows.
  let crowdedEnd: Int64?
}

extension WriteTransaction {
  /// Removes rows that have expired a day of uptime ago, the first to expire first.
  ///
  /// Each call looks at the clock: at the transaction's time, that of earlier writes of this process, and the one of a
  /// database server. A row is removed only if one of these looks, at least 24 hours of the store's uptime ago, found it
  /// expired, and all looks since did. So a clock that is ahead for a moment removes nothing. Where a table that strangers
  /// can fill has more than a million expired rows, half an hour takes the place of 24 hours. Call it regularly: the time
  /// between two calls counts as uptime, an hour at most.
  ///
  /// Rows that expired a moment ago are taken out of indexes that are not unique, so that reads by them do not pass over
  /// expired rows. If a clock that was ahead is set back they are put there again. ``hasMoreExpired`` is true where
  /// a call has not done all of it.
  ///
  /// - Parameters:
  ///   - table: the table.
  ///   - limit: the most rows.
  /// - Returns: the number of removed rows; less than `limit` if no such row is left.
  /// - Throws: the failure of the store.
  @discardableResult
  public func removeExpired<Row>(from table: Table<Row>, limit: Int) throws(Failure) -> Int {
    try attempt { () throws(RecordStoreError) in
      let number = try number(of: table)
      guard limit > 0, table.layout.hasExpirations else { return 0 }
      let look = try look(listing: limit)
      if try unlistExpired(of: number, at: look.clock, limit: limit) >= limit { hasMoreExpired = true }
      guard let end = try end(for: number, look) else { return 0 }
      return try callEngine { engine throws(RecordStoreError) in
        let removed = try engine.deleteExpired(number, at: end, limit: limit)
        if removed >= limit { hasMoreExpired = true }
        return removed
      }
    }
  }

  /// The time until which rows of a table must have ended to be removed; nil where none may be.
  private func end(for table: Int, _ look: RemovalLook) throws(RecordStoreError) -> Int64? {
    guard runner.tables.layouts[table].isFilledByStrangers else { return look.end }
    let rule = runner.watch.rule
    let isCrowded = try runner.watch.isCrowded(table, at: look.uptime) { () throws(RecordStoreError) in
      try callEngine { engine throws(RecordStoreError) in
        try engine.countExpired(table, at: look.clock, limit: rule.crowd + 1) > rule.crowd
      }
    }
    return isCrowded ? look.crowdedEnd ?? look.end : look.end
  }

  /// Looks at the clock, once in a transaction. Then rows of all tables that have not ended by it are listed in their
  /// indexes again, and it is forgotten which ones were taken out of them that may be removed now.
  private func look(listing limit: Int) throws(RecordStoreError) -> RemovalLook {
    if let known = look { return known }
    let watch = runner.watch
    let stored = try storedSightings()
    let server = try callEngine { engine throws(RecordStoreError) in try engine.clock() }
    let seen = watch.look()
    let clock = min(microseconds, seen.clock, server ?? .max)
    var sightings = stored ?? EndSightings()
    sightings.add(clock, at: watch.uptime(stored: sightings.uptime), watch.rule)
    let unstored = sightings.uptime - (stored?.uptime ?? 0)
    if unstored >= RemovalRule.storedEvery(sightings.uptime) || sightings.seen != stored?.seen {
      try write(sightings, RemovalTable.rows, RemovalTable.key)
    }
    let look = RemovalLook(
      number: seen.number, clock: clock, uptime: sightings.uptime,
      end: sightings.removable(after: watch.rule.memory),
      crowdedEnd: sightings.removable(after: min(watch.rule.crowdedMemory, watch.rule.memory)))
    self.look = look
    if try listLive(at: clock, limit: limit) >= limit { hasMoreExpired = true }
    if let end = look.end, try forgetUnlisted(until: end, limit: limit) >= limit { hasMoreExpired = true }
    return look
  }

  /// Stores the uptime that this process knows of, before it ends.
  func storeUptime() throws(RecordStoreError) {
    guard runner.watch.hasUptime, var sightings = try storedSightings() else { return }
    let uptime = runner.watch.uptime(stored: sightings.uptime)
    guard uptime > sightings.uptime else { return }
    sightings.add(uptime: uptime)
    try write(sightings, RemovalTable.rows, RemovalTable.key)
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
