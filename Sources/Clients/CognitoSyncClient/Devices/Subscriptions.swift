internal import TokenSecurityBase

extension SyncDatasets {
  /// Subscribes this device to data sets: it gets a push message when others change them.
  ///
  /// - Parameter names: their names. The service must have them: synchronise them before.
  /// - Throws: `deviceNotRegistered`; `refused`: `ResourceNotFoundException` for a data set that the service does not
  ///   have; `inputInvalid`, `identityFailed`, `responseMalformed`, `unreachable`, `storeUnavailable`, `cancelled`.
  ///   Earlier ones of the list are subscribed to.
  public func subscribe(to names: [String]) async throws(SyncClientError) {
    for name in names { try SyncBounds.checkDataset(name) }
    let (identityID, device) = try await registered()
    for name in names {
      try await context.calls.subscribe(device, to: RemoteID(identityID: identityID, name: name))
    }
  }

  /// Subscribes this device to all data sets that it has synchronised.
  ///
  /// - Returns: their names.
  /// - Throws: as ``subscribe(to:)``.
  @discardableResult
  public func subscribeAll() async throws(SyncClientError) -> [String] {
    let names = try await synchronisedNames()
    try await subscribe(to: names)
    return names
  }

  /// Ends subscriptions of this device. Those that the service does not have are left out.
  ///
  /// - Parameter names: the data sets' names.
  /// - Throws: as ``subscribe(to:)``.
  public func unsubscribe(from names: [String]) async throws(SyncClientError) {
    for name in names { try SyncBounds.checkDataset(name) }
    let (identityID, device) = try await registered()
    for name in names {
      try await context.calls.unsubscribe(device, from: RemoteID(identityID: identityID, name: name))
    }
  }

  /// Ends the subscriptions of this device to all data sets that it has synchronised.
  ///
  /// - Returns: their names.
  /// - Throws: as ``subscribe(to:)``.
  @discardableResult
  public func unsubscribeAll() async throws(SyncClientError) -> [String] {
    let names = try await synchronisedNames()
    try await unsubscribe(from: names)
    return names
  }

  private func synchronisedNames() async throws(SyncClientError) -> [String] {
    let identityID = try await context.identityID()
    return try await context.store.read { rows throws(SyncClientError) in
      try rows.datasets(of: identityID).filter { $0.lastSyncCount > 0 }.map(\.id.name)
    }
  }

  private func registered() async throws(SyncClientError) -> (identityID: String, device: String) {
    let identityID = try await context.identityID()
    let registration = try await context.store.read { rows throws(SyncClientError) in
      try rows.registration(of: identityID)
    }
    guard let registration else { throw .deviceNotRegistered }
    return (identityID, registration.deviceID)
  }
}

extension Dataset {
  /// Subscribes this device to the data set: it gets a push message when others change it.
  ///
  /// - Throws: as ``SyncDatasets/subscribe(to:)``.
  public func subscribe() async throws(SyncClientError) {
    try await SyncDatasets(context: context).subscribe(to: [name])
  }

  /// Ends the subscription of this device to the data set, if there is one.
  ///
  /// - Throws: as ``SyncDatasets/subscribe(to:)``.
  public func unsubscribe() async throws(SyncClientError) {
    try await SyncDatasets(context: context).unsubscribe(from: [name])
  }
}
