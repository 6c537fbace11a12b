internal import CognitoSyncClient
internal import Foundation

/// Single reads, for tests.
extension LocalDatasetStore {
  func dataset(_ id: DatasetID) async throws(SyncClientError) -> LocalDataset? {
    try await read { rows throws(SyncClientError) in try rows.dataset(id) }
  }

  func names(of identityID: String?) async throws(SyncClientError) -> [String] {
    try await read { rows throws(SyncClientError) in try rows.datasets(of: identityID).map(\.id.name) }
  }

  func records(of id: DatasetID) async throws(SyncClientError) -> [DatasetRecord] {
    try await read { rows throws(SyncClientError) in try rows.records(of: id) }
  }

  func record(_ key: String, of id: DatasetID) async throws(SyncClientError) -> DatasetRecord? {
    try await read { rows throws(SyncClientError) in try rows.record(key, of: id) }
  }

  func registration(of identityID: String) async throws(SyncClientError) -> DeviceRegistration? {
    try await read { rows throws(SyncClientError) in try rows.registration(of: identityID) }
  }
}

/// Folders of tests.
enum TestFolder {
  /// A folder that is removed at the end.
  static func with(_ body: (String) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.path + "/sync-\(UUID().uuidString)"
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await body(folder)
  }
}
