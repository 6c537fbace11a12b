internal import GRDB
internal import PostgreSQLTestServer
internal import Records
internal import Testing
internal import TokenSecurityBase

/// Rows that cannot be read, in every engine that has a file.
@Suite struct DamagedRowTests {
  typealias Failure = RecordStoreError

  @Test(arguments: [EngineKind.sqlite, .uncachedSQLite, .postgresql, .uncachedPostgreSQL])
  func damagedRowsAreLeftOutAndReported(_ kind: EngineKind) async throws {
    let f = try await StoreFixture(kind)
    let store = f.store
    try await store.write { rows throws(Failure) in
      for number in 0..<10 {
        try rows.put(Person("a", number, email: "\(number)", tags: ["t"]), in: Person.table)
      }
    }
    let key = { (number: Int) in Hex.string(RecordKey("a", number).encoded) }
    // Bytes that are no row, a row under another key, and one of a newer version.
    try await f.execute("UPDATE person SET row = \(f.blob("ff00")) WHERE key = \(f.blob(key(2)))")
    try await f.execute(
      """
      UPDATE person SET row = (SELECT row FROM person WHERE key = \(f.blob(key(1))))
      WHERE key = \(f.blob(key(3)))
      """
    )
    try await f.execute("UPDATE person SET version = 99 WHERE key = \(f.blob(key(4)))")
    let (page, last, tagged, count) = try await store.read { rows throws(Failure) in
      (
        try rows.scan(Person.table, limit: 5).map(\.id),
        try rows.scan(Person.table, limit: 8, isDescending: true).map(\.id),
        try rows.scan(Person.table, by: Person.byTag, limit: 5).map(\.id),
        try rows.count(Person.table, limit: 99)
      )
    }
    #expect(page == [0, 1, 5, 6, 7] && tagged == page && last == [9, 8, 7, 6, 5, 1, 0] && count == 10)
    func code(_ number: Int) async -> String {
      do throws(Failure) {
        _ = try await store.read { rows throws(Failure) in try rows.get(Person.table, RecordKey("a", number))
        }
      } catch {
        return error.codeText
      }
      return ""
    }
    for _ in 0..<2 {
      #expect(await code(1) == "")
      #expect(await code(2) == "record_damaged")
      #expect(await code(3) == "record_damaged")
      #expect(await code(4) == "record_too_new")
    }
    #expect(f.damaged.all.count == 3 && f.damaged.all.allSatisfy { $0.contains("person") })
    // It can be removed, and its values are free again.
    try await store.write { rows throws(Failure) in
      #expect(try rows.delete(RecordKey("a", 2), from: Person.table))
      try rows.put(Person("a", 20, email: "2"), in: Person.table)
    }
    await f.remove()
  }
}

extension StoreFixture {
  /// Bytes in hexadecimal as SQL.
  func blob(_ hex: String) -> String { isServer ? "'\\x\(hex)'::bytea" : "x'\(hex)'" }

  var isServer: Bool { kind == .postgresql || kind == .uncachedPostgreSQL }

  /// Changes the database without the store, as another process does that does not count changes.
  func execute(_ sql: String) async throws {
    if let database { _ = try await TestServer.shared.sql(sql, database) }
    if let folder {
      let queue = try DatabaseQueue(path: "\(folder)/r.sqlite")
      try await queue.write { try $0.execute(sql: sql) }
      try queue.close()
    }
  }
}
