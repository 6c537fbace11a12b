internal import ServiceOperations
internal import TokenSecurityBase

// The calls of lists, devices and subscriptions.
extension SyncCalls {
  /// All data sets of an identity.
  func datasets(of identityID: String) async throws(SyncClientError) -> [RemoteDataset] {
    var all: [RemoteDataset] = []
    var next: String?
    // Identities have few data sets: a service that returns ever more pages is not asked for them.
    for _ in 0..<100 {
      let token = next
      let output = try await call(ListDatasets.self) {
        $0.poolID = identity.poolID
        $0.identityID = identityID
        $0.nextToken = token
      }
      for found in output.datasets ?? [] {
        guard let name = found.name else { throw .responseMalformed(rule: "a data set has no DatasetName") }
        all.append(
          RemoteDataset(
            name: name, created: found.created, lastModified: found.modified,
            lastModifiedBy: found.modifiedBy, size: found.size, recordCount: found.recordCount))
      }
      next = output.nextToken
      guard next != nil else { return all }
    }
    throw .responseMalformed(rule: "the list of data sets has no end")
  }

  /// Registers this device.
  func registerDevice(
    of identityID: String, _ platform: PushPlatform, token: String
  ) async throws(SyncClientError) -> String {
    let output = try await call(RegisterDevice.self) {
      $0.poolID = identity.poolID
      $0.identityID = identityID
      $0.platform = platform
      $0.token = token
    }
    guard let id = output.deviceID, !id.isEmpty else {
      throw .responseMalformed(rule: "it has no DeviceId")
    }
    return id
  }

  /// Subscribes a device to a data set.
  func subscribe(_ device: String, to id: RemoteID) async throws(SyncClientError) {
    _ = try await call(SubscribeToDataset.self) {
      $0.dataset = name(id)
      $0.deviceID = device
    }
  }

  /// Ends the subscription of a device to a data set, if it exists.
  func unsubscribe(_ device: String, from id: RemoteID) async throws(SyncClientError) {
    do throws(SyncClientError) {
      _ = try await call(UnsubscribeFromDataset.self) {
        $0.dataset = name(id)
        $0.deviceID = device
      }
    } catch {
      guard error.isRefusal("ResourceNotFoundException") else { throw error }
    }
  }
}
