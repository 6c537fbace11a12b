internal import CognitoIdentity
internal import Foundation
internal import GRDB
internal import RecordsSQLite
internal import Synchronization
internal import Testing

/// Stored values can be read back, and an unreadable value affects no other.
@Suite struct StoredValueTests {
  private func call(_ f: Fixture, _ operation: String, _ body: String) async -> String {
    await code { try await f.service.call(operation, body) }
  }

  /// After each of these the pool can be read, described, updated and removed.
  private func expectUsable(_ f: Fixture) async {
    let id = f.pool.id
    #expect(await call(f, "DescribeIdentityPool", #"{"IdentityPoolId": "\#(id)"}"#) == "")
    #expect(await call(f, "ListIdentityPools", #"{"MaxResults": 60}"#) == "")
    #expect(await call(f, "GetIdentityPoolRoles", #"{"IdentityPoolId": "\#(id)"}"#) == "")
    #expect(await call(f, "DeleteIdentityPool", #"{"IdentityPoolId": "\#(id)"}"#) == "")
  }

  @Test(arguments: Fixture.Kind.allCases)
  func largestRolesAreRefused(_ kind: Fixture.Kind) async throws {
    let f = try await Fixture(kind)
    defer { f.remove() }
    // A body of 1 MiB that is within all bounds of the model: 10 providers with 50 rules each.
    let arn = "arn:aws:iam::123456789012:role/" + String(repeating: "r", count: 1_900)
    let rule = #"{"Claim": "c", "MatchType": "Equals", "Value": "v", "RoleARN": "\#(arn)"}"#
    func body(_ rules: Int) -> String {
      let list = Array(repeating: rule, count: rules).joined(separator: ",")
      let mappings = (0..<10).map {
        #""p\#($0)": {"Type": "Rules", "AmbiguousRoleResolution": "Deny", "RulesConfiguration": {"Rules": [\#(list)]}}"#
      }.joined(separator: ",")
      return #"{"IdentityPoolId": "\#(f.pool.id)", "Roles": {}, "RoleMappings": {\#(mappings)}}"#
    }
    let largest = body(52)
    let padded = largest + String(repeating: " ", count: 1 << 20 - largest.utf8.count)
    #expect(padded.utf8.count == 1 << 20)
    #expect(await call(f, "SetIdentityPoolRoles", padded) == "")
    // With 50 long tags the pool is too large.
    var refused = false
    for number in 0..<20 {
      let tags = (0..<50).map {
        #""\#($0)-\#(String(repeating: "k", count: 120))": "\#(String(repeating: "v", count: 256))""#
      }
      let code = await call(
        f, "SetPrincipalTagAttributeMap",
        #"{"IdentityPoolId": "\#(f.pool.id)", "IdentityProviderName": "p\#(number)", "PrincipalTags": {\#(tags.joined(separator: ","))}}"#
      )
      #expect(code == "" || code == "member_length")
      refused = refused || code == "member_length"
    }
    #expect(refused)
    await expectUsable(f)
  }

  @Test(arguments: Fixture.Kind.allCases)
  func mapsOfPrincipalTagsAreCounted(_ kind: Fixture.Kind) async throws {
    let f = try await Fixture(kind)
    defer { f.remove() }
    var pool = f.pool
    for number in 0..<1_000 { pool.principalTagMaps["p\(number)"] = .init(usesDefaults: true, tags: [:]) }
    let full = pool
    try await f.store.write { rows throws(IdentityError) in try rows.put(full) }
    func set(_ provider: String, _ usesDefaults: Bool) async -> String {
      await call(
        f, "SetPrincipalTagAttributeMap",
        #"{"IdentityPoolId": "\#(pool.id)", "IdentityProviderName": "\#(provider)", "UseDefaults": \#(usesDefaults)}"#
      )
    }
    #expect(await set("one more", true) == "member_length")
    // An empty map is not stored.
    #expect(await set("one more", false) == "")
    #expect(await set("p7", false) == "")
    #expect(await set("one more", true) == "")
    await expectUsable(f)
  }

  @Test(arguments: Fixture.Kind.allCases)
  func valuesThatWouldNotComeBackAreRefused(_ kind: Fixture.Kind) async throws {
    let f = try await Fixture(kind)
    defer { f.remove() }
    func put(_ body: @escaping @Sendable (WriteTransaction<IdentityError>) throws(IdentityError) -> Void)
      async -> String
    {
      await code { try await f.store.write(body) }
    }
    let null = "arn:aws:iam::123456789012:role/app-user\u{0}x"
    #expect(
      await put { rows throws(IdentityError) in
        try rows.put(StoredRole(arn: null, trustPolicy: Fixture.trust("a:0", "authenticated")))
      } == "member_refused")
    #expect(
      await put { rows throws(IdentityError) in
        try rows.put(StoredRole(arn: Fixture.role, trustPolicy: "{}"))
      } == "trust_policy_invalid")
    #expect(
      await put { rows throws(IdentityError) in
        try rows.put(LoginProviderSettings(name: "id.example", clientIDs: ["one\ntwo"]))
      } == "member_refused")
    #expect(
      await put { rows throws(IdentityError) in
        try rows.put(LoginProviderSettings(name: "id.example", keys: "{]"))
      } == "member_refused")
    #expect(
      await put { rows throws(IdentityError) in
        try rows.put(StoredAccessKey(id: "AKIA\u{0}", created: Timestamp(seconds: 0), note: "", sealed: [1]))
      } == "member_refused")
    #expect(
      await put { rows throws(IdentityError) in
        var pool = f.pool
        pool.tags = ["": "empty"]
        try rows.put(pool)
      } == "member_length")
    #expect(
      await put { rows throws(IdentityError) in
        try rows.put(
          Identity(
            id: "no id", poolID: f.pool.id, created: Timestamp(seconds: 0),
            modified: Timestamp(seconds: 0), hasSignedIn: false))
      } == "member_pattern")
    // Client ids are unchanged, whatever their last character.
    let settings = LoginProviderSettings(name: "id.example", clientIDs: ["one\r", "two", "caf\u{E9}"])
    #expect(await put { rows throws(IdentityError) in try rows.put(settings) } == "")
    #expect(
      try await f.store.read { rows throws(IdentityError) in try rows.loginProvider("id.example") }
        == settings)
    // A name with U+0000 is not found under the text before it.
    let found = try await f.store.read { rows throws(IdentityError) in try rows.role(null) }
    #expect(found == nil)
  }

  @Test func brokenRowsStopNothingElse() async throws {
    let f = try await Fixture(.sqlite)
    defer { f.remove() }
    let folder = try #require(f.folder)
    let jane = try await f.token("jane")
    let log = Log()
    let store = try IdentityDatabase.open(path: folder + "/identities.sqlite") { table, key in
      log.lines.withLock { $0.append("\(table) \(IdentityTables.description(of: key, in: table))") }
    }
    let service = try Fixture.service(store)
    try await service.keys.maintain(at: Fixture.now)
    let broken = "us-east-1:00000000-0000-4000-8000-000000000000"
    let database = try DatabaseQueue(path: folder + "/identities.sqlite")
    try await database.write { connection in
      try connection.execute(
        sql: "INSERT INTO pool (key, version, row) VALUES (?, 1, ?), (?, 1, ?)",
        arguments: [
          Data(RecordKey(broken).encoded), Data("{".utf8), Data(RecordKey("us-east-1:1").encoded),
          Data(f.pool.storedDocument),
        ])
      try connection.execute(
        sql: "INSERT INTO identity (key, version, row) VALUES (?, 1, ?)",
        arguments: [
          Data(RecordKey(broken, "us-east-1:2").encoded),
          Data(
            #"{"id":"us-east-1:2","pool":"\#(broken)","created":0,"modified":0,"signedIn":true,"mergedInto":null}"#
              .utf8),
        ])
      try connection.execute(sql: "UPDATE login SET row = x'FF'")
    }
    let pools = try await service.listPools(size: 60)
    #expect(pools.elements.map(\.id) == [f.pool.id])
    #expect(try await service.listPools(size: 1).elements.map(\.id) == [f.pool.id])
    _ = try await service.listPools(size: 60)
    #expect(log.lines.withLock { $0 } == ["pool \(broken)", "pool us-east-1:1"])
    _ = try await service.createPool(named: "another")
    #expect(try await service.listIdentities(inPool: f.pool.id, size: 60).elements.count == 1)
    #expect(
      try await service.listIdentities(inPool: broken, size: 60).elements.map(\.identity.id) == [
        "us-east-1:2"
      ])
    #expect(await code { _ = try await service.describePool(broken) } == "store_failed")
    // The damaged login is removed with its identity, so that the user can sign in again.
    let read = { @Sendable () async -> String in
      await code {
        _ = try await service.issueDeveloperToken(
          poolID: f.pool.id, logins: [Fixture.developer: "jane"], at: Fixture.now)
      }
    }
    #expect(await read() == "store_failed")
    #expect(try await service.deleteIdentities([jane.identityID]).isEmpty)
    #expect(await read() == "")
    try await service.deletePool(broken)
    try await service.deletePool("us-east-1:1")
    #expect(await code { try await service.deletePool(broken) } == "pool_unknown")
    #expect(try await service.listPools(size: 60).elements.count == 2)
    #expect(await code { _ = try await service.describeIdentity("us-east-1:2") } == "identity_unknown")
  }

  private final class Log: Sendable { let lines = Mutex<[String]>([]) }
}
