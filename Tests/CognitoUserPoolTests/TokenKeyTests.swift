@testable internal import CognitoUserPool
internal import JOSE
internal import Records
internal import SigningKeyTesting
internal import Synchronization
internal import Testing
internal import TokenSecurityBase

/// Keys of pools: made once, rotated, retired, served while the store fails.
@Suite struct TokenKeyTests {
  /// A store that fails when it is told to.
  private final class FailingStore: StoreWrapper {
    let wrapped: any RecordStore
    let fails = Mutex(false)

    init(_ store: any RecordStore) { wrapped = store }

    private func check() throws(RecordStoreError) {
      if fails.withLock({ $0 }) { throw .unavailable("a test") }
    }

    nonisolated(nonsending) func read<Value: Sendable, Failure: RecordStoreFailure>(
      at now: Timestamp, _ freshness: ReadFreshness,
      _ body: @escaping @Sendable (ReadTransaction<Failure>) throws(Failure) -> Value
    ) async throws(Failure) -> Value {
      do throws(RecordStoreError) { try check() } catch { throw Failure(error) }
      return try await wrapped.read(at: now, freshness, body)
    }

    nonisolated(nonsending) func write<Value: Sendable, Failure: RecordStoreFailure>(
      at now: Timestamp, _ body: @escaping @Sendable (WriteTransaction<Failure>) throws(Failure) -> Value
    ) async throws(Failure) -> Value {
      do throws(RecordStoreError) { try check() } catch { throw Failure(error) }
      return try await wrapped.write(at: now, body)
    }
  }

  private func keyIDs(_ service: UserPoolService, _ pool: UserPool) async throws -> Set<String> {
    let text = String(decoding: try await service.published.keySet(ofPool: pool.id), as: UTF8.self)
    return Set(try JWKSet(json: text).keys.compactMap(\.keyID))
  }

  private func stored(_ f: TokenFixture) async throws -> [PoolSigningKey] {
    try await f.store.read { rows throws(UserPoolError) in
      try rows.scan(UserPoolTables.signingKeys, limit: 100)
    }
  }

  /// Commands would read an id that begins with a hyphen as an option.
  @Test(arguments: [
    ("NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs", "NzbLsXh8uDCcd-6M"),
    ("-zbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs", "zbLsXh8uDCcd-6MN"),
    ("--_LsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs", "_LsXh8uDCcd-6MNw"),
  ])
  func idsOfKeysDoNotBeginWithAHyphen(_ thumbprint: String, _ expected: String) async throws {
    let f = try await TokenFixture()
    let storage = PoolKeyStorage(poolID: f.pool.id, use: .access, secrets: f.service.secrets)
    #expect(storage.keyID(thumbprint: thumbprint) == expected)
  }

  @Test func manyCallsOnTwoNodesMakeOneKeyOfEachUse() async throws {
    let f = try await TokenFixture()
    let nodes = [f.service, try TokenFixture.service(f.store)]
    let sets = try await withThrowingTaskGroup(of: Set<String>.self) { group in
      for number in 0..<16 { group.addTask { try await keyIDs(nodes[number % 2], f.pool) } }
      var sets: Set<Set<String>> = []
      for try await set in group { sets.insert(set) }
      return sets
    }
    #expect(sets.count == 1 && sets.first?.count == 2)
    let rows = try await stored(f)
    #expect(Set(rows.map(\.key.keyID)) == sets.first)
    #expect(Set(rows.map(\.use)) == ["id", "access"])
  }

  @Test func sealedKeysBelongToTheirPlace() async throws {
    let f = try await TokenFixture()
    _ = try await f.signIn()
    let rows = try await stored(f)
    let (id, access) = (
      try #require(rows.first { $0.use == "id" }), try #require(rows.first { $0.use == "access" })
    )
    // The sealed key of one use under the name of the other.
    var moved = access
    moved.key.sealed = id.key.sealed
    let row = moved
    try await f.store.write { rows throws(UserPoolError) in try rows.put(row, in: UserPoolTables.signingKeys)
    }
    let node = try TokenFixture.service(f.store)
    #expect(
      await errorCode { _ = try await node.published.keySet(ofPool: f.pool.id) } == "user_pool_store_failed")
    let stranger = try TokenFixture.service(f.store, master: 9)
    #expect(
      await errorCode { _ = try await stranger.published.keySet(ofPool: f.pool.id) }
        == "user_pool_store_failed")
  }

  @Test func keysFollowOneAnother() async throws {
    var settings = UserPoolService.Settings()
    settings.rotation = RotationRule(period: .seconds(30 * 86_400), notice: .seconds(3_600))
    let f = try await TokenFixture(settings: settings)
    let other = try TokenFixture.service(f.store, settings: settings)
    // A new pool gets its keys by the maintenance.
    let start = Timestamp.now
    func at(_ seconds: Int64) -> Timestamp { start + .seconds(seconds) }
    #expect(try await f.service.maintenance.maintainKeys(at: start).changes.count == 2)
    #expect(try await f.service.maintenance.maintainKeys(at: start).changes.isEmpty)
    #expect(try await other.maintenance.maintainKeys(at: start).changes.isEmpty)
    let first = try await keyIDs(f.service, f.pool)
    let old = try await f.signIn(at: at(30 * 86_400 - 60))
    // The next keys are published before they sign.
    #expect(try await f.service.maintenance.maintainKeys(at: at(30 * 86_400 - 3_600)).changes.count == 2)
    let both = try await keyIDs(f.service, f.pool)
    #expect(both.count == 4 && both.isSuperset(of: first))
    _ = try await other.maintenance.maintainKeys(at: at(30 * 86_400 - 3_600))
    #expect(try await keyIDs(other, f.pool) == both)
    #expect(first.contains(try #require(try UnverifiedToken(old.accessToken).header.keyID)))
    let new = try await f.signIn(at: at(30 * 86_400 + 1))
    for token in [new.accessToken, new.idToken] {
      #expect(!first.contains(try #require(try UnverifiedToken(token).header.keyID)))
    }
    #expect(await f.use(new.accessToken, by: other, at: at(30 * 86_400 + 2)) == "")
    #expect(await f.use(old.accessToken, by: other, at: at(30 * 86_400 + 2)) == "")
    // Keys are retired after the last token.
    let retired = 30 * 86_400 + RotationRule.grace.wholeSeconds
    #expect(try await f.service.maintenance.maintainKeys(at: at(retired)).changes.count == 2)
    #expect(try await keyIDs(f.service, f.pool) == both.subtracting(first))
    _ = try await other.maintenance.maintainKeys(at: at(retired))
    #expect(try await keyIDs(other, f.pool) == both.subtracting(first))
  }

  @Test func stepsVisitAllPools() async throws {
    let f = try await TokenFixture()
    var pool = f.pool
    for number in 2...5 {
      pool.id = "us-east-1_Tokens00\(number)"
      try await f.put(pool)
    }
    pool.isRemoved = true
    try await f.put(pool)
    let rings = f.service.keyRings
    var visited: [String] = []
    var steps = 0
    repeat {
      let step = try await rings.maintain(at: .now, limit: 2)
      visited += step.changes.map(\.poolID)
      steps += 1
      if step.isComplete { break }
    } while steps < 10
    #expect(steps == 3)
    #expect(Set(visited) == Set((1...4).map { "us-east-1_Tokens00\($0)" }))
    #expect(try await rings.maintain(at: .now, limit: 100).changes.isEmpty)
  }

  /// One pool's damaged key does not keep others from being maintained.
  @Test func aFailureConcernsItsPool() async throws {
    let f = try await TokenFixture()
    let stranger = try TokenFixture.service(f.store, master: 9)
    _ = try await stranger.published.keySet(ofPool: f.pool.id)
    var pool = f.pool
    pool.id = "us-east-1_Tokens002"
    try await f.put(pool)
    // The first pool's next keys are due, and its present ones do not open.
    let step = try await f.service.maintenance.maintainKeys(at: .now + .seconds(30 * 86_400))
    #expect(step.failure?.poolID == "us-east-1_Tokens001")
    #expect(step.failure?.error.codeText == "user_pool_store_failed")
    #expect(Set(step.changes.map(\.poolID)) == ["us-east-1_Tokens002"])
  }

  @Test func publishedDocumentsOutliveTheStore() async throws {
    let f = try await TokenFixture()
    let store = FailingStore(f.store)
    let service = try TokenFixture.service(store)
    store.fails.withLock { $0 = true }
    #expect(
      await errorCode { _ = try await service.published.keySet(ofPool: f.pool.id) }
        == "user_pool_store_failed")
    #expect(
      await errorCode { _ = try await service.published.discoveryDocument(ofPool: f.pool.id) }
        == "user_pool_store_failed")
    store.fails.withLock { $0 = false }
    let keys = try await keyIDs(service, f.pool)
    let document = try await service.published.discoveryDocument(ofPool: f.pool.id)
    store.fails.withLock { $0 = true }
    #expect(try await keyIDs(service, f.pool) == keys)
    #expect(try await service.published.discoveryDocument(ofPool: f.pool.id) == document)
    #expect(
      await errorCode { _ = try await service.published.discoveryDocument(ofPool: "us-east-1_None") }
        == "user_pool_store_failed")
  }

  @Test func removedPoolsPublishNothing() async throws {
    let f = try await TokenFixture()
    #expect(try await keyIDs(f.service, f.pool).count == 2)
    var pool = f.pool
    pool.isRemoved = true
    try await f.put(pool)
    #expect(
      await errorCode { _ = try await f.service.published.keySet(ofPool: pool.id) } == "user_pool_unknown")
    #expect(
      await errorCode { _ = try await f.service.published.discoveryDocument(ofPool: pool.id) }
        == "user_pool_unknown")
    #expect(f.service.keyRings.cached(pool.id) == nil)
    #expect(try await f.service.published.isRemoved(poolID: pool.id))
    #expect(try await !f.service.published.isRemoved(poolID: "us-east-1_None"))
    #expect(
      await errorCode { _ = try await f.service.published.keySet(ofPool: "us-east-1_None") }
        == "user_pool_unknown")
  }

  @Test func theCacheIsBounded() async throws {
    let f = try await TokenFixture()
    let rings = PoolKeyRings(
      store: f.store, secrets: f.service.secrets, rule: RotationRule(), maker: .vectors(), capacity: 2)
    var pool = f.pool
    for number in 2...3 {
      pool.id = "us-east-1_Tokens00\(number)"
      try await f.put(pool)
    }
    for number in 1...3 { _ = try await rings.keys(of: "us-east-1_Tokens00\(number)") }
    #expect(rings.cached("us-east-1_Tokens001") == nil)
    #expect(rings.cached("us-east-1_Tokens002") != nil && rings.cached("us-east-1_Tokens003") != nil)
    #expect(try await rings.keys(of: "us-east-1_Tokens001").areComplete)
    #expect(rings.cached("us-east-1_Tokens002") == nil)
  }
}
