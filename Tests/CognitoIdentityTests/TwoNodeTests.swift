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
          .init(roleARN: Fixture.role, sessionName: "two-nodes", token: token),
          at: Fixture.now.advanced(bySeconds: 1))
      }
    }
  }

  @Test func keysRotateAndAreRevoked() async throws {
    let nodes = try await Nodes()
    let old = try await nodes.first.token("jane").token
    #expect(await nodes.assumeRole(old) == "")
    // The second node has not loaded the new key.
    let later = Fixture.now.advanced(bySeconds: 1)
    try await nodes.first.service.keys.rotate(notice: .zero, at: later)
    let new = try await nodes.first.token("jane", at: later).token
    #expect(await nodes.assumeRole(new) == "")
    #expect(nodes.second.keys.schedule.count == 2)
    // Nor that a key was revoked.
    let keyID = try #require(try UnverifiedToken(old).header.keyID)
    try await nodes.first.service.keys.revoke(keyID, at: later)
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
