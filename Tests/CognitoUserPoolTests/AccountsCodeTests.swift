internal import CognitoUserPool
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// Codes and limits in the store.
@Suite struct AccountsCodeTests {
  private let store: MemoryRecordStore
  private let secrets: UserPoolSecrets
  private let user: User
  private let start = Timestamp(seconds: 1_800_000_000)
  private static let email = Destination(.email, "jane@example.com")

  init() throws {
    store = try MemoryRecordStore(tables: UserPoolTables.all)
    secrets = try UserPoolSecrets(master: SecretBytes(count: 32) { $0[0] = 1 })
    var user = User()
    user.poolID = "us-east-1_aaaaaaaaa"
    user.sub = "ed9ab6aa-98b9-4a5b-a9a3-4d28cb7b3a4e"
    user.attributes = ["email": "jane@example.com"]
    self.user = user
  }

  private func issue(
    _ purpose: CodePurpose, _ destination: Destination = Self.email, digits: Int = 6,
    after time: Duration = .zero
  ) async throws -> String {
    let (user, secrets) = (user, secrets)
    return try await store.write(at: start + time) { rows throws(UserPoolError) in
      try rows.issueCode(
        purpose, for: user, destination: destination, digits: digits, lifetime: purpose.lifetime,
        secrets: secrets)
    }
  }

  /// The refusal; nil for the right code.
  private func refusal(
    _ code: String, _ purpose: CodePurpose, of other: User? = nil, after time: Duration = .zero
  ) async throws -> UserPoolError? {
    let (user, secrets) = (other ?? user, secrets)
    let check = try await store.write(at: start + time) { rows throws(UserPoolError) in
      try rows.checkCode(code, purpose, of: user, secrets: secrets)
    }
    if case .refused(let error) = check { return error }
    return nil
  }

  @Test func codesAreDigits() async throws {
    for digits in [6, 8] {
      var seen: Set<ExactString> = []
      for _ in 0..<50 {
        let code = try await issue(.signUp, digits: digits)
        #expect(code.utf8.count == digits)
        #expect(code.utf8.allSatisfy { (0x30...0x39).contains($0) })
        seen.insert(ExactString(code))
      }
      #expect(seen.count > 45)
    }
  }

  @Test func rightWrongAndMissing() async throws {
    #expect(try await refusal("123456", .signUp) == .codeExpired)
    let code = try await issue(.signUp)
    let wrong = AccountsFixture.other(code)
    #expect(try await refusal(wrong, .signUp) == .codeMismatch)
    #expect(try await refusal(code + "0", .signUp) == .codeMismatch)
    #expect(try await refusal("", .signUp) == .codeMismatch)
    // A wrong code does not use it up.
    #expect(try await refusal(code, .signUp) == nil)
  }

  @Test func codeIsForOnePurpose() async throws {
    let code = try await issue(.signUp)
    #expect(try await refusal(code, .forgottenPassword) == .codeExpired)
    let other = try await issue(.forgottenPassword)
    if other != code { #expect(try await refusal(code, .forgottenPassword) == .codeMismatch) }
    #expect(try await refusal(code, .attribute(.email)) == .codeExpired)
    #expect(try await refusal(code, .factor(sessionID: "a")) == .codeExpired)
  }

  @Test func codeIsForOneUser() async throws {
    let code = try await issue(.signUp)
    var other = user
    other.sub = "0b7b1c3e-98b9-4a5b-a9a3-4d28cb7b3a4e"
    #expect(try await refusal(code, .signUp, of: other) == .codeExpired)
    var elsewhere = user
    elsewhere.poolID = "us-east-1_bbbbbbbbb"
    #expect(try await refusal(code, .signUp, of: elsewhere) == .codeExpired)
  }

  /// A row that was copied to another user, purpose or address checks no code.
  @Test func digestIsBound() async throws {
    let code = try await issue(.attribute(.email))
    let user = user
    for change in [
      { $0.sub = "0b7b1c3e-98b9-4a5b-a9a3-4d28cb7b3a4e" }, { $0.value = "eve@example.com" },
      { $0.attribute = "phone_number" },
    ] as [@Sendable (inout StoredCode) -> Void] {
      let moved = try await store.write(at: start) { rows throws(UserPoolError) in
        let key = RecordKey(user.poolID, user.sub, "attribute/email")
        guard var row = try rows.get(UserPoolTables.codes, key) else { throw .codeExpired }
        let first = row
        change(&row)
        try rows.put(row, in: UserPoolTables.codes)
        return (first: first, row: row)
      }
      var owner = user
      owner.sub = moved.row.sub
      #expect(try await refusal(code, .attribute(.email), of: owner) == .codeMismatch)
      try await store.write(at: start) { rows throws(UserPoolError) in
        try rows.put(moved.first, in: UserPoolTables.codes)
      }
    }
    #expect(try await refusal(code, .attribute(.email)) == nil)
  }

  @Test func rowsHaveNoCode() async throws {
    let code = try await issue(.signUp)
    let rows = try await store.read(at: start) { rows throws(UserPoolError) in
      try rows.scan(UserPoolTables.codes, limit: 10)
    }
    #expect(rows.count == 1)
    #expect(rows[0].digest.count == 32)
    #expect(!"\(rows[0])".contains(code))
  }

  @Test func newCodeReplacesTheOld() async throws {
    let first = try await issue(.signUp)
    var second = try await issue(.signUp)
    while second == first { second = try await issue(.signUp) }
    #expect(try await refusal(first, .signUp) == .codeMismatch)
    #expect(try await refusal(second, .signUp) == nil)
  }

  @Test(arguments: [
    (CodePurpose.signUp, 86_400), (.attribute(.email), 86_400), (.forgottenPassword, 3_600),
  ])
  func ends(_ purpose: CodePurpose, _ seconds: Int) async throws {
    let code = try await issue(purpose)
    #expect(try await refusal(code, purpose, after: .seconds(seconds - 1)) == nil)
    #expect(try await refusal(code, purpose, after: .seconds(seconds)) == .codeExpired)
  }

  @Test func guessingEnds() async throws {
    let code = try await issue(.signUp)
    let wrong = AccountsFixture.other(code)
    for _ in 0..<VerificationCode.failureLimit {
      #expect(try await refusal(wrong, .signUp) == .codeMismatch)
    }
    // The right code is too late.
    #expect(try await refusal(code, .signUp) == .tooManyFailedAttempts)
    let next = try await issue(.signUp)
    #expect(try await refusal(next, .signUp) == nil)
  }

  @Test func simulatedCodeMatchesNothing() async throws {
    let (secrets, start) = (secrets, start)
    var pool = UserPool()
    pool.id = "us-east-1_aaaaaaaaa"
    let nobody = try secrets.simulatedUser(named: "nobody", in: pool)
    #expect(UUIDText.isUUID(nobody.sub))
    #expect(try secrets.simulatedUser(named: "nobody", in: pool).sub == nobody.sub)
    #expect(try secrets.simulatedUser(named: "nobodz", in: pool).sub != nobody.sub)
    #expect(try await refusal("123456", .signUp, of: nobody) == .codeExpired)
    try await store.write(at: start) { rows throws(UserPoolError) in
      try rows.issueSimulatedCode(.signUp, for: nobody, lifetime: .seconds(86_400))
    }
    for code in ["123456", "", "000000"] {
      #expect(try await refusal(code, .signUp, of: nobody) == .codeMismatch)
    }
    #expect(
      try await refusal("123456", .signUp, of: nobody, after: .seconds(86_400)) == .codeExpired)
  }

  @Test func simulatedDestinations() throws {
    var pool = UserPool()
    pool.id = "us-east-1_aaaaaaaaa"
    func masked(_ attribute: VerifiedAttribute, _ name: String) throws -> String {
      try secrets.simulatedDestination(attribute, named: name, in: pool).masked
    }
    #expect(try masked(.email, "joe@example.com") == "j***@e***")
    #expect(try masked(.phoneNumber, "+12345679934") == "+*******9934")
    let plain = try masked(.email, "joe")
    #expect(plain.utf8.count == 9)
    #expect(try masked(.email, "joe") == plain)
    #expect(try masked(.email, "+12345679934").utf8.count == 9)
    #expect(try masked(.phoneNumber, "joe").hasPrefix("+*******"))
    #expect(try masked(.phoneNumber, "joe@example.com").utf8.count == 12)
  }

  // MARK: Limits

  private func attempt(_ kind: LimitKind, _ subject: LimitSubject, after time: Duration = .zero)
    async throws
  {
    let (pool, secrets) = (user.poolID, secrets)
    let key = try subject.key(in: pool, secrets)
    try await store.write(at: start + time) { rows throws(UserPoolError) in
      try rows.countAttempt(kind, pool: pool, key: key)
    }
  }

  @Test(arguments: LimitKind.allCases) func limitPerHour(_ kind: LimitKind) async throws {
    for _ in 0..<kind.limit { try await attempt(kind, .user("a")) }
    await #expect(throws: kind.refusal) {
      try await attempt(kind, .user("a"))
    }
    // Others are not affected.
    try await attempt(kind, .user("b"))
    try await attempt(kind, .unknown("a"))
    // Refused attempts do not make it longer.
    await #expect(throws: kind.refusal) {
      try await attempt(kind, .user("a"), after: .seconds(3_599))
    }
    try await attempt(kind, .user("a"), after: .seconds(3_600))
  }

  @Test func limitsOfTheReference() {
    #expect(LimitKind.resend.limit == 5)
    #expect(LimitKind.confirm.limit == 15)
    #expect(LimitKind.changePassword.limit == 5)
    #expect(LimitKind.attributeCode.limit == 5)
    #expect(LimitKind.verifyAttribute.limit == 15)
    #expect((5...20).contains(LimitKind.resetCode.limit))
    #expect((5...20).contains(CodeGuesses.sourceLimit))
    #expect(UserPoolError.attemptLimitExceeded.type == "LimitExceededException")
    #expect(
      UserPoolError.attemptLimitExceeded.publicMessage
        == "Attempt limit exceeded, please try after some time.")
  }

  @Test func unknownNamesAreNotInRows() async throws {
    try await attempt(.resetCode, .unknown("Secret-Passw0rd"))
    let rows = try await store.read(at: start) { rows throws(UserPoolError) in
      try rows.scan(UserPoolTables.attempts, limit: 10)
    }
    #expect(rows.count == 1)
    #expect(rows[0].key.count == 32)
  }
}
