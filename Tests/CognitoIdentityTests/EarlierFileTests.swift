internal import CognitoIdentity
internal import Foundation
internal import GRDB
internal import RecordsSQLite
internal import SigV4
internal import SigningKeyTesting
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityCrypto
internal import TokenSecurityVectorFiles

/// Databases that programs of earlier versions made (`EarlierFiles/make.py`), opened by this one.
@Suite struct EarlierFileTests {
  private static let schemas = ["schema1", "schema2"]

  /// A copy of an earlier database and what it has.
  private func with(
    _ name: String, _ body: (_ path: String, _ made: JSONObject) async throws -> Void
  ) async throws {
    let source = "\(VectorFile.root)/Tests/CognitoIdentityTests/EarlierFiles/\(name)"
    let folder = FileManager.default.temporaryDirectory.path + "/earlier-\(UUID().uuidString)"
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = folder + "/identities.sqlite"
    try FileManager.default.copyItem(atPath: source + ".sqlite", toPath: path)
    unsafe chmod(path, 0o600)
    let text = try Data(contentsOf: URL(filePath: source + ".json"))
    try await body(path, JSONDocument(Array(text)).object())
  }

  private func service(_ store: any RecordStore, _ made: JSONObject) throws -> IdentityPoolService {
    let master = try Hex.decode(try #require(made["masterKey"]?.string))
    return IdentityPoolService(
      store: store, sealing: try SealingKeys(master: SecretBytes(master.span)), logins: LoginVerifier(),
      keyMaker: .vectors())
  }

  @Test(arguments: schemas) func everythingIsThere(_ name: String) async throws {
    try await with(name) { path, made in
      let poolID = try #require(made["pool"]?.string)
      let jane = try #require(made["identities"]?.object?["jane"]?.string)
      let token = try #require(made["token"]?.string)
      let now = try #require(try UnverifiedToken(token).claims.issuedAt)
      // The second time the file has the new tables.
      for _ in 0..<2 {
        let store = try IdentityDatabase.open(path: path) { table, _ in Issue.record("\(table)") }
        let service = try service(store, made)
        try await service.keys.maintain(at: now)
        // Pools, with their roles.
        #expect(try await service.listPools(size: 60).elements.count == 2)
        let accessKey = try #require(made["accessKey"]?.string)
        func response(_ operation: String) async throws -> JSONObject {
          let body = Array(#"{"IdentityPoolId": "\#(poolID)"}"#.utf8)
          let caller = IdentityPoolOperations.Caller.developer(accessKeyID: accessKey)
          return try JSONDocument(try await service.call(operation, body, by: caller)).object()
        }
        for (operation, member) in [
          ("DescribeIdentityPool", "describe"), ("GetIdentityPoolRoles", "roles"),
        ] {
          let expected = try #require(made[member]?.object)
          let actual = try await response(operation)
          for part in expected.members {
            #expect(actual[part.name].map(sorted) == sorted(part.value), "\(part.name)")
          }
        }
        let tags = try await service.principalTags(ofPool: poolID, provider: "accounts.google.com")
        #expect(tags.tags == ["user": "sub"])
        // Identities and logins.
        for user in made["identities"]?.object?.members ?? [] {
          let found = try await service.lookupDeveloperIdentity(
            poolID: poolID, identityID: nil, user: user.name)
          #expect(found.identityID == user.value.string)
        }
        #expect(
          try await service.lookupDeveloperIdentity(poolID: poolID, identityID: jane, user: nil)
            .users.elements == ["jane", "old"])
        let merged = try #require(made["merged"]?.string)
        #expect(try await service.describeIdentity(merged).identity.mergedInto == jane)
        let guest = try #require(made["guest"]?.string)
        #expect(try await service.describeIdentity(guest).identity.hasSignedIn == false)
        #expect(try await service.listIdentities(inPool: poolID, size: 60).elements.count == 6)
        // Roles and settings. A token of that time is valid.
        let role = "arn:aws:iam::123456789012:role/app-user"
        let session = try await service.assumeRole(
          .init(roleARN: role, sessionName: "earlier", token: token, duration: .seconds(7_200)), at: now)
        #expect(session.session?.identityID == jane)
        let settings = try await store.read { rows throws(IdentityError) in try rows.loginProviders() }
        #expect(settings == [LoginProviderSettings(name: "id.example/tenant", clientIDs: ["one", "two"])])
        // Keys.
        #expect(try await service.verificationKey(for: accessKey) != nil)
        let keys = try await store.read { rows throws(IdentityError) in try rows.accessKeys() }
        #expect(keys.first { $0.id == accessKey }?.scope == .everything)
        if let limited = made["limitedKey"]?.string {
          #expect(
            keys.first { $0.id == limited }?.scope
              == (try AccessKeyScope(pools: [poolID], capabilities: [.reading, .issuing])))
        }
        #expect(keys.count == (made["limitedKey"] == nil ? 1 : 2))
        try await store.close()
      }
      let store = try IdentityDatabase.open(path: path)
      try await service(store, made).deletePool(poolID)
      let rest = try await store.read { rows throws(IdentityError) in try rows.logins(of: jane).count }
      #expect(rest == 0)
    }
  }

  /// The members of all objects in order: maps have none.
  private func sorted(_ value: JSONValue) -> JSONValue {
    switch value {
    case .object(let object):
      let members = object.members.sorted {
        Array($0.name.utf8).lexicographicallyPrecedes(Array($1.name.utf8))
      }
      var ordered = JSONObject()
      for member in members { ordered[member.name] = sorted(member.value) }
      return .object(ordered)
    case .array(let values): return .array(values.map(sorted))
    default: return value
    }
  }

  /// Earlier programs refuse a file with a schema that they do not know, or fail to make their tables.
  @Test(arguments: schemas) func earlierProgramsRefuseTheFile(_ name: String) async throws {
    try await with(name) { path, _ in
      try await IdentityDatabase.open(path: path).close()
      var earlier = DatabaseMigrator()
      for (schema, sql) in [("1", "CREATE TABLE pool (id TEXT)"), ("2", "DROP TABLE pool")] {
        earlier.registerMigration(schema) { try $0.execute(sql: sql) }
      }
      let database = try DatabaseQueue(path: path)
      let migrator = earlier
      #expect(try await database.read { try migrator.hasBeenSuperseded($0) })
      #expect(throws: DatabaseError.self) { try migrator.migrate(database) }
      try database.close()
      try await IdentityDatabase.open(path: path).close()
    }
  }

  /// Without permission to convert it, an earlier file remains as it is.
  @Test(arguments: schemas) func conversionCanBeRefused(_ name: String) async throws {
    try await with(name) { path, _ in
      let before = try Data(contentsOf: URL(filePath: path))
      #expect(throws: RecordStoreError.databaseTooOld(path)) {
        _ = try IdentityDatabase.open(path: path, migrates: false)
      }
      #expect(try Data(contentsOf: URL(filePath: path)) == before)
      try await IdentityDatabase.open(path: path).close()
      try await IdentityDatabase.open(path: path, migrates: false).close()
    }
  }

  /// So does a file that lacks a table of this version.
  @Test func fileWithoutATableCanBeRefused() async throws {
    try await with("schema2") { path, _ in
      try await IdentityDatabase.open(
        path: path, tables: IdentityTables.all.filter { $0.name != IdentityTables.calls.name }
      ).close()
      #expect(throws: RecordStoreError.databaseTooOld(path)) {
        _ = try IdentityDatabase.open(path: path, migrates: false)
      }
      let database = try DatabaseQueue(path: path)
      #expect(try await database.read { try !$0.tableExists(IdentityTables.calls.name) })
      try database.close()
    }
  }

  /// A file with an unknown earlier schema is a newer one's.
  @Test func unknownSchemasAreRefused() async throws {
    try await with("schema2") { path, _ in
      let database = try DatabaseQueue(path: path)
      try await database.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('3')") }
      try database.close()
      #expect(throws: RecordStoreError.databaseTooNew(path)) { _ = try IdentityDatabase.open(path: path) }
    }
  }

  /// Rows that could not be read still cannot, and can be removed.
  @Test func damagedRowsAreKept() async throws {
    try await with("schema2") { path, made in
      let poolID = try #require(made["pool"]?.string)
      let jane = try #require(made["identities"]?.object?["jane"]?.string)
      let limited = try #require(made["limitedKey"]?.string)
      let database = try DatabaseQueue(path: path)
      try await database.write { connection in
        try connection.execute(
          sql: """
            INSERT INTO pool VALUES ('us-east-1:0', CAST('{' AS BLOB));
            UPDATE login SET user = x'FF' WHERE user = CAST('jane' AS BLOB);
            UPDATE access_key SET may = 'something new' WHERE id = '\(limited)';
            """)
      }
      try database.close()
      let store = try IdentityDatabase.open(path: path)
      let service = try service(store, made)
      #expect(await code { _ = try await service.describePool("us-east-1:0") } == "store_failed")
      try await service.deletePool("us-east-1:0")
      #expect(await code { _ = try await service.verificationKey(for: limited) } == "store_failed")
      #expect(
        try await service.lookupDeveloperIdentity(poolID: poolID, identityID: jane, user: nil)
          .users.elements == ["old"])
      let logins = try await store.read { rows throws(IdentityError) in
        try rows.count(IdentityTables.logins, limit: 10)
      }
      #expect(logins == 5)
    }
  }
}
