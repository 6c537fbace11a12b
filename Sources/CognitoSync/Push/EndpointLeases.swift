internal import Records
internal import TokenLifetime
internal import TokenSecurityEncodings

extension EndpointRow {
  /// The pause before the next try: two seconds after the first one, doubled by each, at most five minutes.
  var pause: Duration { .seconds(min(1 << min(max(1, attempts), 16), 300)) }
}

extension WriteTransaction<SyncError> {
  /// Leases endpoints that are due, and that no device has: other nodes leave them alone for a time. Registrations see
  /// the lease, so that none uses an endpoint that is being removed.
  ///
  /// - Returns: the leased rows, and how many rows were ended since a device has their endpoint. Rows that cannot be read
  ///   are in neither.
  func leaseEndpoints(
    limit: Int, for time: Duration
  ) throws(SyncError) -> (leased: [EndpointRow], ended: Int) {
    var leased: [EndpointRow] = []
    var ended = 0
    for var row in try scan(EndpointTable.rows, by: EndpointTable.byDue, endpointsDue, limit: limit) {
      if try isUsed(row) {
        try end(row)
        ended += 1
        continue
      }
      row.isLeased = true
      row.leases = row.leases.saturatingSum(1)
      row.attempts = row.attempts.saturatingSum(1)
      row.due = now.wholeSecond + time
      try put(row, in: EndpointTable.rows)
      leased.append(row)
    }
    return (leased, ended)
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
  /// Returns whether endpoints are due.
  func hasDueEndpoints() throws(SyncError) -> Bool {
    try !keys(of: EndpointTable.rows, by: EndpointTable.byDue, endpointsDue, limit: 1).isEmpty
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

  /// The endpoints that are due now.
  fileprivate var endpointsDue: KeyRange { KeyRange.all.through(RecordKey(now)) }
}
