internal import CognitoIdentity
internal import JOSE
internal import PostgreSQLTestServer
internal import RecordsPostgreSQL
internal import Synchronization
internal import Testing
internal import TokenLifetime

/// Two services on one PostgreSQL database: what one changes, the other sees at once where it matters.
@Suite struct TwoNodeTests {
  private struct Nodes {
    let first: Fixture
    let second: IdentityPoolService
    private let store: any RecordStore

    init() async throws {
      let database = try await TestServer.shared.makeDatabase()
      first = try await Fixture(.postgresql, database: database)
      store = try await PostgreSQLRecordStore(
        TestServer.shared.settings(database), tables: IdentityTables.all)
      second = try Fixture.service(store)
      try await second.keys.maintain(at: Fixture.now)
    }

    func close() async {
      try? await first.store.close()
      try? await store.close()
    }

    /// Assumes a role on the second node.
    func assumeRole(_ token: String) async -> String {
      await code {
        _ = try await second.assumeRole(
          .init(roleARN: Fixture.role, sessionName: "two-nodes", token: token), at: Fixture.now)
      }
    }
  }

  @Test func keysRotateAndAreRevoked() async throws {
    let nodes = try await Nodes()
    let old = try await nodes.first.token("jane").token
    #expect(await nodes.assumeRole(old) == "")
    // The second node has not loaded the new key.
    try await nodes.first.service.keys.rotate(notice: .zero, at: Fixture.now)
    let new = try await nodes.first.token("jane").token
    #expect(await nodes.assumeRole(new) == "")
    #expect(nodes.second.keys.schedule.count == 2)
    // Nor that a key was revoked.
    let keyID = try #require(try UnverifiedToken(old).header.keyID)
    try await nodes.first.service.keys.revoke(keyID, at: Fixture.now)
    #expect(await nodes.assumeRole(old) == "web_identity_refused")
    #expect(await nodes.assumeRole(new) == "")
    await nodes.close()
  }

  @Test func loginsAndAccessKeysAreRevoked() async throws {
    let nodes = try await Nodes()
    let (service, pool) = (nodes.first.service, nodes.first.pool)
    for round in 0..<5 {
      let user = "user-\(round)"
      let issued = try await nodes.first.token(user)
      let again = { @Sendable in
        try await nodes.second.issueDeveloperToken(
          poolID: pool.id, logins: [Fixture.developer: user], at: Fixture.now)
      }
      #expect(await nodes.assumeRole(issued.token) == "")
      #expect(try await again().identityID == issued.identityID)
      try await service.unlinkDeveloperIdentity(
        issued.identityID, user: user, provider: Fixture.developer, poolID: pool.id)
      #expect(await nodes.assumeRole(issued.token) == "identity_forbidden")
      #expect(try await again().identityID != issued.identityID)
      let key = try await service.createAccessKey(note: "")
      let id = key.id
      #expect(try await nodes.second.verificationKey(for: id) != nil)
      try await nodes.first.store.write { rows throws(IdentityError) in try rows.removeAccessKey(id) }
      #expect(try await nodes.second.verificationKey(for: id) == nil)
    }
    await nodes.close()
  }

  @Test func manyCallersGetOneIdentity() async throws {
    let nodes = try await Nodes()
    let pool = nodes.first.pool.id
    let services = [nodes.first.service, nodes.second]
    let ids = try await withThrowingTaskGroup(of: String.self) { group in
      for number in 0..<64 {
        group.addTask {
          while true {
            do {
              return try await services[number % 2].issueDeveloperToken(
                poolID: pool, logins: [Fixture.developer: "jane"], at: Fixture.now
              ).identityID
            } catch IdentityError.storeBusy {
              // As clients do.
            }
          }
        }
      }
      return try await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    #expect(ids.count == 1)
    #expect(try await nodes.second.listIdentities(inPool: pool, size: 60).elements.count == 1)
    await nodes.close()
  }

  @Test func oneKeyIsMade() async throws {
    let nodes = try await Nodes()
    let later = Fixture.now.advanced(bySeconds: 30 * 86_400)
    let services = [nodes.first.service, nodes.second]
    let made = try await withThrowingTaskGroup(of: Int.self) { group in
      for service in services { group.addTask { try await service.keys.maintain(at: later).made.count } }
      return try await group.reduce(0, +)
    }
    #expect(made == 1)
    #expect(
      try await nodes.first.store.read { rows throws(IdentityError) in try rows.signingKeys() }.count == 2)
    await nodes.close()
  }
}

/// Tokens with unknown keys.
@Suite struct UnknownKeyTests {
  /// Counts reads of signing keys, which only loads and the maintenance make with a scan.
  private final class CountingStore: RecordStore {
    let store: any RecordStore
    let reads = Mutex(0)

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
