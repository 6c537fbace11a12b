internal import CognitoIdentity
internal import Foundation
internal import GRDB
internal import RecordsSQLite
internal import Testing

/// A database of an earlier version is opened by this one.
@Suite struct EarlierSchemaTests {
  /// The tables of version 1.
  static let version1 = """
    CREATE TABLE pool (id TEXT PRIMARY KEY, document BLOB NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE identity (
      id TEXT PRIMARY KEY,
      pool TEXT NOT NULL REFERENCES pool(id) ON DELETE CASCADE,
      created INTEGER NOT NULL,
      modified INTEGER NOT NULL,
      signed_in INTEGER NOT NULL,
      merged_into TEXT
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX identity_of_pool ON identity(pool, id);
    CREATE TABLE login (
      number INTEGER PRIMARY KEY,
      pool TEXT NOT NULL,
      provider TEXT NOT NULL,
      user BLOB NOT NULL,
      identity TEXT NOT NULL REFERENCES identity(id) ON DELETE CASCADE,
      linked INTEGER NOT NULL,
      UNIQUE (pool, provider, user)
    ) STRICT;
    CREATE INDEX login_of_identity ON login(identity, number);
    CREATE TABLE role (
      arn TEXT PRIMARY KEY, trust_policy TEXT NOT NULL, longest_session INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE login_provider (
      name TEXT PRIMARY KEY, client_ids TEXT NOT NULL, keys TEXT
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE signing_key (
      id TEXT PRIMARY KEY, published INTEGER NOT NULL, signs_from INTEGER NOT NULL, sealed BLOB NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE access_key (
      id TEXT PRIMARY KEY, created INTEGER NOT NULL, note TEXT NOT NULL, sealed BLOB NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
    INSERT INTO grdb_migrations VALUES ('1');
    """

  static let google = "accounts.google.com"
  static let first = "us-east-1:1", second = "us-east-1:2", unreadable = "us-east-1:3"
  static let jane = "us-east-1:a1", joe = "us-east-1:a2", lost = "us-east-1:a3"

  /// Pool, provider, user, identity. The second pool has no developer provider, and the third cannot be read.
  static let logins: [(String, String, String, String)] = [
    (first, google, "g-1", jane), (first, "login.my.app", "jane", jane),
    (first, "login.my.app", "j\u{E9}", jane),
    (first, "login.my.app", "je\u{301}", jane), (second, "login.my.app", "jane", joe),
    (unreadable, "login.my.app", "jane", lost),
  ]

  static func makeVersion1(_ path: String) throws {
    var pool = IdentityPool(id: first, name: "first")
    pool.developerProviderName = "login.my.app"
    pool.supportedLoginProviders = [google: "client"]
    let documents = [
      (first, pool.storedDocument), (second, IdentityPool(id: second, name: "second").storedDocument),
      (unreadable, Array(#"{"DeveloperProviderName": "#.utf8)),
    ]
    let database = try DatabaseQueue(path: path)
    try database.write { connection in
      try connection.execute(sql: version1)
      for (id, document) in documents {
        try connection.execute(
          sql: "INSERT INTO pool VALUES (?, ?)", arguments: [id, Data(document)])
      }
      for (id, pool) in [(jane, first), (joe, second), (lost, unreadable)] {
        try connection.execute(
          sql: "INSERT INTO identity VALUES (?, ?, 1, 2, 1, NULL)", arguments: [id, pool])
      }
      for (number, login) in logins.enumerated() {
        try connection.execute(
          sql: "INSERT INTO login VALUES (?, ?, ?, ?, ?, 3)",
          arguments: [number + 7, login.0, login.1, Data(login.2.utf8), login.3])
      }
      try connection.execute(
        sql: "INSERT INTO access_key VALUES ('AKIAAAAAAAAAAAAAAAAA', 4, 'old', x'01')")
    }
    try database.close()
    unsafe chmod(path, 0o600)
  }

  @Test func version1() async throws {
    let folder = FileManager.default.temporaryDirectory.path + "/earlier-\(UUID().uuidString)"
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = folder + "/identities.sqlite"
    try Self.makeVersion1(path)
    // The second time the file has this version.
    for _ in 0..<2 {
      let store = try IdentityDatabase.open(path: path)
      func logins(_ identity: String) async throws -> [String] {
        try await store.read { rows throws(IdentityError) in
          try rows.logins(of: identity).map {
            "\($0.kind.name) \($0.provider) \($0.user) \($0.linked.seconds)"
          }
        }
      }
      // In the order of linking, each user once.
      #expect(
        try await logins(Self.jane).map { Array($0.utf8) }
          == [
            "external accounts.google.com g-1 3", "developer login.my.app jane 3",
            "developer login.my.app j\u{E9} 3", "developer login.my.app je\u{301} 3",
          ].map { Array($0.utf8) })
      #expect(try await logins(Self.joe) == ["external login.my.app jane 3"])
      #expect(try await logins(Self.lost) == ["external login.my.app jane 3"])
      func owner(
        _ pool: String, _ kind: LinkedLogin.Kind, _ provider: String, _ user: String
      ) async throws -> String? {
        try await store.read { rows throws(IdentityError) in
          try rows.login(inPool: pool, kind: kind, provider: provider, user: user)?.identityID
        }
      }
      #expect(try await owner(Self.first, .developer, "login.my.app", "jane") == Self.jane)
      #expect(try await owner(Self.first, .external, "login.my.app", "jane") == nil)
      #expect(try await owner(Self.first, .external, Self.google, "g-1") == Self.jane)
      // An access key without a scope still allows everything.
      let key = try await store.read { rows throws(IdentityError) in
        try rows.accessKey("AKIAAAAAAAAAAAAAAAAA")
      }
      #expect(key?.scope == .everything && key?.note == "old")
      try await store.close()
    }
    // The service finds the developer's user and makes no second identity.
    let store = try IdentityDatabase.open(path: path)
    let service = try Fixture.service(store)
    try await service.keys.maintain(at: Fixture.now)
    let token = try await service.issueDeveloperToken(
      poolID: Self.first, logins: ["login.my.app": "jane"], at: Fixture.now)
    #expect(token.identityID == Self.jane)
    // Logins are removed with their identity.
    try await service.deletePool(Self.first)
    let rest = try await store.read { rows throws(IdentityError) in try rows.logins(of: Self.jane).count }
    #expect(rest == 0)
  }
}
