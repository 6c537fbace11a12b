internal import TokenLifetime
internal import TokenSecurityBase

/// A data set: records, which are read and changed on this device and synchronised with the service.
public struct Dataset: Sendable {
  /// The name.
  public let name: String
  let context: SyncContext

  /// The value of a key.
  ///
  /// - Parameter key: the key.
  /// - Returns: the value; nil if not found.
  /// - Throws: `storeUnavailable`.
  public func value(for key: String) async throws(SyncClientError) -> String? {
    try await record(for: key)?.value
  }

  /// The record of a key, with its count and dates.
  ///
  /// - Parameter key: the key.
  /// - Returns: the record, also one that was removed; nil if not found.
  /// - Throws: `storeUnavailable`.
  public func record(for key: String) async throws(SyncClientError) -> DatasetRecord? {
    try await read { rows, id throws(SyncClientError) in try rows.record(key, of: id) }
  }

  /// The records that have a value.
  ///
  /// - Returns: the records in the order of their keys.
  /// - Throws: `storeUnavailable`.
  public func records() async throws(SyncClientError) -> [DatasetRecord] {
    try await read { rows, id throws(SyncClientError) in
      try rows.records(of: id).filter { $0.value != nil }
    }
  }

  /// The state of the data set on this device.
  ///
  /// - Returns: the data set; nil if it is not on this device.
  /// - Throws: `storeUnavailable`.
  public func local() async throws(SyncClientError) -> LocalDataset? {
    try await read { rows, id throws(SyncClientError) in try rows.dataset(id) }
  }

  /// The size on this device: the bytes of keys and values. Of a record that was removed, the key counts.
  ///
  /// - Returns: the size in bytes. The service refuses more than 1 MiB.
  /// - Throws: `storeUnavailable`.
  public func size() async throws(SyncClientError) -> Int {
    try await read { rows, id throws(SyncClientError) in
      try rows.records(of: id).reduce(0) { $0 + $1.size }
    }
  }

  /// Whether there are changes that the service does not have.
  ///
  /// - Returns: true if there are.
  /// - Throws: `storeUnavailable`.
  public func isModified() async throws(SyncClientError) -> Bool {
    try await read { rows, id throws(SyncClientError) in
      guard let dataset = try rows.dataset(id) else { return false }
      if dataset.isDeletionPending { return true }
      return try rows.records(of: id).contains { $0.isModified }
    }
  }

  /// Changes a value on this device.
  ///
  /// - Parameters:
  ///   - value: the value, at most 1,048,575 bytes.
  ///   - key: the key, 1 to 128 bytes.
  /// - Throws: `inputInvalid`, `storeUnavailable`.
  public func put(_ value: String, for key: String) async throws(SyncClientError) {
    try await change([(key, value)])
  }

  /// Changes several values on this device, all or none.
  ///
  /// - Parameter values: the values by key. Keys that Unicode calls equal are one in a dictionary: put them one by one.
  /// - Throws: `inputInvalid`, `storeUnavailable`.
  public func put(_ values: [String: String]) async throws(SyncClientError) {
    try await change(values.map { ($0.key, $0.value) })
  }

  /// Removes a record on this device. The service learns of it by the next synchronisation.
  ///
  /// - Parameter key: the key.
  /// - Throws: `inputInvalid` for a key that no record can have, `storeUnavailable`.
  public func remove(_ key: String) async throws(SyncClientError) { try await change([(key, nil)]) }

  /// Deletes the data set on this device. The service learns of it by the next synchronisation.
  ///
  /// - Throws: `storeUnavailable`.
  public func delete() async throws(SyncClientError) {
    try await write { rows, id, now throws(SyncClientError) in
      var dataset = try rows.dataset(id) ?? LocalDataset(id: id, created: now)
      try rows.delete(id)
      // The service has nothing of a data set without an identity.
      if id.identityID != nil {
        dataset.lastSyncCount = 0
        dataset.isDeletionPending = true
        dataset.lastModified = now
        try rows.put(dataset)
      }
    }
  }

  /// Makes the data set equal to the service's: takes the changes of others, asks the handler about conflicts,
  /// and sends the changes of this device. Synchronisations of one data set follow one another.
  ///
  /// - Parameter handler: decides. Default: ``DefaultSyncHandler``.
  /// - Returns: the records that were taken from the service.
  /// - Throws: `stopped`, `triesExhausted`, `identityFailed`, `refused`, `responseMalformed`, `unreachable`,
  ///   `inputInvalid`, `storeUnavailable`, `cancelled`. The handler learns of it before.
  @discardableResult
  public func synchronize(
    _ handler: any SyncHandler = DefaultSyncHandler()
  ) async throws(SyncClientError) -> [DatasetRecord] {
    let turn = ExactString(name)
    guard await context.turns.begin(turn) else {
      await handler.onFailure(name, .cancelled)
      throw .cancelled
    }
    let removals = context.removals
    let result: Result<[DatasetRecord], SyncClientError>
    do throws(SyncClientError) {
      let id = RemoteID(identityID: try await context.identityID(), name: name)
      try await context.adopt(name, for: id.identityID)
      let synchronisation = Synchronisation(
        context: context, id: id, handler: handler, removals: removals)
      result = .success(try await synchronisation.run())
    } catch {
      result = .failure(error)
    }
    await context.turns.end(turn)
    switch result {
    case .success(let updated):
      await handler.onSuccess(name, updated: updated)
      return updated
    case .failure(let error):
      await handler.onFailure(name, error)
      throw error
    }
  }
}

// Transactions on the data set of the identity that is known.
extension Dataset {
  private func read<Value: Sendable>(
    _ body: @escaping @Sendable (any DatasetReading, DatasetID) throws(SyncClientError) -> Value
  ) async throws(SyncClientError) -> Value {
    let id = await context.knownID(name)
    if let identityID = id.identityID { try await context.adopt(name, for: identityID) }
    return try await context.store.read { rows throws(SyncClientError) in try body(rows, id) }
  }

  private func write(
    _ body: @escaping @Sendable (any DatasetWriting, DatasetID, Timestamp) throws(SyncClientError) -> Void
  ) async throws(SyncClientError) {
    let id = await context.knownID(name)
    let now = context.clock()
    try await context.store.write { rows throws(SyncClientError) in
      if let identityID = id.identityID { try rows.adoptDataset(id.name, for: identityID) }
      try body(rows, id, now)
    }
  }

  private func change(_ changes: [(key: String, value: String?)]) async throws(SyncClientError) {
    for case (_, let value?) in changes { try SyncBounds.check(value: value) }
    try await write { rows, id, now throws(SyncClientError) in
      var dataset = try rows.dataset(id) ?? LocalDataset(id: id, created: now)
      var isChanged = false
      for (key, value) in changes {
        let known = try rows.record(key, of: id)
        // Other clients may have made a longer key. This one can change its record.
        if known == nil { try SyncBounds.check(key: key) }
        guard known?.value != value else { continue }
        let new = DatasetRecord(
          key: key, value: nil, syncCount: 0, deviceLastModified: now, isModified: true)
        var record = known ?? new
        record.value = value
        record.deviceLastModified = now
        record.isModified = true
        try rows.put(record, in: id)
        isChanged = true
      }
      if isChanged {
        dataset.lastModified = now
        try rows.put(dataset)
      }
    }
  }
}
