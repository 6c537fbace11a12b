internal import CognitoUserPool
internal import Records
internal import Synchronization
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityTesting

/// The cost of a look at the outbox, and how often messages are counted.
@Suite struct OutboxCapacityTests {
  private static let now = MessagesFixture.now

  /// Messages that have ended stay for a day. Neither a delivery nor a call looks at them.
  @Test func endedMessagesCostNothing() async throws {
    let store = try MemoryRecordStore(tables: UserPoolTables.all)
    let fixture = try MessagesFixture.limited(store) { _ in }
    let (pool, count) = (fixture.pool.id, 20_000)
    for first in stride(from: 0, to: count, by: 1_000) {
      try await store.write(at: Self.now) { rows throws(UserPoolError) in
        for number in first..<first + 1_000 {
          var row = OutboxRow()
          (row.poolID, row.id, row.medium, row.sealed) = (pool, "\(number)", "email", [1])
          (row.created, row.due, row.end) = (Self.now, Self.now, Self.now + .seconds(60))
          try rows.put(row, in: UserPoolTables.outbox)
        }
      }
    }
    let end = Self.now + .seconds(60)
    // The first pass knows of the writes.
    for _ in 0..<2 { while try await fixture.service.maintenance.removeEndedRows(at: end) {} }
    for _ in 0..<3 { try await fixture.enqueue(at: end) }
    let before = store.visitedEntries
    try await fixture.enqueue(at: end)
    #expect(try await fixture.service.maintenance.waitingMessages(.email) == 4)
    let sender = MessageMemory()
    #expect(try await MessageDelivery(fixture.service, sender: sender).sendDue(at: end) == 4)
    #expect(sender.messages.count == 4)
    #expect(store.visitedEntries - before < 200)
    // All are there again if the clock was ahead.
    while try await fixture.service.maintenance.removeEndedRows(at: Self.now) {}
    let listed = try await store.read(at: Self.now) { rows throws(UserPoolError) in
      try rows.count(UserPoolTables.outbox, by: UserPoolTables.outboxByDue, limit: 2 * count)
    }
    #expect(listed == count)
  }

  /// Calls that come while messages are counted wait for the same count.
  @Test func oneCountServesAllThatWait() async throws {
    let timers = SettableClock()
    let store = HeldStore(try MemoryRecordStore(tables: UserPoolTables.all))
    let capacity = OutboxCapacity(clock: { timers.instant })
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<50 {
        group.addTask { try await capacity.reserve(100, .email, of: "pool\(number % 3)", in: store) }
      }
      try await eventually { store.gate.waiting == 1 }
      await letOthersRun()
      // It takes longer than it is valid.
      timers.advance(by: .seconds(60))
      store.gate.open()
      try await group.waitForAll()
    }
    #expect(store.reads == 1)
    // It is valid from its end on.
    timers.advance(by: .milliseconds(999))
    try await capacity.reserve(100, .sms, of: "pool", in: store)
    #expect(store.reads == 1)
    timers.advance(by: .milliseconds(1))
    try await capacity.reserve(100, .sms, of: "pool", in: store)
    #expect(store.reads == 2)
  }

  /// A count that fails serves those who have waited for it. The next one counts again.
  @Test func aCountThatFails() async throws {
    let store = HeldStore(try MemoryRecordStore(tables: UserPoolTables.all))
    store.gate.open()
    try await store.close()
    let capacity = OutboxCapacity()
    for reads in 1...2 {
      let code = await errorCode { try await capacity.reserve(100, .email, of: "pool", in: store) }
      #expect(code == UserPoolError.storeFailed("").codeText)
      #expect(store.reads == reads)
    }
  }
}

/// A store whose reads wait at a gate, and are counted.
private final class HeldStore: StoreWrapper {
  let gate = Gate()
  let wrapped: any RecordStore
  private let count = Mutex(0)

  init(_ store: any RecordStore) { wrapped = store }

  var reads: Int { count.withLock { $0 } }

  nonisolated(nonsending) func read<Value: Sendable, Failure: RecordStoreFailure>(
    at now: Timestamp, _ freshness: ReadFreshness,
    _ body: @escaping @Sendable (ReadTransaction<Failure>) throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    count.withLock { $0 += 1 }
    await gate.pass()
    return try await wrapped.read(at: now, freshness, body)
  }
}
