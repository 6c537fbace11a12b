internal import CognitoIdentity
internal import Synchronization
internal import Testing
internal import TokenLifetime

/// Tokens with unknown keys.
@Suite struct UnknownKeyTests {
  /// Counts reads of signing keys, which only loads and the maintenance make with a scan.
  private final class CountingStore: RecordStore {
    let store: any RecordStore
    let reads = Mutex(0)
    var isShared: Bool { store.isShared }

    init(_ store: any RecordStore) { self.store = store }

    nonisolated(nonsending) func read<Value: Sendable, Failure: RecordStoreFailure>(
      at now: Timestamp, _ freshness: ReadFreshness,
      _ body: @escaping @Sendable (ReadTransaction<Failure>) throws(Failure) -> Value
    ) async throws(Failure) -> Value {
      if Value.self == [StoredSigningKey].self { reads.withLock { $0 += 1 } }
      return try await store.read(at: now, freshness, body)
    }

    nonisolated(nonsending) func write<Value: Sendable, Failure: RecordStoreFailure>(
      at now: Timestamp, _ body: @escaping @Sendable (WriteTransaction<Failure>) throws(Failure) -> Value
    ) async throws(Failure) -> Value {
      try await store.write(at: now, body)
    }

    nonisolated(nonsending) func close() async throws(RecordStoreError) { try await store.close() }
  }

  /// Their callers are not authenticated: any number of them at once causes few loads.
  @Test func loadsAreShared() async throws {
    let f = try await Fixture(.memory)
    let store = CountingStore(f.store)
    let service = try Fixture.service(store)
    try await service.keys.maintain(at: Fixture.now)
    // Signed by a key that no service has published.
    let other = try Fixture.service(MemoryRecordStore(tables: IdentityTables.all))
    try await other.keys.maintain(at: Fixture.now)
    try await other.store.write { rows throws(IdentityError) in try rows.put(f.pool) }
    let token = try await other.issueDeveloperToken(
      poolID: f.pool.id, logins: [Fixture.developer: "jane"], at: Fixture.now
    ).token
    let before = store.reads.withLock { $0 }
    await withTaskGroup(of: String.self) { group in
      for _ in 0..<200 {
        group.addTask {
          await code {
            _ = try await service.assumeRole(
              .init(roleARN: Fixture.role, sessionName: "unknown", token: token), at: Fixture.now)
          }
        }
      }
      for await outcome in group { #expect(outcome == "web_identity_refused") }
    }
    // One at once, and one for those that arrived later; on a slow machine some more.
    #expect(store.reads.withLock { $0 } - before < 100)
    f.remove()
  }
}
