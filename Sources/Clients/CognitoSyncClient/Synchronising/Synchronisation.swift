internal import TokenLifetime
internal import TokenSecurityBase

/// A synchronisation of one data set.
///
/// Each round takes the changes of others and sends those of this device. What this device stores of the service
/// is always what the service had at the data set's count, or a later change: after a response that was lost,
/// the next round takes the same records again and finds them equal.
struct Synchronisation: Sendable {
  /// Maximum number of rounds in which no fewer changes are left to send.
  static let tries = 5

  let context: SyncContext
  let id: RemoteID
  let handler: any SyncHandler
  /// How often everything had been removed from this device when this began.
  let removals: Int

  /// Returns the records that were taken from the service.
  func run() async throws(SyncClientError) -> [DatasetRecord] {
    var updated = UpdatedRecords()
    var hasAskedAboutMerge = false
    // After two refusals in a row without news, this device's counts are wrong: then all records are compared.
    var refusals = 0
    // The fewest changes that were left to send. It only falls, so that the rounds end whatever the service answers.
    var fewest: Int?
    var rest = Self.tries
    while rest > 0 {
      rest -= 1
      guard !Task.isCancelled else { throw .cancelled }
      let (base, hasRecords) = try await stored()
      if base.isDeletionPending {
        try await context.calls.delete(id)
        if try await endDeletion() { return [] }
        continue
      }
      let since = refusals > 1 ? 0 : base.lastSyncCount
      guard let pull = try await RecordPull.read(context.calls, id, after: since) else { continue }
      let isDeleted = SyncCounts.isDeleted(
        lastSyncCount: base.lastSyncCount, hasRecords: hasRecords, exists: pull.exists,
        wasDeleted: pull.wasDeleted && pull.since > 0)
      if isDeleted {
        try await restart(base)
        continue
      }
      if !pull.mergedNames.isEmpty, !hasAskedAboutMerge {
        guard await handler.onDatasetsMerged(pull.mergedNames, into: id.name) else { throw .stopped(.merge) }
        hasAskedAboutMerge = true
      }
      guard let merged = try await merge(pull, base) else { continue }
      updated.add(merged.updated)
      if !pull.records.isEmpty { refusals = 0 }
      if merged.modified.isEmpty { return updated.records }
      if let known = fewest, merged.modified.count < known { rest = Self.tries }
      fewest = min(fewest ?? .max, merged.modified.count)
      do throws(SyncClientError) {
        let portion = RecordPush.portion(of: merged.modified)
        let isCurrent = try await push(portion, pull)
        if isCurrent, portion.count == merged.modified.count { return updated.records }
      } catch {
        let isRepeated =
          error.isRefusal("ResourceConflictException")
          || error.isRefusal("InvalidParameterException", message: "SyncSessionToken")
        guard isRepeated else { throw error }
        refusals += 1
      }
    }
    throw .triesExhausted(Self.tries)
  }

  /// The data set, and whether it has records of the service. They can be there before a count is: a device may have
  /// stopped between its first push and the pull after it.
  private func stored() async throws(SyncClientError) -> (dataset: LocalDataset, hasRecords: Bool) {
    let (local, now) = (id.local, context.clock())
    return try await context.store.read { rows throws(SyncClientError) in
      let dataset = try rows.dataset(local) ?? LocalDataset(id: local, created: now)
      guard dataset.lastSyncCount == 0 else { return (dataset, true) }
      return (dataset, try rows.records(of: local).contains { $0.syncCount > 0 })
    }
  }

  /// Asks what becomes of a data set that others deleted, and prepares a round from the beginning.
  ///
  /// While the handler decides, another process may have done so: then the data set has another count, and stays.
  private func restart(_ base: LocalDataset) async throws(SyncClientError) {
    let (local, count) = (id.local, base.lastSyncCount)
    switch await handler.onDatasetDeleted(id.name) {
    case .stop: throw .stopped(.deletion)
    case .purge:
      try await context.write(since: removals) { rows throws(SyncClientError) in
        // A data set that this device deleted in the meantime is to be deleted on the service too.
        guard let dataset = try rows.dataset(local), !dataset.isDeletionPending,
          dataset.lastSyncCount == count
        else { return }
        try rows.delete(local)
      }
    case .restore:
      try await context.write(since: removals) { rows throws(SyncClientError) in
        guard var dataset = try rows.dataset(local), !dataset.isDeletionPending,
          dataset.lastSyncCount == count
        else { return }
        dataset.lastSyncCount = 0
        try rows.put(dataset)
        for var record in try rows.records(of: local) {
          guard record.value != nil else {
            try rows.deleteRecord(record.key, of: local)
            continue
          }
          record.syncCount = 0
          record.isModified = true
          try rows.put(record, in: local)
        }
      }
    }
  }

  /// Notes that the service deleted the data set. Returns false where it has new records.
  private func endDeletion() async throws(SyncClientError) -> Bool {
    let local = id.local
    return try await context.write(since: removals) { rows throws(SyncClientError) in
      guard var dataset = try rows.dataset(local), dataset.isDeletionPending else { return false }
      guard try !rows.records(of: local).isEmpty else {
        try rows.delete(local)
        return true
      }
      dataset.isDeletionPending = false
      dataset.lastSyncCount = 0
      try rows.put(dataset)
      return false
    }
  }

  /// Sends changes. Returns true where the service has no other changes after those of the pull.
  private func push(
    _ modified: [DatasetRecord], _ pull: RecordPull
  ) async throws(SyncClientError) -> Bool {
    let (local, now) = (id.local, context.clock())
    let device = try await context.store.read { [id] rows throws(SyncClientError) in
      try rows.registration(of: id.identityID)?.deviceID
    }
    let accepted = try await context.calls.update(id, modified, session: pull.sessionToken, device: device)
    let push = RecordPush(sent: modified, accepted: accepted, base: pull.syncCount)
    return try await context.write(since: removals) { rows throws(SyncClientError) in
      try push.store(in: local, rows, at: now)
    }
  }
}

/// The records that were taken from the service, each once.
private struct UpdatedRecords {
  private(set) var records: [DatasetRecord] = []
  private var indices: [ExactString: Int] = [:]

  mutating func add(_ more: [DatasetRecord]) {
    for record in more {
      if let index = indices[ExactString(record.key)] {
        records[index] = record
      } else {
        indices[ExactString(record.key)] = records.count
        records.append(record)
      }
    }
  }
}
