package import Records
internal import TokenSecurityBase

extension WriteTransaction<SyncError> {
  /// Adds a device. One with the same platform and token keeps its id. Where the identity has the most devices that
  /// it may have, the new one replaces the one that was registered first. Endpoints that are not used any more are
  /// removed later.
  ///
  /// - Parameters:
  ///   - device: the device, with a new id.
  ///   - limits: the limits of data sets.
  /// - Returns: the device as it was stored.
  /// - Throws: `storeFailed`.
  package func add(_ device: SyncDevice, limits: SyncLimits) throws(SyncError) -> SyncDevice {
    var device = device
    let known = try devices(of: device.identity, limit: limits.devices + 1)
    if let same = known.first(where: { $0.platform == device.platform && $0.token == device.token }) {
      device = SyncDevice(
        identity: device.identity, id: same.id, platform: device.platform, token: device.token,
        endpoint: device.endpoint, registered: device.registered)
      if same.endpoint != device.endpoint { try removeEndpoints(of: [same]) }
    } else if known.count >= limits.devices, let oldest = known.min(by: { $0.registered < $1.registered }) {
      try remove(oldest)
      try removeEndpoints(of: [oldest])
    }
    try put(device)
    return device
  }

  /// Subscribes a device to a data set. A subscription that exists stays.
  ///
  /// - Parameters:
  ///   - deviceID: the device's id.
  ///   - key: the data set.
  /// - Throws: `datasetUnknown`, `deviceUnknown`, `storeFailed`.
  package func subscribe(_ deviceID: String, to key: DatasetKey) throws(SyncError) {
    let dataset = try existing(deviceID, key)
    try put(SyncSubscription(datasetID: dataset.id, identity: key.identity, deviceID: deviceID))
  }

  /// Ends the subscription of a device to a data set, if there is one.
  ///
  /// - Parameters:
  ///   - deviceID: the device's id.
  ///   - key: the data set.
  /// - Throws: `datasetUnknown`, `deviceUnknown`, `storeFailed`.
  package func unsubscribe(_ deviceID: String, from key: DatasetKey) throws(SyncError) {
    let dataset = try existing(deviceID, key)
    try delete(RecordKey(dataset.id, deviceID), from: SyncTables.subscriptions)
  }

  /// Removes the devices of an identity that was removed or merged. Their subscriptions are gone.
  ///
  /// - Parameter identity: the identity.
  /// - Throws: `storeFailed`.
  package func removeDevices(of identity: IdentityKey) throws(SyncError) {
    let range = KeyRange.prefix(SyncTables.identityKey(identity))
    while try removeDevices(range, limit: 100) == 100 {}
  }

  /// Removes devices of a pool that was removed.
  ///
  /// - Parameters:
  ///   - id: the pool's id.
  ///   - limit: the most devices.
  /// - Returns: the number of removed devices; less than `limit` if none is left.
  /// - Throws: `storeFailed`.
  package func removeDevices(ofPool id: String, limit: Int) throws(SyncError) -> Int {
    try removeDevices(.prefix(RecordKey(id)), limit: limit)
  }

  private func removeDevices(_ range: KeyRange, limit: Int) throws(SyncError) -> Int {
    let page = try scan(SyncTables.devices, range, limit: limit)
    try removeEndpoints(of: page)
    for device in page {
      try delete(SyncTables.deviceKey(device.id, of: device.identity), from: SyncTables.devices)
    }
    // Those that cannot be read.
    if page.count < limit { try delete(range, from: SyncTables.devices) }
    return page.count
  }

  private func existing(_ deviceID: String, _ key: DatasetKey) throws(SyncError) -> StoredDataset {
    guard let dataset = try dataset(key) else { throw .datasetUnknown(key.name) }
    guard try device(deviceID, of: key.identity) != nil else { throw .deviceUnknown(deviceID) }
    return dataset
  }
}
