internal import CognitoIdentity
internal import Records
internal import Testing

/// The write with which a service finds out whether its store can be written.
@Suite struct WriteCheckTests {
  @Test func theWriteLeavesNoRow() async throws {
    let store = try MemoryRecordStore(tables: IdentityTables.all)
    let health = WriteHealth()
    health.doubt()
    #expect(await health.problem(of: store) == nil)
    let count = try await store.read { rows throws(IdentityError) in
      try rows.count(IdentityTables.calls, limit: 10)
    }
    #expect(count == 0)
  }

  @Test func aStoreThatCannotBeWritten() async throws {
    let store = try MemoryRecordStore(tables: IdentityTables.all)
    try await store.close()
    let health = WriteHealth()
    // Nothing is written before a write has failed.
    #expect(await health.problem(of: store) == nil)
    health.doubt()
    #expect(await health.problem(of: store) == .closed)
  }
}
