internal import ServiceOperations
internal import TokenLifetime
internal import TokenSecurityBase

/// A data set on the service.
struct RemoteID: Sendable, Hashable {
  let identityID: String
  let name: String

  /// The data set on this device.
  var local: DatasetID { DatasetID(identityID: identityID, name: name) }
}

/// The changes of a data set after a count.
struct RecordPage: Sendable {
  var records: [DatasetRecord] = []
  /// The count of the data set's last change.
  var syncCount: Int64 = 0
  var exists = true
  /// Whether the data set was deleted after the count that was asked for.
  var wasDeleted = false
  var mergedNames: [String] = []
  var sessionToken = ""
  var nextToken: String?
}

// The calls of a synchronisation.
extension SyncCalls {
  /// A page of the records that were changed after a count.
  func records(
    of id: RemoteID, after count: Int64, next: String?, session: String?
  ) async throws(SyncClientError) -> RecordPage {
    let output = try await call(ListRecords.self) {
      $0.dataset = name(id)
      $0.lastSyncCount = count
      $0.nextToken = next
      $0.sessionToken = session
    }
    guard let token = output.sessionToken else {
      throw .responseMalformed(rule: "it has no SyncSessionToken")
    }
    let page = RecordPage(
      records: try self.records(output.records ?? []), syncCount: output.datasetSyncCount ?? 0,
      exists: output.datasetExists ?? true, wasDeleted: output.deletedAfterRequestedCount ?? false,
      mergedNames: output.mergedDatasetNames ?? [], sessionToken: token, nextToken: output.nextToken)
    guard page.syncCount >= 0 else { throw .responseMalformed(rule: "its DatasetSyncCount is negative") }
    return page
  }

  /// Sends changes, of which the service takes all or none.
  func update(
    _ id: RemoteID, _ records: [DatasetRecord], session: String, device: String?
  ) async throws(SyncClientError) -> [DatasetRecord] {
    let output = try await call(UpdateRecords.self) {
      $0.dataset = name(id)
      $0.sessionToken = session
      $0.deviceID = device
      $0.patches = records.map(Self.patch)
    }
    return try self.records(output.records ?? [])
  }

  /// Deletes a data set, if it exists.
  func delete(_ id: RemoteID) async throws(SyncClientError) {
    do throws(SyncClientError) {
      _ = try await call(DeleteDataset.self) { $0 = name(id) }
    } catch {
      guard error.isRefusal("ResourceNotFoundException") else { throw error }
    }
  }

  func name(_ id: RemoteID) -> DatasetName {
    DatasetName {
      $0.poolID = identity.poolID
      $0.identityID = id.identityID
      $0.name = id.name
    }
  }

  private static func patch(_ record: DatasetRecord) -> RecordPatch {
    RecordPatch {
      $0.change = record.value == nil ? .remove : .replace
      $0.key = record.key
      $0.value = record.value
      $0.syncCount = record.syncCount
      $0.deviceModified = record.deviceLastModified
    }
  }

  private func records(_ records: [SyncRecord]) throws(SyncClientError) -> [DatasetRecord] {
    var found: [DatasetRecord] = []
    for record in records {
      guard let key = record.key, let count = record.syncCount, count > 0 else {
        throw .responseMalformed(rule: "a record has no Key or no SyncCount")
      }
      found.append(
        DatasetRecord(
          key: key, value: record.value, syncCount: count, lastModified: record.modified,
          lastModifiedBy: record.modifiedBy,
          deviceLastModified: record.deviceModified ?? record.modified ?? Timestamp(since1970: .zero),
          isModified: false))
    }
    return found
  }
}
