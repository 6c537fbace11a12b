internal import CognitoSync
internal import Foundation
internal import PostgreSQLTestServer
internal import RecordsPostgreSQL
internal import RecordsSQLite

/// The stores. All tests must pass with each.
enum SyncStore: String, CaseIterable, Sendable {
  case memory, sqlite, postgresql

  static let tables: [any DeclaredTable] = IdentityTables.all + SyncTables.all

  /// A new store. Files are left in the system's temporary folder.
  func make() async throws -> any RecordStore {
    switch self {
    case .memory: return try MemoryRecordStore(tables: Self.tables)
    case .sqlite:
      let folder = FileManager.default.temporaryDirectory.path + "/data-sets-\(UUID().uuidString)"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      return try SQLiteRecordStore(path: folder + "/identities.sqlite", tables: Self.tables)
    case .postgresql:
      return try await PostgreSQLRecordStore(
        TestServer.shared.settings(TestServer.shared.makeDatabase()), tables: Self.tables)
    }
  }
}
