internal import CognitoIdentity
internal import Foundation
internal import RecordsSQLite
internal import Testing

/// Contents of the tables: names by their bytes, keys of any length, and caches with a bound.
@Suite struct StoreTests {
  /// Canonically equivalent names are different names, before and after caching.
  @Test(arguments: Fixture.Kind.allCases)
  func namesAreTheirBytes(_ kind: Fixture.Kind) async throws {
    let f = try await Fixture(kind)
    defer { f.remove() }
    let pairs = [
      ("Kunden", "\u{212A}unden"), ("a;b", "a\u{37E}b"), ("caf\u{E9}", "cafe\u{301}"), ("`", "\u{1FEF}"),
    ]
    for (name, other) in pairs {
      for (present, absent) in [(name, other), (other, name)] {
        let arn = "arn:aws:iam::123456789012:role/\(present)",
          otherARN = "arn:aws:iam::123456789012:role/\(absent)"
        let policy = Fixture.trust(f.pool.id, "authenticated")
        try await f.store.write { rows throws(IdentityError) in
          try rows.put(StoredRole(arn: arn, trustPolicy: policy))
          try rows.put(LoginProviderSettings(name: present))
        }
        for _ in 0..<2 {
          #expect(try await f.store.read { rows throws(IdentityError) in try rows.role(otherARN) } == nil)
          #expect(
            try await f.store.read { rows throws(IdentityError) in try rows.loginProvider(absent) } == nil)
          #expect(try await f.store.read { rows throws(IdentityError) in try rows.role(arn) } != nil)
          #expect(
            try await f.store.read { rows throws(IdentityError) in try rows.loginProvider(present) } != nil)
        }
        try await f.store.write { rows throws(IdentityError) in
          try rows.removeRole(arn)
          try rows.removeLoginProvider(present)
        }
      }
    }
  }

  /// Unknown names are not cached, and cached rows have a bound.
  @Test func cacheIsBoundedInBytes() async throws {
    try await withFolder { folder in
      let store = try SQLiteRecordStore(
        path: folder + "/i.sqlite", tables: IdentityTables.all, cacheSize: 2 << 20)
      let long = String(repeating: "x", count: 12_000)
      for number in 0..<2_000 {
        _ = try await store.read { rows throws(IdentityError) in
          (
            try rows.pool("\(number)\(long)"), try rows.role("\(number)\(long)"),
            try rows.loginProvider("\(number)\(long)"), try rows.accessKey("\(number)\(long)"),
            try rows.identity("\(number)\(long)"), try rows.logins(of: "\(number)\(long)"),
            try rows.login(inPool: "a:0", kind: .external, provider: "\(number)\(long)", user: long)
          )
        }
      }
      #expect(store.cachedBytes == 0)
      // 120 pools of 30 KB exceed the cache.
      let tags = Dictionary(
        uniqueKeysWithValues: (0..<30).map {
          (
            "\($0)",
            IdentityPool.PrincipalTagMap(
              usesDefaults: true,
              tags: [
                "t": String(repeating: "c", count: 250),
                "u": String(repeating: "c", count: 250), "v": String(repeating: "c", count: 250),
              ])
          )
        })
      for number in 0..<120 {
        var pool = IdentityPool(id: "us-east-1:\(number)", name: "a pool")
        for (key, map) in tags { pool.principalTagMaps[key] = map }
        let full = pool
        try await store.write { rows throws(IdentityError) in try rows.put(full) }
      }
      var most = 0
      for number in 0..<120 {
        _ = try await store.read { rows throws(IdentityError) in try rows.pool("us-east-1:\(number)") }
        most = max(most, store.cachedBytes)
        #expect(store.cachedBytes <= 2 << 20)
      }
      #expect(most > 1 << 20)
    }
  }

  /// A folder that is removed at the end.
  private func withFolder(_ body: (String) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.path + "/files-\(UUID().uuidString)"
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await body(folder)
  }
}
