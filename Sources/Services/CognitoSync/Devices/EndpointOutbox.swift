package import Records
internal import TokenLifetime
internal import TokenSecurityBase

extension EndpointRow {
  /// Maximum number of endpoints that wait.
  package static let limit = 10_000
  /// How long an endpoint is left alone: the same device often registers again, for another identity.
  static let delay = Duration.seconds(10)
  /// How long a removal is tried.
  static let lifetime = Duration.seconds(3_600)
  /// How long a row stays afterwards: longer than a sender may take to register a device.
  static let pauseAfterRemoval = Duration.seconds(60)
}

/// The state of an endpoint when a registration has got it.
package enum EndpointState: Sendable, Hashable {
  /// It was not removed since the registration began.
  case kept
  /// A node may be removing it now.
  case isBeingRemoved
  /// It was removed, or a node has tried to; the number says how often.
  case wasRemoved(leases: Int64)
}

extension WriteTransaction<SyncError> {
  /// Lets the endpoints of devices be removed at the sender, after ten seconds. Those that other devices have then stay.
  /// Endpoints that do not fit into the outbox stay, too.
  ///
  /// - Parameters:
  ///   - devices: the devices, which this transaction removes, or whose endpoint it replaces.
  ///   - limit: maximum number of endpoints that wait. Default: 10,000.
  /// - Throws: `storeFailed`.
  package func removeEndpoints(
    of devices: [SyncDevice], limit: Int = EndpointRow.limit
  ) throws(SyncError) {
    guard !devices.isEmpty else { return }
    // By the index: the table has rows that have ended, too.
    var room = try limit - count(EndpointTable.rows, by: EndpointTable.byDue, limit: limit)
    for device in devices {
      // A row that cannot be read is replaced: it must not fail the removal of a device.
      let stored = (try? get(EndpointTable.rows, SyncTables.endpointKey(device.endpoint))) ?? nil
      if stored?.isWaiting != true {
        guard room > 0 else { continue }
        room -= 1
      }
      var row = stored ?? EndpointRow()
      row.poolID = device.identity.poolID
      row.platform = device.platform
      row.endpoint = device.endpoint
      row.end = now.wholeSecond + EndpointRow.lifetime
      // A lease that has not ended is left to its node.
      if !row.isLeased || now >= row.due {
        row.isLeased = false
        row.due = now.wholeSecond + EndpointRow.delay
      }
      row.attempts = 0
      row.isWaiting = true
      row.isGivenUp = false
      try put(row, in: EndpointTable.rows)
    }
  }

  /// Keeps an endpoint that a registration got, if it was not removed meanwhile.
  ///
  /// - Parameters:
  ///   - endpoint: the endpoint.
  ///   - leases: how often nodes had tried to remove it before the sender was asked.
  /// - Returns: whether it can be used.
  /// - Throws: `storeFailed`.
  package func keepEndpoint(_ endpoint: String, leases: Int64) throws(SyncError) -> EndpointState {
    guard var row = try get(EndpointTable.rows, SyncTables.endpointKey(endpoint)) else { return .kept }
    if row.isLeased, now < row.due { return .isBeingRemoved }
    guard row.leases == leases else { return .wasRemoved(leases: row.leases) }
    if row.isWaiting {
      row.isWaiting = false
      row.isLeased = false
      row.end = now.wholeSecond + EndpointRow.pauseAfterRemoval
      try put(row, in: EndpointTable.rows)
    }
    return .kept
  }
}
