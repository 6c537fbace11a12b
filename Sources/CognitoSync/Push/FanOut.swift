package import Records
internal import TokenLifetime
internal import TokenSecurityEncodings

/// A change of a data set about which devices get messages.
package struct PublishedChange: Sendable, Hashable {
  package let poolID: String
  package let identityID: String
  package let datasetName: String
  /// The data set's count after the change.
  package let count: Int64
  /// The device that made the change, and gets no message; nil where it is unknown.
  package let deviceID: String?

  package init(poolID: String, identityID: String, datasetName: String, count: Int64, deviceID: String?) {
    self.poolID = poolID
    self.identityID = identityID
    self.datasetName = datasetName
    self.count = count
    self.deviceID = deviceID
  }
}

extension PushRow {
  /// How long a device gets no further message about a data set. Changes in a burst become one message.
  static let pauseAfterMessage = Duration.seconds(2)
  /// How long a message is tried.
  static let lifetime = Duration.seconds(600)

  /// The pause before the next try: two seconds after the first one, doubled by each, at most two minutes.
  var pause: Duration { .seconds(min(1 << min(max(1, attempts), 16), 120)) }
}

extension WriteTransaction<SyncError> {
  /// Puts the messages on a change into the outbox, in the transaction of the change.
  ///
  /// - Parameters:
  ///   - change: the change.
  ///   - deviceIDs: the devices that are subscribed to the data set. The one that made the change gets no message.
  ///   - hasRoom: whether the outbox has room.
  /// - Returns: how many messages were added. Others replace one that waits. Nil where messages had no room.
  /// - Throws: `storeFailed`.
  package func publish(
    _ change: PublishedChange, to deviceIDs: [String], hasRoom: Bool
  ) throws(SyncError) -> Int? {
    let others = deviceIDs.filter { change.deviceID != $0 }
    guard hasRoom || others.isEmpty else { return nil }
    var added = 0
    for deviceID in others {
      var row = PushRow()
      row.poolID = change.poolID
      row.identityID = change.identityID
      row.datasetName = change.datasetName
      row.deviceID = deviceID
      // A row that cannot be read is replaced: it must not fail the change.
      if let stored = (try? get(PushTable.rows, row.key)) ?? nil { row = stored }
      row.count = change.count
      if !row.isWaiting {
        row.isWaiting = true
        row.due = max(now.wholeSecond, row.pausedUntil)
        row.attempts = 0
        row.deadline = now.wholeSecond + PushRow.lifetime
        added += 1
      }
      try put(row, in: PushTable.rows)
    }
    return added
  }

  /// Removes the messages to all devices of an identity.
  package func removePushes(of identity: IdentityPlace) throws(SyncError) {
    try delete(.prefix(SyncTables.identityKey(identity)), from: PushTable.rows)
  }

  // MARK: Delivery

  /// Leases messages that are due: other nodes leave them alone for a time.
  func leasePushes(limit: Int, for time: Duration) throws(SyncError) -> [PushRow] {
    var leased: [PushRow] = []
    for var row in try scan(PushTable.rows, by: PushTable.byDue, dueRange, limit: limit) {
      row.leases = row.leases.saturatingSum(1)
      row.attempts = row.attempts.saturatingSum(1)
      row.due = now.wholeSecond + time
      try put(row, in: PushTable.rows)
      leased.append(row)
    }
    return leased
  }

  /// The row of a leased message, unless another node has leased it meanwhile or it was removed.
  private func leased(_ row: PushRow) throws(SyncError) -> PushRow? {
    guard let current = try get(PushTable.rows, row.key), current.isWaiting else { return nil }
    return current.leases == row.leases ? current : nil
  }

  /// Notes that a message was sent. A change that came meanwhile waits for the pause to end.
  func notePushSent(_ row: PushRow) throws(SyncError) {
    guard var current = try leased(row) else { return }
    current.pausedUntil = now.wholeSecond + PushRow.pauseAfterMessage
    if current.count == row.count {
      current.isWaiting = false
    } else {
      current.due = current.pausedUntil
      current.attempts = 0
      current.deadline = now.wholeSecond + PushRow.lifetime
    }
    try put(current, in: PushTable.rows)
  }

  /// Lets a message be tried again.
  func retryPush(_ row: PushRow, at time: Timestamp) throws(SyncError) {
    guard var current = try leased(row) else { return }
    current.due = time.wholeSecond
    try put(current, in: PushTable.rows)
  }

  /// Removes a message that cannot be sent.
  func removePush(_ row: PushRow) throws(SyncError) {
    guard let current = try leased(row) else { return }
    try delete(current.key, from: PushTable.rows)
  }
}

extension ReadTransaction<SyncError> {
  /// Returns whether messages are due.
  func hasDuePushes() throws(SyncError) -> Bool {
    try !keys(of: PushTable.rows, by: PushTable.byDue, dueRange, limit: 1).isEmpty
  }

  /// The message for a device as everything is now; nil where it is to get none.
  func message(for row: PushRow) throws(SyncError) -> PushMessage? {
    let identity = IdentityPlace(poolID: row.poolID, identityID: row.identityID)
    guard let dataset = try dataset(DatasetPlace(identity, name: row.datasetName)),
      try contains(SyncTables.subscriptions, RecordKey(dataset.id, row.deviceID)),
      let device = try device(row.deviceID, of: identity),
      let configuration = try pushConfiguration(row.poolID),
      let application = PushApplication.application(
        for: device.platform, in: configuration.applicationARNs)
    else { return nil }
    return PushMessage(
      poolID: row.poolID, identityID: row.identityID, datasetName: row.datasetName, syncCount: row.count,
      deviceID: row.deviceID, platform: device.platform, endpoint: device.endpoint,
      applicationARN: application,
      roleARN: configuration.roleARN)
  }

  /// The messages that are due now.
  fileprivate var dueRange: KeyRange { KeyRange.all.through(RecordKey(now)) }
}
