internal import Foundation
internal import PostgreSQLTestServer
internal import Records
internal import RecordsPostgreSQL
internal import RecordsSQLite
internal import Synchronization

/// The engines on which the conformance suite runs.
enum EngineKind: String, CaseIterable, Sendable {
  case memory
  case cachedMemory
  case sqlite
  case uncachedSQLite
  case postgresql
  case uncachedPostgreSQL
}

/// A new store with the tests' tables.
struct StoreFixture: Sendable {
  let kind: EngineKind
  let store: any RecordStore
  let damaged = DamagedList()
  let folder: String?
  let database: String?

  static let tables: [any DeclaredTable] = [Person.table, Counter.table]

  /// - Parameters:
  ///   - kind: the engine.
  ///   - tables: the tables.
  ///   - removal: how long ended rows are kept. Default: not longer than clocks may differ.
  ///   - clock: the SQL of a server's clock. Default: that of the test server.
  /// - Throws: the failure of a file or of a server.
  init(
    _ kind: EngineKind, tables: [any DeclaredTable] = tables, removal: RemovalRule = .immediate,
    clock: String? = nil
  ) async throws {
    self.kind = kind
    switch kind {
    case .memory:
      (folder, database) = (nil, nil)
      store = try MemoryRecordStore(
        tables: tables, cacheSize: 0, removal: removal, onDamagedRow: damaged.add)
    case .cachedMemory:
      (folder, database) = (nil, nil)
      store = try MemoryRecordStore(
        tables: tables, cacheSize: 1 << 20, removal: removal, onDamagedRow: damaged.add)
    case .sqlite, .uncachedSQLite:
      let folder = try TestFolder.make()
      self.folder = folder
      database = nil
      store = try SQLiteRecordStore(
        path: "\(folder)/r.sqlite", tables: tables, cacheSize: kind == .sqlite ? 1 << 20 : 0,
        removal: removal, onDamagedRow: damaged.add)
    case .postgresql, .uncachedPostgreSQL:
      folder = nil
      let database = try await TestServer.shared.makeDatabase()
      self.database = database
      var settings = try TestServer.shared.settings(database)
      if let clock { settings.clock = clock }
      store = try await PostgreSQLRecordStore(
        settings, tables: tables, cacheSize: kind == .postgresql ? 1 << 20 : 0, removal: removal,
        onDamagedRow: damaged.add)
    }
  }

  func remove() async {
    try? await store.close()
    if let folder { try? FileManager.default.removeItem(atPath: folder) }
  }
}

extension RemovalRule {
  /// Ended rows are removed by the first pass that finds them.
  static var immediate: RemovalRule {
    var rule = RemovalRule()
    (rule.memory, rule.spacing) = (.zero, .zero)
    return rule
  }
}

/// Folders of this user alone.
enum TestFolder {
  static func make() throws -> String {
    let folder = FileManager.default.temporaryDirectory.path + "/records-\(UUID().uuidString)"
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    return folder
  }

  /// A folder that is removed at the end.
  static func with(_ body: (String) async throws -> Void) async throws {
    let folder = try make()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await body(folder)
  }
}

/// The damaged rows that a store has reported.
final class DamagedList: Sendable {
  private let rows = Mutex<[String]>([])

  @Sendable func add(_ table: String, _ key: RecordKey) {
    rows.withLock { $0.append("\(table) \(key.parts ?? [])") }
  }

  var all: [String] { rows.withLock { $0 } }
}
