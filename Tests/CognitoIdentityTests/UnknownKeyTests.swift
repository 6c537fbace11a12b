internal import CognitoIdentity
internal import Synchronization
internal import Testing
internal import TokenLifetime
internal import TokenSecurityTesting

/// Tokens with unknown keys.
@Suite struct UnknownKeyTests {
  /// Counts reads of signing keys, which only loads and the maintenance make with a scan.
  private final class CountingStore: StoreWrapper {
    let wrapped: any RecordStore
    let reads = Mutex(0)

    init(_ store: any RecordStore) { wrapped = store }

    nonisolated(nonsending) func read<Value: Sendable, Failure: RecordStoreFailure>(
      at now: Timestamp, _ freshness: ReadFreshness,
      _ body: @escaping @Sendable (ReadTransaction<Failure>) throws(Failure) -> Value
    ) async throws(Failure) -> Value {
      if Value.self == [StoredSigningKey].self { reads.withLock { $0 += 1 } }
      return try await wrapped.read(at: now, freshness, body)
    }
  }

  /// Their callers are not authenticated: any number of them causes one load at once, and further ones at a distance of
  /// 250 ms.
  @Test func loadsAreShared() async throws {
    let f = try await Fixture(.memory)
    let store = CountingStore(f.store)
    let clock = SettableClock()
    let service = try Fixture.service(store, timers: clock)
    try await service.keys.maintain(at: Fixture.now)
    // Signed by a key that no service has published.
    let other = try Fixture.service(MemoryRecordStore(tables: IdentityTables.all))
    try await other.keys.maintain(at: Fixture.now)
    try await other.store.write { rows throws(IdentityError) in try rows.put(f.pool) }
    let token = try await other.issueDeveloperToken(
      poolID: f.pool.id, logins: [Fixture.developer: "jane"], at: Fixture.now
    ).token
    @Sendable func outcome() async -> String {
      await code {
        _ = try await service.assumeRole(
          .init(roleARN: Fixture.role, sessionName: "unknown", token: token), at: Fixture.now)
      }
    }
    let before = store.reads.withLock { $0 }
    var loads: Int { store.reads.withLock { $0 } - before }
    #expect(await outcome() == "web_identity_refused")
    #expect(loads == 1)
    let ended = Tally()
    try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<200 {
        group.addTask {
          defer { ended.add() }
          return await outcome()
        }
      }
      try await eventually { clock.sleepers == 1 }
      clock.advance(by: .milliseconds(249))
      await letOthersRun()
      #expect(loads == 1)
      #expect(ended.value == 0)
      clock.advance(by: .milliseconds(1))
      try await eventually { loads == 2 }
      // Calls that arrived after the load began share the next ones.
      try await clock.advance(by: .milliseconds(250)) { ended.value == 200 }
      for try await outcome in group { #expect(outcome == "web_identity_refused") }
    }
    #expect(loads <= 1 + Int(clock.elapsed / .milliseconds(250)))
    f.remove()
  }
}
