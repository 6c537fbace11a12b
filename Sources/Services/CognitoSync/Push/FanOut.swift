package import Records
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityPlatform

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

/// Result of adding messages on a change.
package struct AddedMessages: Sendable, Hashable {
  /// How many were added. Others replace one that waits.
  package var count = 0
  /// Whether some had no room.
  package var hasLost = false

  package init() {}
}

extension WriteTransaction<SyncError> {
  /// Puts the messages on a change into the outbox, in the transaction of the change.
  ///
  /// - Parameters:
  ///   - change: the change.
  ///   - deviceIDs: the devices that are subscribed to the data set. The one that made the change gets no message.
  ///   - room: how many messages may be added.
  ///   - limit: the most messages of the identity that may wait.
  /// - Returns: what became of the messages.
  /// - Throws: `storeFailed`.
  package func publish(
    _ change: PublishedChange, to deviceIDs: [String], room: Int, limit: Int
  ) throws(SyncError) -> AddedMessages {
    var added = AddedMessages()
    let others = deviceIDs.filter { change.deviceID != $0 }
    if others.isEmpty { return added }
    let waiting = try count(
      PushTable.rows, by: PushTable.waiting, .only(RecordKey(change.poolID, change.identityID)), limit: limit)
    let room = min(room, limit - waiting)
    for deviceID in others {
      var row = PushRow()
      row.poolID = change.poolID
      row.identityID = change.identityID
      row.datasetName = change.datasetName
      row.deviceID = deviceID
      // A row that cannot be read is replaced: it must not fail the change.
      if let stored = (try? get(PushTable.rows, row.key)) ?? nil { row = stored }
      if !row.isWaiting {
        guard added.count < room else {
          added.hasLost = true
          continue
        }
        row.isWaiting = true
        // A clock that was ahead may have written a pause that lasts for hours.
        row.due = min(max(now.wholeSecond, row.pausedUntil), now.wholeSecond + PushRow.pauseAfterMessage)
        row.attempts = 0
        added.count += 1
      }
      row.count = change.count
      row.isGivenUp = false
      row.deadline = now.wholeSecond + PushRow.lifetime
      try put(row, in: PushTable.rows)
    }
    return added
  }

  /// Removes the messages to all devices of an identity.
  package func removePushes(of identity: IdentityKey) throws(SyncError) {
    try delete(.prefix(SyncTables.identityKey(identity)), from: PushTable.rows)
  }

  // MARK: Delivery

  /// Leases messages that are due, each for a free slot: other nodes leave them alone for a time.
  ///
  /// - Parameters:
  ///   - slots: the free slots.
  ///   - time: how long.
  ///   - running: the messages that this process is sending. The clock may have ended their leases. Default: none.
  /// - Returns: the leased rows, and those that are given up, since they were not sent until their deadline.
  /// - Throws: `storeFailed`.
  func leasePushes(
    _ slots: FreeSlots<ExactString>, for time: Duration, except running: Set<RecordKey> = []
  ) throws(SyncError) -> (leased: [PushRow], ended: [PushRow]) {
    var (leased, ended): ([PushRow], [PushRow]) = ([], [])
    var slots = slots
    for key in try dueKeys(for: slots, except: running) {
      guard slots.total > 0, ended.count < Self.endedAtATime else { break }
      guard let pool = key.firstText.map({ ExactString($0) }), slots.has(pool) else { continue }
      // One that cannot be read stays, and is reported by the store.
      guard var row = (try? get(PushTable.rows, key)) ?? nil else { continue }
      guard now < row.deadline else {
        row.isGivenUp = true
        try put(row, in: PushTable.rows)
        ended.append(row)
        continue
      }
      slots.use(pool)
      row.leases = row.leases.saturatingSum(1)
      row.attempts = row.attempts.saturatingSum(1)
      row.due = now.wholeSecond + time
      try put(row, in: PushTable.rows)
      leased.append(row)
    }
    return (leased, ended)
  }

  /// Maximum number of messages that a transaction gives up.
  private static var endedAtATime: Int { 500 }

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

  /// Removes a message that cannot be sent. A change that came meanwhile is tried on its own.
  ///
  /// - Returns: false where the message is tried again.
  func removePush(_ row: PushRow) throws(SyncError) -> Bool {
    guard var current = try leased(row) else { return true }
    guard current.count != row.count else {
      try delete(current.key, from: PushTable.rows)
      return true
    }
    current.due = (now + row.pause).wholeSecond
    try put(current, in: PushTable.rows)
    return false
  }
}

extension ReadTransaction<SyncError> {
  /// Returns whether messages are due that have a free slot, and that this process is not sending.
  func hasDuePushes(
    _ slots: FreeSlots<ExactString>, except running: Set<RecordKey>
  ) throws(SyncError) -> Bool {
    for key in try dueKeys(for: slots, except: running) {
      guard let pool = key.firstText, slots.has(ExactString(pool)) else { continue }
      // For one that cannot be read no transaction that writes begins.
      if let row = try? get(PushTable.rows, key), row.isWaiting { return true }
    }
    return false
  }

  /// The keys of messages that are due: of as many as can be read as there are slots. Where these are not enough, since
  /// their pools have no slots, all of them.
  fileprivate func dueKeys(
    for slots: FreeSlots<ExactString>, except running: Set<RecordKey>
  ) throws(SyncError) -> [RecordKey] {
    var first: [PushRow] = []
    for range in dueRanges where first.count < slots.total {
      first += try scan(PushTable.rows, by: PushTable.byDue, range, limit: slots.total + running.count)
        .filter { !running.contains($0.key) }
    }
    var left = slots
    for row in first { left.use(ExactString(row.poolID)) }
    if left.total == 0 || first.count < slots.total { return first.map(\.key) }
    var keys: [RecordKey] = []
    for range in dueRanges {
      keys += try self.keys(
        of: PushTable.rows, by: PushTable.byDue, range, limit: PushOutbox.Limits().messages + running.count)
    }
    return keys.filter { !running.contains($0) }
  }

  /// The message for a device as everything is now; nil where it is to get none.
  func message(for row: PushRow) throws(SyncError) -> PushMessage? {
    let identity = IdentityKey(poolID: row.poolID, identityID: row.identityID)
    guard let dataset = try dataset(DatasetKey(identity, name: row.datasetName)),
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

  /// Messages that are due.
  private var dueRanges: [KeyRange] {
    KeyRange.all.due(at: now) { RecordKey($0) }
  }
}
