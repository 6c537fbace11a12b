@testable internal import CognitoUserPool
internal import SecureRemotePassword
internal import SigningKeyTesting
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// Users of files.
@Suite struct UserImportTests {
  private static let names = [
    "name", "given_name", "family_name", "middle_name", "nickname", "preferred_username", "profile",
    "picture",
    "website", "email", "email_verified", "gender", "birthdate", "zoneinfo", "locale", "phone_number",
    "phone_number_verified", "address", "updated_at", "cognito:mfa_enabled", "cognito:username",
  ]

  private static func pool(_ change: (inout UserPool) -> Void = { _ in }) -> UserPool {
    var pool = UserPool()
    pool.id = "us-east-1_aB3dE6gH9"
    pool.autoVerified = [.email]
    change(&pool)
    return pool
  }

  private static func service(_ pool: UserPool) async throws -> UserPoolService {
    let service = UserPoolService(
      store: try MemoryRecordStore(tables: UserPoolTables.all),
      secrets: try UserPoolSecrets(master: SecretBytes([UInt8](repeating: 7, count: 32).span)),
      keyMaker: .vectors())
    try await service.store.write { rows throws(UserPoolError) in try rows.put(pool, in: UserPoolTables.pools)
    }
    return service
  }

  /// A row of a file: values by the names of columns.
  private static func row(_ values: [String: String], _ more: [String] = []) -> String {
    (names + more).map { values[$0] ?? "" }.joined(separator: ",") + "\n"
  }

  private static func file(_ rows: [[String: String]], _ more: [String] = []) -> [UInt8] {
    Array(((names + more).joined(separator: ",") + "\n" + rows.map { row($0, more) }.joined()).utf8)
  }

  private static func user(_ name: String, _ values: [String: String] = [:]) -> [String: String] {
    let basic = [
      "cognito:username": name, "cognito:mfa_enabled": "FALSE", "email": "\(name)@example.com",
      "email_verified": "TRUE",
    ]
    return basic.merging(values) { $1 }
  }

  /// Imports a file, and returns what became of it.
  private static func run(
    _ file: [UInt8], _ service: UserPoolService, _ pool: UserPool
  ) async throws(UserPoolError) -> (counts: [Int], failures: [UserImport.Failure]) {
    var users = try await UserImport(into: pool.id, of: service)
    var failures = try await users.add(file)
    failures += try await users.finish()
    return ([users.imported, users.skipped, users.failed], failures)
  }

  private static func user(_ name: String, of service: UserPoolService, _ pool: UserPool)
    async throws(UserPoolError) -> User?
  {
    try await service.store.read { rows throws(UserPoolError) in try rows.user(named: name, in: pool) }
  }

  @Test func theHeaderHasAllAttributes() async throws {
    let pool = Self.pool {
      var own = SchemaAttribute()
      own.name = "custom:team"
      $0.schema = [own]
    }
    let service = try await Self.service(pool)
    var expected = Self.names
    expected.insert("custom:team", at: 19)
    #expect(try await UserImport.header(for: pool.id, of: service) == expected)
    await #expect(throws: UserPoolError.poolUnknown("us-east-1_000000000")) {
      try await UserImport(into: "us-east-1_000000000", of: service)
    }
  }

  @Test func aUserWithoutAVerifierMustResetThePassword() async throws {
    let pool = Self.pool()
    let service = try await Self.service(pool)
    let values = [
      "birthdate": "02/01/1985", "family_name": " Doe ", "address": "123 Any Street\\, 4",
      "updated_at": "1471453471",
      "phone_number_verified": "false",
    ]
    let (counts, failures) = try await Self.run(Self.file([Self.user("jane", values)]), service, pool)
    #expect(counts == [1, 0, 0] && failures.isEmpty)
    let user = try #require(try await Self.user("jane", of: service, pool))
    #expect(user.status == .resetRequired && user.password == nil && UUIDText.isUUID(user.sub))
    #expect(
      user.attributes == [
        "email": "jane@example.com", "email_verified": "true", "birthdate": "1985-02-01",
        "family_name": "Doe",
        "address": "123 Any Street, 4", "updated_at": "1471453471",
      ])
  }

  /// A row whose name is another user's `sub` is refused; the other rows of the file are imported.
  @Test func aNameThatIsASub() async throws {
    let pool = Self.pool()
    let service = try await Self.service(pool)
    _ = try await Self.run(Self.file([Self.user("jane")]), service, pool)
    let jane = try #require(try await Self.user("jane", of: service, pool))
    let name = "ed9ab6aa-98b9-4a5b-a9a3-4d28cb7b3a4e"
    let (counts, failures) = try await Self.run(
      Self.file([Self.user(jane.sub), Self.user(name)]), service, pool)
    #expect(counts == [1, 0, 1])
    #expect(failures.first?.error == .userNameRefused(rule: "Username cannot be the sub of another user."))
    #expect(try await Self.user(name, of: service, pool)?.name == name)
  }

  @Test(arguments: ["", "jane doe"])
  func aVerifierIsThePassword(_ id: String) async throws {
    let pool = Self.pool { $0.autoVerified = [] }
    let service = try await Self.service(pool)
    let verifier = try CognitoVerifier(
      identity: .user(userPoolID: pool.id, userIDForSRP: id.isEmpty ? "jane" : id),
      password: SecretBytes("Imported-1".utf8.span))
    let value = verifier.value.withBytes { [UInt8](unwipedCopy: $0) }
    for (name, salt, text) in [
      ("jane", Hex.string(verifier.salt), Hex.string(value)),
      ("joe", Base64.string([0, 0] + verifier.salt), Base64.string(value)),
    ] {
      let values = [
        "email_verified": "false", "srp:salt": salt, "srp:verifier": text,
        "srp:id": name == "joe" ? (id.isEmpty ? "jane" : id) : id,
      ]
      let file = Self.file([Self.user(name, values)], ["srp:salt", "srp:verifier", "srp:id"])
      let (counts, failures) = try await Self.run(file, service, pool)
      #expect(counts == [1, 0, 0] && failures.isEmpty)
      let user = try #require(try await Self.user(name, of: service, pool))
      #expect(user.status == .confirmed && user.password?.salt == verifier.salt)
      for (password, isRight) in [("Imported-1", true), ("Imported-2", false)] {
        let found = try await service.passwords.isPassword(
          SecretBytes(password.utf8.span), of: user, named: user.canonicalName, in: pool, from: nil)
        #expect(found == isRight)
      }
    }
  }

  @Test func anImportCanBeRepeated() async throws {
    for attributes in [[], [UsernameAttribute.email]] {
      let pool = Self.pool { $0.usernameAttributes = attributes }
      let service = try await Self.service(pool)
      let rows = (0..<1_203).map { number in
        var user = Self.user("user\(number)")
        if !attributes.isEmpty { user["cognito:username"] = user["email"] }
        return user
      }
      let file = Self.file(rows)
      #expect(try await Self.run(file, service, pool).counts == [1_203, 0, 0])
      #expect(try await Self.run(file, service, pool).counts == [0, 1_203, 0])
      #expect(
        try await Self.run(
          file
            + Array(
              Self.row(Self.user("more", attributes.isEmpty ? [:] : ["cognito:username": "more@example.com"]))
                .utf8), service, pool
        ).counts == [1, 1_203, 0])
    }
  }

  @Test func refusedRowsAreReportedWithTheirLines() async throws {
    let pool = Self.pool { $0.aliasAttributes = [.email] }
    let service = try await Self.service(pool)
    let rows = [
      Self.user("good"), Self.user(""), Self.user("mail", ["email": "x"]),
      Self.user("unverified", ["email_verified": "false"]), Self.user("flags", ["email_verified": ""]),
      Self.user("birth", ["birthdate": "1985-02-01"]), Self.user("day", ["birthdate": "02/30/1985"]),
      Self.user("other", ["email": "good@example.com"]), Self.user("factor", ["cognito:mfa_enabled": ""]),
      Self.user("on", ["cognito:mfa_enabled": "true"]), Self.user("flag", ["email_verified": "yes"]),
      Self.user("with@example.com"), Self.user("good"),
    ]
    var file = Self.file(rows)
    file += Array("short,row\n".utf8) + [0xFF] + Array(Self.row(Self.user("last")).utf8)
    let (counts, failures) = try await Self.run(file, service, pool)
    #expect(counts == [1, 1, 13])
    func refused(_ line: Int, _ rule: String) -> UserPoolError { .importRefused(line: line, rule: rule) }
    let expected: [(Int, UserPoolError)] = [
      (3, refused(3, "cognito:username is empty")), (4, .addressMalformed(attribute: "email")),
      (5, refused(5, "email_verified must be true: the user could not reset the password")),
      (6, refused(6, "email_verified or phone_number_verified is required")),
      (7, refused(7, "birthdate must have the form mm/dd/yyyy")),
      (8, refused(8, "birthdate must have the form mm/dd/yyyy")), (9, .aliasExists(attribute: "email")),
      (10, refused(10, "cognito:mfa_enabled must be true or false")),
      (11, refused(11, "cognito:mfa_enabled must be false, since the pool has no second factor")),
      (12, refused(12, "email_verified must be true or false")),
    ]
    for (failure, (line, error)) in zip(failures, expected) {
      #expect(failure.line == line && failure.error == error)
    }
    #expect(failures.map(\.line) == [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 16])
    #expect(failures.suffix(3).first?.error.code == .userNameRefused)
    #expect(
      failures.suffix(2).first?.error
        == refused(15, "the numbers of fields in the row and in the header differ: 2 and 21"))
    #expect(failures.last?.error == refused(16, "a field is not UTF-8"))
  }

  @Test func verifiersAreChecked() async throws {
    let pool = Self.pool()
    let service = try await Self.service(pool)
    let more = ["srp:salt", "srp:verifier"]
    let rows = [
      ["srp:salt": "00"], ["srp:salt": "xyz", "srp:verifier": "02"], ["srp:salt": "01", "srp:verifier": "x"],
      ["srp:salt": "01", "srp:verifier": "00"], ["srp:salt": "00", "srp:verifier": "02"],
      ["srp:salt": "01", "srp:verifier": String(repeating: "ff", count: 384)],
    ]
    let file = Self.file(rows.enumerated().map { Self.user("user\($0)", $1) }, more)
    let (counts, failures) = try await Self.run(file, service, pool)
    #expect(counts == [0, 0, 6])
    #expect(failures.map(\.line) == [2, 3, 4, 5, 6, 7])
    #expect(failures.allSatisfy { $0.error.code == .importRefused })
    #expect(failures[1].error == .importRefused(line: 3, rule: "srp:salt is neither hexadecimal nor base64"))
  }

  @Test(arguments: [
    ("", "the file has no header"), ("name\n", "the column cognito:username is missing"),
    ("cognito:username,name\n", "the column cognito:mfa_enabled is missing"),
    ("name,name\n", "the column \"name\" occurs twice"), ("nam\n", "the pool has no attribute \"nam\""),
    ("sub\n", "the pool has no attribute \"sub\""),
    ("\u{FEFF}name\n", "the file begins with a byte order mark"),
    (names.joined(separator: ",") + ",srp:salt\n", "srp:salt and srp:verifier belong together"),
  ])
  func headersAreChecked(_ text: String, _ rule: String) async throws {
    let pool = Self.pool()
    let service = try await Self.service(pool)
    await #expect(throws: UserPoolError.importRefused(line: 1, rule: rule)) {
      try await Self.run(Array(text.utf8), service, pool)
    }
  }

  @Test func whatComesBeforeADamagedLineIsImported() async throws {
    let pool = Self.pool()
    let service = try await Self.service(pool)
    let file = Self.file([Self.user("jane")]) + Array("\"open\n".utf8)
    let (counts, failures) = try await Self.run(file, service, pool)
    #expect(counts == [1, 0, 1])
    #expect(failures.map(\.error) == [.importRefused(line: 3, rule: "the quotation mark is not closed")])
    // The rest of such a file is not read.
    var users = try await UserImport(into: pool.id, of: service)
    let refusal = UserPoolError.importRefused(
      line: 3, rule: "a quotation mark in a field that does not begin with one")
    let damaged = Self.file([Self.user("joe")]) + Array("a\"\n".utf8) + Array(Self.row(Self.user("jim")).utf8)
    let found = try await users.add(damaged)
    #expect(found.map(\.line) == [3] && found.map(\.error) == [refusal])
    await #expect(throws: refusal) { try await users.add(Array("x\n".utf8)) }
    await #expect(throws: refusal) { try await users.finish() }
    #expect(users.imported == 1 && users.failed == 1 && users.isEnded)
    // Reports of rows have the line in front.
    #expect(found.map(\.rule) == ["a quotation mark in a field that does not begin with one"])
    #expect(try await Self.user("jane", of: service, pool) != nil)
  }

  @Test func requiredFactors() async throws {
    let pool = Self.pool {
      $0.mfa = .on
      $0.hasSMSFactor = true
    }
    let service = try await Self.service(pool)
    let phone = [
      "phone_number": "+12065550100", "phone_number_verified": "true", "cognito:mfa_enabled": "True",
    ]
    let file = Self.file([Self.user("jane", phone), Self.user("joe")])
    let (counts, failures) = try await Self.run(file, service, pool)
    #expect(counts == [1, 0, 1])
    #expect(
      failures.first?.error
        == .importRefused(
          line: 3, rule: "cognito:mfa_enabled must be true, since the pool requires a second factor"))
    #expect(try await Self.user("jane", of: service, pool)?.smsFactor == true)
  }

  @Test(arguments: [true, false])
  func optionalFactors(_ sendsSMS: Bool) async throws {
    let pool = Self.pool {
      $0.mfa = .optional
      $0.hasSMSFactor = sendsSMS
      $0.hasSoftwareTokenFactor = true
    }
    let service = try await Self.service(pool)
    let on = ["cognito:mfa_enabled": "true"]
    let phone = ["phone_number": "+12065550100", "phone_number_verified": "true"]
    let file = Self.file([Self.user("none", on), Self.user("both", on.merging(phone) { a, _ in a })])
    let (counts, failures) = try await Self.run(file, service, pool)
    let rule = "cognito:mfa_enabled must be false: the pool sends no SMS, or the user has no phone_number"
    let lines = sendsSMS ? [2] : [2, 3]
    #expect(failures.map(\.error) == lines.map { UserPoolError.importRefused(line: $0, rule: rule) })
    #expect(counts == (sendsSMS ? [1, 0, 1] : [0, 0, 2]))
    #expect(try await Self.user("both", of: service, pool)?.smsFactor == (sendsSMS ? true : nil))
  }
}
