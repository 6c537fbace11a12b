internal import TokenLifetime
internal import TokenSecurityBase

// Calls on data sets.

extension SyncService {
  /// Maximum number of data sets or records of a page, and their number where the caller does not say.
  static let pageSize = 1_024

  package nonisolated(nonsending) func listDatasets(
    _ input: ListDatasets.Input, _ context: IdentityPoolOperations.Context
  ) async throws(SyncError) -> ListDatasets.Output {
    let identity = IdentityKey(poolID: input.poolID, identityID: input.identityID)
    let size = input.maxResults.map { Int($0) } ?? Self.pageSize
    let last = try PageToken.dataset(input.nextToken)
    let found = try await store.read(at: context.time, .fresh) { rows throws(SyncError) in
      try rows.require(identity, context, isList: true)
      return try rows.datasets(of: identity, after: last, limit: size + 1)
    }
    return ListDatasets.Output {
      $0.datasets = found.prefix(size).map(\.members)
      $0.count = Int64(min(found.count, size))
      $0.nextToken = found.count > size ? PageToken.token(afterDataset: found[size - 1].name) : nil
    }
  }

  package nonisolated(nonsending) func describeDataset(
    _ key: DatasetKey, _ context: IdentityPoolOperations.Context
  ) async throws(SyncError) -> DescribeDataset.Output {
    let found = try await store.read(at: context.time, .fresh) { rows throws(SyncError) in
      try rows.require(key.identity, context)
      return try rows.dataset(key)
    }
    guard let found else { throw .datasetUnknown(key.name) }
    return DescribeDataset.Output { $0.dataset = found.members }
  }

  package nonisolated(nonsending) func deleteDataset(
    _ key: DatasetKey, _ context: IdentityPoolOperations.Context
  ) async throws(SyncError) -> DeleteDataset.Output {
    let deleted = try await store.write(at: context.time) { rows throws(SyncError) in
      try rows.require(key.identity, context)
      guard let dataset = try rows.dataset(key) else { throw .datasetUnknown(key.name) }
      try rows.remove(dataset)
      // One more: a client that lists before the deletion and changes after it must not take the new data set's first
      // count for the next one of the old data set.
      try rows.raiseFloor(of: key.identity, to: dataset.count + 1)
      return dataset
    }
    return DeleteDataset.Output { $0.dataset = deleted.members }
  }

  package nonisolated(nonsending) func describeUsage(
    _ identity: IdentityKey, _ context: IdentityPoolOperations.Context
  ) async throws(SyncError) -> DescribeIdentityUsage.Output {
    let usage = try await store.read(at: context.time, .fresh) { rows throws(SyncError) in
      try rows.require(identity, context)
      return try rows.usage(of: identity)
    }
    return DescribeIdentityUsage.Output {
      $0.usage = DescribeIdentityUsage.IdentityUsage {
        $0.identityID = identity.identityID
        $0.poolID = identity.poolID
        $0.modified = usage.modified
        $0.datasetCount = Int64(usage.count)
        $0.size = Int64(usage.size)
      }
    }
  }
}

extension StoredDataset {
  /// The data set as responses have it.
  var members: DatasetDescription {
    DatasetDescription {
      $0.identityID = identity.identityID
      $0.name = name
      $0.created = created
      $0.modified = modified
      $0.modifiedBy = modifiedBy
      $0.size = Int64(size)
      $0.recordCount = Int64(recordCount)
    }
  }
}
