internal import CognitoIdentity
internal import CognitoIdentitySQLite
internal import Foundation
internal import GRDB
internal import Testing

/// The database's files: modes, versions, the cache, and the files after closing.
@Suite struct SQLiteFileTests {
  /// A folder that is removed at the end.
  private func withFolder(_ body: (String) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.path + "/files-\(UUID().uuidString)"
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await body(folder)
  }

  private func mode(_ path: String) throws -> Int {
    let value = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
    return try #require(value as? NSNumber).intValue
  }

  private func reason(_ path: String, makesFile: Bool = true) -> String {
    do {
      _ = try SQLiteIdentityStore(path: path, makesFile: makesFile)
      return ""
    } catch {
      #expect(error.codeText == "store_failed")
      return "\(error)"
    }
  }

  private func pool(_ name: String) -> IdentityPool { IdentityPool(id: "us-east-1:\(name)", name: "a pool") }

  @Test func commitsAreSynced() async throws {
    try await withFolder { folder in
      let store = try SQLiteIdentityStore(path: folder + "/i.sqlite")
      #expect(try store.synchronousLevel() == 2)
      let pool = pool("1")
      try await store.write { rows throws(IdentityError) in try rows.put(pool) }
      #expect(try store.synchronousLevel() == 2)
    }
  }

  @Test func filesAreTheOwners() async throws {
    try await withFolder { folder in
      let path = folder + "/i.sqlite"
      var store: SQLiteIdentityStore? = try SQLiteIdentityStore(path: path)
      let pool = pool("1")
      try await store?.write { rows throws(IdentityError) in try rows.put(pool) }
      for name in ["", "-wal", "-shm"] { #expect(try mode(path + name) == 0o600, "\(name)") }
      try store?.close()
      store = nil
      #expect(FileManager.default.fileExists(atPath: path + "-wal") == false)
      // Others could read it; their permission is removed.
      unsafe chmod(path, 0o644)
      #expect(reason(path) == "")
      #expect(try mode(path) == 0o600)
      // Others could write it, so that it is not trusted.
      for mode in [0o620, 0o602, 0o666] as [mode_t] {
        unsafe chmod(path, mode)
        #expect(reason(path).contains("other users can write \(path)"))
      }
      unsafe chmod(path, 0o600)
      _ = FileManager.default.createFile(atPath: path + "-wal", contents: nil)
      unsafe chmod(path + "-wal", 0o666)
      #expect(reason(path).contains("other users can write \(path)-wal"))
      unsafe unlink(path + "-wal")
      for mode in [0o777, 0o1777, 0o770] as [mode_t] {
        unsafe chmod(folder, mode)
        #expect(reason(path).contains("other users can write to the folder"))
      }
      unsafe chmod(folder, 0o700)
      unsafe symlink(path, folder + "/link.sqlite")
      #expect(reason(folder + "/link.sqlite").contains("not a regular file"))
      unsafe symlink(folder + "/nothing", folder + "/dangling.sqlite")
      #expect(reason(folder + "/dangling.sqlite").contains("not a regular file"))
      #expect(reason(path) == "")
    }
  }

  /// Also while they are written, since others may be able to read the folder.
  @Test func draftsAreTheOwners() async throws {
    try await withFolder { folder in
      unsafe chmod(folder, 0o755)
      let path = folder + "/key"
      let draft = try PrivateFiles.makeDraft(of: path) { file in
        var details = stat()
        return unsafe fstat(file, &details) == 0 && details.st_mode & 0o777 == 0o600
      }
      #expect(try mode(draft) == 0o600)
      try PrivateFiles.publish(draft, at: path)
      #expect(try mode(path) == 0o600)
      #expect(!PrivateFiles.exists(draft))
    }
  }

  @Test func nothingIsMadeWhereNothingMayBe() async throws {
    try await withFolder { folder in
      #expect(reason(folder + "/i.sqlite", makesFile: false).contains("does not exist"))
      let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(names == [])
    }
  }

  /// A copy without its log, and a file from a newer program, are refused before anything is written.
  @Test func filesThatAreNotWholeOrNotOurs() async throws {
    try await withFolder { folder in
      let path = folder + "/i.sqlite"
      _ = FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
      #expect(reason(path).contains("\(path) has no tables"))
      unsafe unlink(path)
      unsafe unlink(path + "-wal")
      unsafe unlink(path + "-shm")
      #expect(reason(path) == "")
      let newer = try DatabaseQueue(path: path)
      try await newer.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('1000')") }
      try newer.close()
      #expect(reason(path).contains("was written by a newer version"))
    }
  }

  @Test func leftoversStopNoStart() async throws {
    try await withFolder { folder in
      let path = folder + "/i.sqlite"
      for name in ["/i.sqlite.1.draft", "/i.sqlite.1.draft-journal", "/i.sqlite.abc.draft", "/other.1.draft"]
      {
        _ = FileManager.default.createFile(atPath: folder + name, contents: Data("x".utf8))
      }
      #expect(reason(path) == "")
      let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(Set(names) == ["i.sqlite", "other.1.draft"])
    }
  }

  /// Many processes may start at once.
  @Test(arguments: 0..<10) func oneDatabaseIsMadeByManyAtOnce(_ round: Int) async throws {
    try await withFolder { folder in
      let path = folder + "/i.sqlite"
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<8 {
          group.addTask {
            let store = try SQLiteIdentityStore(path: path, readers: 1)
            let pool = IdentityPool(id: "us-east-1:\(number)", name: "a pool")
            try await store.write { rows throws(IdentityError) in try rows.put(pool) }
          }
        }
        try await group.waitForAll()
      }
      let store = try SQLiteIdentityStore(path: path)
      #expect(try store.read { rows throws(IdentityError) in try rows.poolCount() } == 8)
    }
  }

  /// Unknown names are not cached, and cached rows have a bound.
  @Test func cacheIsBoundedInBytes() async throws {
    try await withFolder { folder in
      let store = try SQLiteIdentityStore(path: folder + "/i.sqlite")
      let long = String(repeating: "x", count: 12_000)
      for number in 0..<2_000 {
        _ = try store.read { rows throws(IdentityError) in
          (
            try rows.pool("\(number)\(long)"), try rows.role("\(number)\(long)"),
            try rows.loginProvider("\(number)\(long)"), try rows.accessKey("\(number)\(long)"),
            try rows.identity("\(number)\(long)"), try rows.logins(of: "\(number)\(long)"),
            try rows.login(inPool: "a:0", kind: .external, provider: "\(number)\(long)", user: long)
          )
        }
      }
      #expect(store.cachedBytes == 0)
      // 120 pools of 900 KB exceed the cache.
      let tags = Dictionary(
        uniqueKeysWithValues: (0..<900).map {
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
        var pool = pool("\(number)")
        for (key, map) in tags { pool.principalTagMaps[key] = map }
        let full = pool
        try await store.write { rows throws(IdentityError) in try rows.put(full) }
      }
      var most = 0
      for number in 0..<120 {
        _ = try store.read { rows throws(IdentityError) in try rows.pool("us-east-1:\(number)") }
        most = max(most, store.cachedBytes)
        #expect(store.cachedBytes <= 64 << 20)
      }
      #expect(most > 32 << 20)
    }
  }

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
          #expect(try f.store.read { rows throws(IdentityError) in try rows.role(otherARN) } == nil)
          #expect(try f.store.read { rows throws(IdentityError) in try rows.loginProvider(absent) } == nil)
          #expect(try f.store.read { rows throws(IdentityError) in try rows.role(arn) } != nil)
          #expect(try f.store.read { rows throws(IdentityError) in try rows.loginProvider(present) } != nil)
        }
        try await f.store.write { rows throws(IdentityError) in
          try rows.removeRole(arn)
          try rows.removeLoginProvider(present)
        }
      }
    }
  }
}
