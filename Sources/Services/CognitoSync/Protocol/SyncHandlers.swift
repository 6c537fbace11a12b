internal import TokenSecurityBase

// The handlers of operations on data sets, devices and settings.

extension SyncService {
  typealias Handlers = OperationTable<IdentityPoolOperations.Context, SyncError>

  func addDatasetHandlers(to table: inout Handlers) {
    table.on(ListDatasets.self) { (input, context) throws(SyncError) in
      try await listDatasets(input, context)
    }
    table.on(DescribeDataset.self) { (input, context) throws(SyncError) in
      try await describeDataset(input.key, context)
    }
    table.on(DeleteDataset.self) { (input, context) throws(SyncError) in
      try await deleteDataset(input.key, context)
    }
    table.on(DescribeIdentityUsage.self) { (input, context) throws(SyncError) in
      try await describeUsage(IdentityKey(poolID: input.poolID, identityID: input.identityID), context)
    }
    table.on(ListRecords.self) { (input, context) throws(SyncError) in
      try await listRecords(input, context)
    }
    table.on(UpdateRecords.self) { (input, context) throws(SyncError) in
      try await updateRecords(input, context)
    }
  }

  func addDeviceHandlers(to table: inout Handlers) {
    table.on(RegisterDevice.self) { (input, context) throws(SyncError) in
      try await registerDevice(input, context)
    }
    table.on(SubscribeToDataset.self) { (input, context) throws(SyncError) in
      try await subscribe(input, context)
      return NoMembers()
    }
    table.on(UnsubscribeFromDataset.self) { (input, context) throws(SyncError) in
      try await unsubscribe(input, context)
      return NoMembers()
    }
  }

  func addConfigurationHandlers(to table: inout Handlers) {
    table.on(GetIdentityPoolConfiguration.self) { (input, context) throws(SyncError) in
      try await configuration(input.poolID, context)
    }
    table.on(SetIdentityPoolConfiguration.self) { (input, context) throws(SyncError) in
      try await setConfiguration(input, context)
    }
  }
}
