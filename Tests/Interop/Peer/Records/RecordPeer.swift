import Records
import RecordsPostgreSQL
import RecordsSQLite
import TokenSecurityPlatform

/// A process with a store, for tests that kill it or follow its system calls.
///
///     peer records write sqlite PATH TASKS COUNT    prints "stored N" after each write
///     peer records get memory|sqlite PATH COUNT     reads one row again and again
enum RecordPeer {
  /// A numbered row.
  private struct Item: Sendable {
    var number: Int

    static let table = Table<Item>(
      "item", key: { RecordKey("item", $0.number) },
      encoding: .json(
        write: { item, _ in ["number": .number(.init(Int64(item.number)))] },
        read: { object, _ in object["number"]?.int64.map { Item(number: Int($0)) } }))
  }

  static func run(_ arguments: [String]) async throws {
    let store = try await open(arguments[1], arguments[2])
    if arguments[0] == "write", let tasks = Int(arguments[3]), let count = Int(arguments[4]) {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for task in 0..<tasks {
          group.addTask {
            for number in stride(from: task, to: count, by: tasks) {
              try await store.write { rows throws(RecordStoreError) in
                try rows.put(Item(number: number), in: Item.table)
              }
              // One system call, so that nothing of it waits in a buffer.
              let line = Array("stored \(number)\n".utf8)
              _ = Descriptor.writeAll(line.span, to: 1)
            }
          }
        }
        try await group.waitForAll()
      }
    } else if arguments[0] == "get", let count = Int(arguments[3]) {
      try await store.write { rows throws(RecordStoreError) in try rows.put(Item(number: 1), in: Item.table) }
      var found = 0
      for _ in 0..<count {
        let item = try await store.read(at: Timestamp(since1970: .seconds(1))) {
          rows throws(RecordStoreError) in
          try rows.get(Item.table, RecordKey("item", 1))
        }
        if item != nil { found += 1 }
      }
      print(found)
    }
    try await store.close()
  }

  private static func open(_ kind: String, _ place: String) async throws -> any RecordStore {
    switch kind {
    case "sqlite": return try SQLiteRecordStore(path: place, tables: [Item.table])
    case "postgresql":
      var settings = try PostgreSQLSettings(url: place)
      // A busy machine delays calls; these tests are about those that end.
      settings.lease = .seconds(3_600)
      settings.connectTimeout = .seconds(3_600)
      settings.statementTimeout = .seconds(3_600)
      settings.callTimeout = .seconds(3_600)
      return try await PostgreSQLRecordStore(settings, tables: [Item.table])
    default: return try MemoryRecordStore(tables: [Item.table])
    }
  }
}
