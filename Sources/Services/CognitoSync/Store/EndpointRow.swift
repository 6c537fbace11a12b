package import Records
package import TokenLifetime
internal import TokenSecurityBase

/// The endpoint of a device that is gone, which is to be removed at the sender, or was removed a moment ago.
///
/// A row stays for a minute after the removal, so that a registration that got the same endpoint before it can find out.
package struct EndpointRow: Sendable, Hashable {
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

  package static let encoding = RowEncoding<EndpointRow>.json(
    write: { row, _ in
      var object: JSONObject = [
        "pool": .string(row.poolID), "platform": .string(row.platform.name),
        "endpoint": .string(row.endpoint),
        "due": .whole(row.due.seconds), "leases": .whole(row.leases), "attempts": .whole(row.attempts),
        "end": .whole(row.end.seconds),
      ]
      if row.isWaiting { object["waiting"] = .bool(true) }
      if row.isGivenUp { object["givenUp"] = .bool(true) }
      if row.isLeased { object["leased"] = .bool(true) }
      return object
    },
    read: { object, _ in
      guard let pool = object["pool"]?.string,
        let platform = object["platform"]?.string.flatMap({ PushPlatform(name: $0) }),
        let endpoint = object["endpoint"]?.string, let due = object["due"]?.int64,
        let leases = object["leases"]?.int64, let attempts = object["attempts"]?.int64,
        let end = object["end"]?.int64
      else { return nil }
      var row = EndpointRow()
      (row.poolID, row.platform, row.endpoint) = (pool, platform, endpoint)
      (row.leases, row.attempts) = (leases, attempts)
      row.due = Timestamp(seconds: due)
      row.end = Timestamp(seconds: end)
      row.isWaiting = object["waiting"]?.bool == true
      row.isGivenUp = object["givenUp"]?.bool == true
      row.isLeased = object["leased"]?.bool == true
      return row
    })
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
package struct RemovedPoolRole: Sendable {
  package let poolID: String
  package let arn: String
  package let end: Timestamp

  package init(poolID: String, arn: String, end: Timestamp) {
    self.poolID = poolID
    self.arn = arn
    self.end = end
  }

  package static let encoding = RowEncoding<RemovedPoolRole>.json(
    write: { row, _ in
      ["pool": .string(row.poolID), "role": .string(row.arn), "end": .whole(row.end.seconds)]
    },
    read: { object, _ in
      guard let pool = object["pool"]?.string, let role = object["role"]?.string,
        let end = object["end"]?.int64
      else { return nil }
      return RemovedPoolRole(poolID: pool, arn: role, end: Timestamp(seconds: end))
    })
}
