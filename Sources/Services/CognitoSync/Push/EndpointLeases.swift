internal import Records
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityPlatform

extension EndpointRow {
  /// The pause before the next try: two seconds after the first one, doubled by each, at most five minutes.
  var pause: Duration { .seconds(min(1 << min(max(1, attempts), 16), 300)) }
}

/// The endpoints that a lease has found.
struct LeasedEndpoints: Sendable {
  var leased: [EndpointRow] = []
  /// Given up, since they were not removed in time.
  var late: [EndpointRow] = []
  /// How many were ended, since a device has their endpoint.
  var ended = 0

  /// True where a next lease may find other rows.
  var hasNext: Bool { leased.isEmpty && (!late.isEmpty || ended > 0) }
}

extension WriteTransaction<SyncError> {
  /// Leases endpoints that are due and that no device has, each for a free slot: other nodes leave them alone for a
  /// time. Registrations see the lease, so that none uses an endpoint that is being removed.
  ///
  /// - Parameters:
  ///   - slots: the free slots.
  ///   - time: how long.
  ///   - running: the endpoints that this process is removing. The clock may have ended their leases.
  /// - Returns: the leased rows, those that are given up, since they were not removed in time, and how many rows were ended
  ///   since a device has their endpoint. Rows that cannot be read are in none.
  /// - Throws: `storeFailed`.
  func leaseEndpoints(
    _ slots: FreeSlots<ExactString>, for time: Duration, except running: Set<RecordKey>
  ) throws(SyncError) -> LeasedEndpoints {
    var found = LeasedEndpoints()
    var slots = slots
    for var row in try dueEndpoints(for: slots, except: running) {
      let pool = ExactString(row.poolID)
      guard slots.total > 0 else { break }
      guard slots.has(pool) else { continue }
      if try isUsed(row) {
        try end(row)
        found.ended += 1
        continue
      }
      guard now < row.end else {
        row.isGivenUp = true
        try put(row, in: EndpointTable.rows)
        found.late.append(row)
        continue
      }
      slots.use(pool)
      row.isLeased = true
      row.leases = row.leases.saturatingSum(1)
      row.attempts = row.attempts.saturatingSum(1)
      row.due = now.wholeSecond + time
      try put(row, in: EndpointTable.rows)
      found.leased.append(row)
    }
    return found
  }

  /// Notes that an endpoint was removed, or is not to be removed any more.
  func endRemoval(_ row: EndpointRow) throws(SyncError) {
    guard let current = try leased(row) else { return }
    try end(current)
  }

  /// Lets a removal be tried again.
  func retryRemoval(_ row: EndpointRow, at time: Timestamp) throws(SyncError) {
    guard var current = try leased(row) else { return }
    current.isLeased = false
    current.due = time.wholeSecond
    try put(current, in: EndpointTable.rows)
  }

  private func end(_ row: EndpointRow) throws(SyncError) {
    var row = row
    row.isWaiting = false
    row.isLeased = false
    row.end = now.wholeSecond + EndpointRow.pauseAfterRemoval
    try put(row, in: EndpointTable.rows)
  }

  /// The row of a leased endpoint, unless another node has leased it meanwhile.
  private func leased(_ row: EndpointRow) throws(SyncError) -> EndpointRow? {
    guard let current = try get(EndpointTable.rows, row.key), current.isLeased else { return nil }
    return current.leases == row.leases ? current : nil
  }

  private func isUsed(_ row: EndpointRow) throws(SyncError) -> Bool {
    try !keys(of: SyncTables.devices, by: SyncTables.devicesByEndpoint, .only(row.key), limit: 1).isEmpty
  }
}

extension ReadTransaction<SyncError> {
  /// Returns whether endpoints are due that have a free slot, and that this process is not removing.
  func hasDueEndpoints(
    _ slots: FreeSlots<ExactString>, except running: Set<RecordKey>
  ) throws(SyncError) -> Bool {
    try dueEndpoints(for: slots, except: running).contains { slots.has(ExactString($0.poolID)) }
  }

  /// The rows that are due. Where the first ones are not enough, since their pools have no slots, many more.
  fileprivate func dueEndpoints(
    for slots: FreeSlots<ExactString>, except running: Set<RecordKey>
  ) throws(SyncError) -> [EndpointRow] {
    func rows(limit: Int) throws(SyncError) -> [EndpointRow] {
      var rows: [EndpointRow] = []
      for range in KeyRange.all.due(at: now, { RecordKey($0) }) where rows.count < limit {
        rows += try scan(EndpointTable.rows, by: EndpointTable.byDue, range, limit: limit + running.count)
          .filter { !running.contains($0.key) }
      }
      return rows
    }
    let first = try rows(limit: slots.total)
    var left = slots
    for row in first { left.use(ExactString(row.poolID)) }
    return left.total == 0 || first.count < slots.total ? first : try rows(limit: EndpointRow.limit)
  }

  /// The endpoint with the role that may remove it now, and whether its pool was removed; nil where there is no role.
  func endpoint(for row: EndpointRow) throws(SyncError) -> (endpoint: PushEndpoint, isRemoved: Bool)? {
    let configured = try pushConfiguration(row.poolID)?.roleARN
    let left = configured == nil ? try get(SyncTables.removedPoolRoles, RecordKey(row.poolID))?.arn : nil
    guard let role = configured ?? left else { return nil }
    let endpoint = PushEndpoint(
      poolID: row.poolID, platform: row.platform, endpoint: row.endpoint, roleARN: role)
    return (endpoint, configured == nil)
  }
}
