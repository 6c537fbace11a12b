internal import TokenLifetime
internal import TokenSecurityEncodings

// Calls on records.

extension SyncService {
  package nonisolated(nonsending) func listRecords(
    _ input: ListRecords.Input, _ context: SyncContext
  ) async throws(SyncError) -> ListRecords.Output {
    let (place, now) = (input.dataset.place, context.time)
    if let token = input.sessionToken { try secrets.check(token, for: place, at: now) }
    let count = input.lastSyncCount ?? 0
    let size = input.maxResults.map { Int($0) } ?? Self.pageSize
    let page = try await store.read(at: now, .fresh) { rows throws(SyncError) in
      try rows.require(place.identity, context, isList: true)
      return try rows.records(of: place, after: count, page: input.nextToken, size: size)
    }
    let token = try secrets.token(for: place, at: now)
    let hasMore = page.records.count > size
    return ListRecords.Output {
      $0.records = page.records.prefix(size).map(\.members)
      $0.count = Int64(min(page.records.count, size))
      $0.nextToken = hasMore ? PagePlace.token(after: page.records[size - 1]) : nil
      $0.datasetSyncCount = page.dataset?.count ?? 0
      $0.modifiedBy = page.dataset?.modifiedBy
      $0.mergedDatasetNames = page.mergedNames
      $0.datasetExists = page.dataset != nil
      $0.deletedAfterRequestedCount = page.isDeleted(after: count)
      $0.sessionToken = token
    }
  }

  /// Changes records, and puts messages for the devices that are subscribed to the data set into the outbox.
  package nonisolated(nonsending) func updateRecords(
    _ input: UpdateRecords.Input, _ context: SyncContext
  ) async throws(SyncError) -> UpdateRecords.Output {
    let (place, now) = (input.dataset.place, context.time)
    try secrets.check(input.sessionToken, for: place, at: now)
    let patches = input.patches ?? []
    let changes = RecordChanges(
      place, patches, by: changer(place, context, deviceID: input.deviceID), newID: try Self.newUUID())
    try changes.check()
    guard !patches.isEmpty else {
      try await store.read(at: now, .fresh) { rows throws(SyncError) in
        try rows.require(place.identity, context)
      }
      return UpdateRecords.Output { $0.records = [] }
    }
    let (publishes, poolID) = (sender != nil, place.identity.poolID)
    let hasRoom = publishes ? await outbox.hasRoom(forPool: poolID, in: store) : false
    let (limits, deviceID) = (settings.limits, input.deviceID)
    let (outcome, messages): (RecordChanges.Outcome, Int?) = try await store.write(at: now) {
      rows throws(SyncError) in
      try rows.require(place.identity, context)
      let outcome = try rows.update(changes, limits: limits)
      guard publishes else { return (outcome, 0) }
      return (outcome, try rows.publish(outcome.dataset, by: deviceID, limits: limits, hasRoom: hasRoom))
    }
    if let messages { outbox.added(messages, ofPool: poolID) } else { outbox.noteLost() }
    return UpdateRecords.Output { $0.records = outcome.records.map(\.members) }
  }

  /// Who changes records: the device, else the identity, or the developer's account.
  private func changer(_ place: DatasetPlace, _ context: SyncContext, deviceID: String?) -> String {
    context.isDeveloper ? settings.account : deviceID ?? place.identity.identityID
  }
}

extension WriteTransaction<SyncError> {
  /// Puts messages for the devices that are subscribed to a data set into the outbox. Nil where they had no room.
  fileprivate func publish(
    _ dataset: StoredDataset, by deviceID: String?, limits: SyncLimits, hasRoom: Bool
  ) throws(SyncError) -> Int? {
    let devices = try subscriptions(to: dataset.id, limit: limits.devices).map(\.deviceID)
    let change = PublishedChange(
      poolID: dataset.identity.poolID, identityID: dataset.identity.identityID, datasetName: dataset.name,
      count: dataset.count, deviceID: deviceID)
    return try publish(change, to: devices, hasRoom: hasRoom)
  }
}

extension StoredRecord {
  /// The record as responses have it.
  var members: SyncRecord {
    SyncRecord {
      $0.key = key
      $0.value = value
      $0.syncCount = count
      $0.modified = modified
      $0.modifiedBy = modifiedBy
      $0.deviceModified = deviceModified
    }
  }
}
