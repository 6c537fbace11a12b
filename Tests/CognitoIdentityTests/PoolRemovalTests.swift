internal import CognitoIdentity
internal import Foundation
internal import PostgreSQLTestServer
internal import RecordsPostgreSQL
internal import RecordsSQLite
internal import Testing

/// The removal of a pool in several transactions, here of two identities or logins each.
@Suite struct PoolRemovalTests {
  private static let users = ["ann", "ben", "cid", "dot", "eve"]

  /// The numbers of stored identities, logins and removed pools.
  private func left(_ store: any RecordStore) async throws -> [Int] {
    try await store.read(at: .now, .fresh) { rows throws(IdentityError) in
      [
        try rows.count(IdentityTables.identities, limit: 100),
        try rows.count(IdentityTables.logins, limit: 100),
        try rows.count(IdentityTables.removedPools, limit: 100),
      ]
    }
  }

  @Test(arguments: Fixture.Kind.allCases)
  func noCallFindsThePoolWhileItIsRemoved(_ kind: Fixture.Kind) async throws {
    let f = try await Fixture(kind)
    defer { f.remove() }
    var tokens: [IssuedToken] = []
    for user in Self.users { tokens.append(try await f.token(user)) }
    let guest = try await f.service.resolveIdentity(poolID: f.pool.id, at: Fixture.now)
    let other = try await f.service.createPool(named: "other") {
      $0.developerProviderName = Fixture.developer
    }
    let kept = try await f.service.issueDeveloperToken(
      poolID: other.id, logins: [Fixture.developer: "ann"], at: Fixture.now)
    #expect(try await left(f.store) == [7, 6, 0])

    try await f.service.deletePool(f.pool.id, portion: 2)
    #expect(try await left(f.store) == [7, 4, 1])
    var steps = 0
    repeat {
      let (service, poolID) = (f.service, f.pool.id)
      #expect(await code { _ = try await service.describePool(poolID) } == "pool_unknown")
      #expect(await code { try await service.deletePool(poolID, portion: 2) } == "pool_unknown")
      #expect(await code { _ = try await service.listIdentities(inPool: poolID, size: 60) } == "pool_unknown")
      #expect(await code { _ = try await service.resolveIdentity(poolID: poolID) } == "pool_unknown")
      for token in tokens {
        let (id, user) = (token.identityID, Self.users[0])
        #expect(await code { _ = try await service.describeIdentity(id) } == "identity_unknown")
        #expect(await code { _ = try await service.issueCredentials(for: id) } == "identity_unknown")
        #expect(await code { _ = try await f.token(user) } == "pool_unknown")
        #expect(
          await code {
            _ = try await service.assumeRole(
              .init(roleARN: Fixture.role, sessionName: "session", token: token.token), at: Fixture.now)
          } == "web_identity_refused")
        #expect(try await service.deleteIdentities([id]) == [id])
      }
      #expect(await code { _ = try await service.describeIdentity(guest) } == "identity_unknown")
      #expect(try await service.describeIdentity(kept.identityID).providers == [Fixture.developer])
      steps += 1
    } while try await f.service.continueRemovals(portion: 2)
    // 11 rows, and the last transaction may find that none is left.
    #expect(steps == 6)
    #expect(try await left(f.store) == [1, 1, 0])
    try await f.store.close()
  }

  /// A cached pool does not show identities of a pool that another node has removed.
  @Test func otherNodesFindNoIdentityAtOnce() async throws {
    let database = try await TestServer.shared.makeDatabase()
    let f = try await Fixture(.postgresql, database: database)
    let store = try await PostgreSQLRecordStore(
      TestServer.shared.settings(database), tables: IdentityTables.all)
    let second = try Fixture.service(store)
    try await second.keys.maintain(at: Fixture.now)
    let google = try f.issuers.token("accounts.google.com", "jane")
    let id = try await f.service.resolveIdentity(
      poolID: f.pool.id, logins: ["accounts.google.com": google], at: Fixture.now)
    let token = try await f.service.issueOpenIDToken(
      for: id, logins: ["accounts.google.com": google], at: Fixture.now)
    #expect(try await second.describePool(f.pool.id).name == "tests")
    // All rows but the pool's are left.
    try await f.store.write { rows throws(IdentityError) in
      try rows.delete(RecordKey(f.pool.id), from: IdentityTables.pools)
    }
    #expect(
      await code {
        _ = try await second.resolveIdentity(
          poolID: f.pool.id, logins: ["accounts.google.com": google], at: Fixture.now)
      } == "pool_unknown")
    let assumed = await code {
      _ = try await second.assumeRole(
        .init(roleARN: Fixture.role, sessionName: "session", token: token.token), at: Fixture.now)
    }
    // The cache may have seen the change.
    #expect(["identity_unknown", "web_identity_refused"].contains(assumed))
    try await f.store.close()
    try await store.close()
  }

  /// A process that opens the file after a crash goes on.
  @Test func removalGoesOnAfterTheNextStart() async throws {
    let f = try await Fixture(.sqlite)
    defer { f.remove() }
    for user in Self.users { _ = try await f.token(user) }
    try await f.service.deletePool(f.pool.id, portion: 3)
    try await f.store.close()
    let store = try IdentityDatabase.open(path: try #require(f.folder) + "/identities.sqlite")
    let service = try Fixture.service(store)
    #expect(try await left(store) == [5, 2, 1])
    // The first portion has 1,000 rows.
    #expect(try await service.continueRemovals())
    #expect(try await left(store) == [0, 0, 0])
    #expect(try await !service.continueRemovals())
    try await store.close()
  }

  /// A small pool is removed in one transaction.
  @Test func smallPoolsAreRemovedAtOnce() async throws {
    let f = try await Fixture(.memory)
    for user in Self.users { _ = try await f.token(user) }
    try await f.service.deletePool(f.pool.id)
    #expect(try await left(f.store) == [0, 0, 0])
    #expect(try await !f.service.continueRemovals())
  }

  /// A pool that is stored again under its id has none of the earlier one's identities.
  @Test func poolThatIsStoredAgainIsEmpty() async throws {
    let f = try await Fixture(.memory)
    for user in Self.users { _ = try await f.token(user) }
    try await f.service.deletePool(f.pool.id, portion: 2)
    try await f.store.write { rows throws(IdentityError) in try rows.put(f.pool) }
    #expect(try await left(f.store) == [0, 0, 0])
    let jane = try await f.token("jane")
    #expect(try await !f.service.continueRemovals(portion: 2))
    #expect(try await f.service.describeIdentity(jane.identityID).identity.poolID == f.pool.id)
  }
}
