package import Records
package import TokenLifetime

/// The endpoint of a device that is gone, which is to be removed at the sender, or was removed a moment ago.
///
/// A row stays for a minute after the removal, so that a registration that got the same endpoint before it can find out.
package struct EndpointRow: StoredFields, Hashable {
  package var poolID = ""
  package var platform = PushPlatform.gcm
  package var endpoint = ""
  /// True until it was removed, or is not to be removed any more.
  package var isWaiting = false
  /// When it is tried next, and until when a node has leased it.
  package var due = Timestamp(seconds: 0)
  /// True while a node has leased it.
  package var isLeased = false
  /// How often it was leased. It never goes back.
  package var leases: Int64 = 0
  /// How often its removal was tried.
  package var attempts: Int64 = 0
  /// True once it was reported that it was not removed in time. The row then ends at its end.
  package var isGivenUp = false
  /// When the removal is given up, or the row is not needed any more.
  package var end = Timestamp(seconds: 0)

  package init() {}

  var key: RecordKey { SyncTables.endpointKey(endpoint) }

  package mutating func fields(_ f: inout RowFields) {
    f.text("pool", &poolID)
    f.choice("platform", &platform)
    f.text("endpoint", &endpoint)
    f.time("due", &due)
    f.number("leases", &leases)
    f.number("attempts", &attempts)
    f.time("end", &end)
    f.flag("waiting", &isWaiting)
    f.flag("givenUp", &isGivenUp)
    f.flag("leased", &isLeased)
  }
}

/// The table of endpoints that are to be removed.
package enum EndpointTable {
  /// Rows that wait stay longer than their removal is tried, so that each one that is given up is reported. Those that are
  /// reported are not removed, in case the clock is ahead.
  package static let rows = Table<EndpointRow>(
    "sync_endpoint", key: { $0.key }, indexes: [byDue], encoding: EndpointRow.encoding,
    expires: { $0.isWaiting && !$0.isGivenUp ? $0.end + .seconds(21_600) : $0.end })
  /// The endpoints that wait, the next one first.
  package static let byDue = Index<EndpointRow>("due") { $0.isWaiting ? [RecordKey($0.due)] : [] }
}

/// The role of a pool that was removed: its endpoints are removed with it.
package struct RemovedPoolRole: StoredFields {
  package private(set) var poolID = ""
  package private(set) var arn = ""
  package private(set) var end = Timestamp(seconds: 0)

  package init() {}

  package init(poolID: String, arn: String, end: Timestamp) {
    self.poolID = poolID
    self.arn = arn
    self.end = end
  }

  package mutating func fields(_ f: inout RowFields) {
    f.text("pool", &poolID)
    f.text("role", &arn)
    f.time("end", &end)
  }
}
