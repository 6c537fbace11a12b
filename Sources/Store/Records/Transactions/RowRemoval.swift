/// The result of a transaction's look at the clock.
struct RemovalLook: Sendable {
  /// The look's number for ``ClockWatch/forget(until:)``.
  let number: Int
  /// The earliest of the clocks, in microseconds since 1970.
  let clock: Int64
  /// The store's uptime in seconds.
  let uptime: Int64
  /// The time until which rows must have ended to be removed; nil where none may be.
  let end: Int64?
  /// The same for tables that strangers have filled.
  let crowdedEnd: Int64?
  /// Up to which position the transaction has removed rows, by table.
  var positions: [Int: RemovedPositions.Known] = [:]
}

extension WriteTransaction {
  /// Removes rows that have expired a day of uptime ago, the first to expire first.
  ///
  /// Each call looks at the clock: at the transaction's time, that of earlier writes of this process, and the one of a
  /// database server. A row is removed only if one of these looks, at least 24 hours of the store's uptime ago, found
  /// it expired, and all looks since did. So a clock that is ahead for a moment removes nothing. Where a table that
  /// strangers can fill has more than a million expired rows, by the last ``ReadTransaction/countEnded(in:)``, half an
  /// hour replaces 24 hours. Call it regularly: the time between two calls counts as uptime, an hour at most.
  ///
  /// A call begins where the last one of this process has ended, for ten minutes. A row that is written meanwhile with an
  /// earlier expiration waits for as long.
  ///
  /// Rows that expired a moment ago are taken out of indexes that are not unique, so that reads by them do not pass over
  /// expired rows. If a clock that was ahead is set back they are put there again. ``hasMoreExpired`` is true where
  /// a call has not done all of it.
  ///
  /// - Parameters:
  ///   - table: the table.
  ///   - limit: maximum number of rows.
  /// - Returns: the number of removed rows; less than `limit` if no such row is left.
  /// - Throws: the failure of the store.
  @discardableResult
  public func removeExpired<Row>(from table: Table<Row>, limit: Int) throws(Failure) -> Int {
    try attempt { () throws(RecordStoreError) in
      let number = try number(of: table)
      guard limit > 0, table.layout.hasExpirations else { return 0 }
      let part = try removeEnded(of: number, limit: limit)
      if part.hasMore { hasMoreExpired = true }
      return part.removed
    }
  }

  /// Removes rows of several tables that have expired a day of uptime ago, as ``removeExpired(from:limit:)`` does, in one
  /// portion. Each table has its share of it, and those that need more share the rest: none keeps the others waiting.
  ///
  /// - Parameters:
  ///   - tables: the tables.
  ///   - limit: the most rows that are removed, and the most that are taken out of indexes, of all tables together.
  /// - Returns: true if some are left, so that another transaction should go on.
  /// - Throws: the failure of the store.
  package func removeExpired(from tables: [any DeclaredTable], limit: Int) throws(Failure) -> Bool {
    try attempt { () throws(RecordStoreError) in
      let expiring = tables.filter { $0.layout.hasExpirations }
      guard limit > 0, !expiring.isEmpty else { return false }
      // Rows of all tables are listed again, and their entries forgotten, by the first look.
      _ = try look(listing: limit)
      var rest = limit
      var unfinished: [Int] = []
      for table in expiring { unfinished.append(try runner.tables.number(of: table.layout)) }
      // Each round has less to share: a table that needs more has used its share.
      while rest > 0, !unfinished.isEmpty {
        let share = max(1, rest / unfinished.count)
        var next: [Int] = []
        for number in unfinished {
          guard rest > 0 else {
            next.append(number)
            continue
          }
          let part = try removeEnded(of: number, limit: share)
          rest -= part.work
          if part.hasMore { next.append(number) }
        }
        unfinished = next
      }
      if !unfinished.isEmpty { hasMoreExpired = true }
      return hasMoreExpired
    }
  }

  /// Result of the removal of a table's ended rows.
  private struct Part {
    var removed = 0
    /// The greater one of the numbers of rows that were removed and that were looked at to take them out of indexes.
    var work = 0
    var hasMore = false
  }

  private func removeEnded(of table: Int, limit: Int) throws(RecordStoreError) -> Part {
    let look = try look(listing: limit)
    var part = Part()
    part.work = try unlistExpired(of: table, at: look.clock, limit: limit)
    if let end = end(for: table, look) {
      part.removed = try removeEnded(table, until: end, limit: limit)
      part.work = max(part.work, part.removed)
    }
    part.hasMore = part.work >= limit
    return part
  }

  /// Removes rows of a table that have ended at a time, from the position on up to which they were removed.
  ///
  /// - Returns: the number of removed rows.
  func removeEnded(_ table: Int, until end: Int64, limit: Int) throws(RecordStoreError) -> Int {
    guard let look else { return 0 }
    let start = runner.watch.removed.start(
      of: table, until: end, at: look.uptime, own: look.positions[table])
    let removed = try callEngine { engine throws(RecordStoreError) in
      try engine.deleteExpired(table, after: start.position, until: end, limit: limit)
    }
    let position = removed.count < limit ? EndPosition.after(end) : removed.last ?? start.position
    self.look?.positions[table] = RemovedPositions.Known(position: position, since: start.since)
    return removed.count
  }

  /// The time until which rows of a table must have ended to be removed; nil where none may be.
  private func end(for table: Int, _ look: RemovalLook) -> Int64? {
    guard runner.tables.layouts[table].isFilledByStrangers else { return look.end }
    return runner.watch.isCrowded(table) ? look.crowdedEnd ?? look.end : look.end
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

  /// The stored sightings; nil for a first pass, and where the row cannot be read: then rows are kept longer.
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
