package import Records
package import TokenLifetime

/// The message about a data set that waits for a device, or that the device got a moment ago.
///
/// There is one row for a device and a data set, so that several changes become one message, and the rows of an
/// identity are bounded by its subscriptions. After a message was sent its row stays for a pause, in which a
/// further change waits.
package struct PushRow: StoredFields, Hashable {
  package var poolID = ""
  package var identityID = ""
  package var datasetName = ""
  package var deviceID = ""
  /// The data set's count after the last change.
  package var count: Int64 = 0
  /// True until the message was sent.
  package var isWaiting = false
  /// When it is tried next, and until when a node has leased it.
  package var due = Timestamp(seconds: 0)
  /// How often it was leased. A node that comes back after its lease has ended finds another number.
  package var leases: Int64 = 0
  /// How often the message was tried.
  package var attempts: Int64 = 0
  /// When the message is given up.
  package var deadline = Timestamp(seconds: 0)
  /// True once it was reported that it was not sent in time. The row then ends at the deadline.
  package var isGivenUp = false
  /// Until when no further message is sent.
  package var pausedUntil = Timestamp(seconds: 0)

  package init() {}

  var key: RecordKey { RecordKey(poolID, identityID, datasetName, deviceID) }

  package mutating func fields(_ f: inout RowFields) {
    f.text("pool", &poolID)
    f.text("identity", &identityID)
    f.text("dataset", &datasetName)
    f.text("device", &deviceID)
    f.number("count", &count)
    f.time("due", &due)
    f.number("leases", &leases)
    f.number("attempts", &attempts)
    f.time("deadline", &deadline)
    f.time("paused", &pausedUntil)
    f.flag("waiting", &isWaiting)
    f.flag("givenUp", &isGivenUp)
  }
}

/// The table of push messages.
package enum PushTable {
  /// A delivery gives messages up at their deadline. Rows stay longer, so that each one that is given up is reported. Those
  /// that are reported are not removed, in case the clock is ahead.
  package static let rows = Table<PushRow>(
    "sync_push", key: { $0.key }, indexes: [byDue, waiting], encoding: PushRow.encoding, expires: expires)
  /// When a row ends.
  static let expires: @Sendable (PushRow) -> Timestamp? = { row in
    guard row.isWaiting else { return row.pausedUntil }
    return row.isGivenUp ? row.deadline : row.deadline + .seconds(21_600)
  }
  /// The messages that wait, the next one first.
  package static let byDue = Index<PushRow>("due") { $0.isWaiting ? [RecordKey($0.due)] : [] }
  /// The messages of each pool and identity that wait.
  package static let waiting = Index<PushRow>("waiting") {
    $0.isWaiting ? [RecordKey($0.poolID, $0.identityID)] : []
  }
}
