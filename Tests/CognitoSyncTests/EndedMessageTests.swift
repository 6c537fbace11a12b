internal import CognitoIdentity
@testable internal import CognitoSync
internal import Records
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase

/// Messages and endpoints that were given up stay for a day. They take no room, and no call looks at them.
@Suite struct EndedMessageTests {
  private static let start = PushFixture.start
  private static let count = 20_000

  @Test func messagesThatWereGivenUpCostNothing() async throws {
    let store = try MemoryRecordStore(tables: IdentityTables.all + SyncTables.all)
    let f = try await PushFixture(store)
    try await f.change("profile")
    _ = try await f.device("phone", subscribedTo: ["profile"])
    try await put(store, in: PushTable.rows) { number in
      var row = PushRow()
      (row.poolID, row.identityID) = (f.identity.poolID, f.identity.identityID)
      (row.datasetName, row.deviceID) = ("d\(number)", "device")
      (row.isWaiting, row.isGivenUp) = (true, true)
      (row.due, row.deadline) = (Self.start, Self.start)
      return row
    }
    // The change finds room, the identity's own included, and its message is sent.
    let before = store.visitedEntries
    try await f.change("profile")
    #expect(f.outbox.takeLost().isEmpty)
    #expect(try await f.delivery().sendDue(at: Self.start) == 1)
    #expect(store.visitedEntries - before < 200)
    while try await f.sync.removeOldMessages(at: Self.start - .seconds(1)) {}
    #expect(try await waiting(store, PushTable.byDue, in: PushTable.rows) == Self.count)
  }

  @Test func endpointsThatWereGivenUpCostNothing() async throws {
    let store = try MemoryRecordStore(tables: IdentityTables.all + SyncTables.all)
    var limits = SyncLimits()
    limits.devices = 1
    let f = try await PushFixture(store, limits: limits)
    try await put(store, in: EndpointTable.rows) { number in
      var row = EndpointRow()
      (row.poolID, row.endpoint) = (f.identity.poolID, "e\(number)")
      (row.isWaiting, row.isGivenUp) = (true, true)
      (row.due, row.end) = (Self.start, Self.start)
      return row
    }
    let before = store.visitedEntries
    // The endpoint of the first device finds room.
    for token in ["phone", "tablet"] { _ = try await f.device(token) }
    #expect(try await f.delivery().removeDueEndpoints(at: Self.start + .seconds(60)) == 1)
    #expect(store.visitedEntries - before < 200)
    while try await f.sync.removeOldMessages(at: Self.start - .seconds(1)) {}
    #expect(try await waiting(store, EndpointTable.byDue, in: EndpointTable.rows) == Self.count)
  }

  /// Rows of identity pools and data sets are kept for a day however many there are.
  @Test func strangersFillNoTable() {
    let tables = IdentityTables.all + SyncTables.all
    #expect(tables.contains { $0.layout.hasExpirations })
    #expect(!tables.contains { $0.layout.isFilledByStrangers })
  }

  /// A call removes some, so that others do not wait for the writer.
  @Test func aCallRemovesAPortion() async throws {
    var rule = RemovalRule()
    (rule.memory, rule.spacing) = (.zero, .zero)
    let store = try MemoryRecordStore(
      tables: IdentityTables.all + SyncTables.all, cacheSize: 0, removal: rule, onDamagedRow: { _, _ in })
    let f = try await PushFixture(store)
    try await put(store, in: PushTable.rows) { number in
      var row = PushRow()
      (row.poolID, row.identityID) = (f.identity.poolID, f.identity.identityID)
      (row.datasetName, row.deviceID, row.pausedUntil) = ("d\(number)", "device", Self.start)
      return row
    }
    func left() async throws -> Int {
      try await store.read(at: .earliest) { rows throws(SyncError) in
        try rows.count(PushTable.rows, limit: 2 * Self.count)
      }
    }
    // The first call knows of the writes.
    let end = Self.start + .seconds(600)
    while try await f.sync.removeOldMessages(at: Self.start) {}
    var calls = 0
    var rest = try await left()
    #expect(rest == Self.count)
    while try await f.sync.removeOldMessages(at: end) {
      let now = try await left()
      #expect((0...500).contains(rest - now))
      (calls, rest) = (calls + 1, now)
    }
    #expect(calls >= Self.count / 500)
    #expect(try await left() == 0)
  }

  private func put<Row: Sendable>(
    _ store: MemoryRecordStore, in table: Table<Row>, _ row: @escaping @Sendable (Int) -> Row
  ) async throws {
    for first in stride(from: 0, to: Self.count, by: 1_000) {
      try await store.write(at: Self.start) { rows throws(SyncError) in
        for number in first..<first + 1_000 { try rows.put(row(number), in: table) }
      }
    }
  }

  private func waiting<Row: Sendable>(
    _ store: MemoryRecordStore, _ index: Index<Row>, in table: Table<Row>
  ) async throws -> Int {
    try await store.read(at: Self.start - .seconds(1)) { rows throws(SyncError) in
      try rows.count(table, by: index, limit: 2 * Self.count)
    }
  }
}
