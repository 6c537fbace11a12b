internal import CognitoUserPool
internal import Foundation
internal import PostgreSQLTestServer
internal import RecordsPostgreSQL
internal import RecordsSQLite

/// The stores. All tests must pass with each.
enum StoreKind: String, CaseIterable, Sendable {
  case memory, sqlite, postgresql

  /// A new store. Files are left in the system's temporary folder.
  ///
  /// - Parameter removal: how long ended rows are kept. Default: a day of uptime.
  /// - Returns: the store.
  /// - Throws: the failure of a file or of a server.
  func make(removal: RemovalRule = RemovalRule()) async throws -> any RecordStore {
    switch self {
    case .memory: return try MemoryRecordStore(tables: UserPoolTables.all, cacheSize: 0, removal: removal)
    case .sqlite:
      let folder = FileManager.default.temporaryDirectory.path + "/user-pools-\(UUID().uuidString)"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      return try SQLiteRecordStore(
        path: folder + "/pools.sqlite", tables: UserPoolTables.all, removal: removal)
    case .postgresql:
      return try await PostgreSQLRecordStore(
        TestServer.shared.settings(TestServer.shared.makeDatabase()), tables: UserPoolTables.all,
        removal: removal)
    }
  }
}
