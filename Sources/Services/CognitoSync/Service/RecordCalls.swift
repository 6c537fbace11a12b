internal import TokenLifetime
internal import TokenSecurityBase

// Calls on records.

extension SyncService {
  package nonisolated(nonsending) func listRecords(
    _ input: ListRecords.Input, _ context: IdentityPoolOperations.Context
  ) async throws(SyncError) -> ListRecords.Output {
    let (key, now) = (input.dataset.key, context.time)
    if let token = input.sessionToken { try secrets.check(token, for: key, at: now) }
    let count = input.lastSyncCount ?? 0
    let size = input.maxResults.map { Int($0) } ?? Self.pageSize
    let page = try await store.read(at: now, .fresh) { rows throws(SyncError) in
      try rows.require(key.identity, context, isList: true)
      return try rows.records(of: key, after: count, page: input.nextToken, size: size)
    }
    let token = try secrets.token(for: key, base: page.base, at: now)
    return ListRecords.Output {
      $0.records = page.records.map(\.members)
      $0.count = Int64(page.records.count)
      $0.nextToken = page.hasMore ? page.records.last.map { PageToken.token(after: $0) } : nil
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
    _ input: UpdateRecords.Input, _ context: IdentityPoolOperations.Context
  ) async throws(SyncError) -> UpdateRecords.Output {
    let (key, now) = (input.dataset.key, context.time)
    let base = try secrets.check(input.sessionToken, for: key, at: now)
    let patches = input.patches ?? []
    if let id = input.deviceID, !UUIDText.isUUID(id) {
      throw .parameterRefused("DeviceId", rule: "it is not an id that RegisterDevice returns")
    }
    let changes = RecordChanges(
      key, patches, by: changer(key, context, deviceID: input.deviceID), base: base)
    try changes.check()
    guard !patches.isEmpty else {
      try await store.read(at: now, .fresh) { rows throws(SyncError) in
        try rows.require(key.identity, context)
      }
      return UpdateRecords.Output { $0.records = [] }
    }
    let (publishes, poolID) = (sender != nil, key.identity.poolID)
    let room = publishes ? await outbox.room(forPool: poolID, in: store) : 0
    let (limits, deviceID, most) = (settings.limits, input.deviceID, outbox.limits.identityMessages)
    let (outcome, messages) = try await store.write(at: now) { rows throws(SyncError) in
      try rows.require(key.identity, context)
      let outcome = try rows.update(changes, limits: limits)
      guard publishes else { return (outcome, AddedMessages()) }
      let devices = try rows.subscriptions(to: outcome.dataset.id, limit: limits.devices).map(\.deviceID)
      let change = PublishedChange(outcome.dataset, by: deviceID)
      return (outcome, try rows.publish(change, to: devices, room: room, limit: most))
    }
    outbox.note(messages, ofPool: poolID)
    return UpdateRecords.Output { $0.records = outcome.records.map(\.members) }
  }

  /// Who changes records: the device, else the identity, or the developer's account.
  private func changer(_ key: DatasetKey, _ context: IdentityPoolOperations.Context, deviceID: String?)
    -> String
  {
    context.isDeveloper ? settings.account : deviceID ?? key.identity.identityID
  }
}

extension PublishedChange {
  fileprivate init(_ dataset: StoredDataset, by deviceID: String?) {
    self.init(
      poolID: dataset.identity.poolID, identityID: dataset.identity.identityID, datasetName: dataset.name,
      count: dataset.count, deviceID: deviceID)
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
