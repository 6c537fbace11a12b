internal import CognitoUserPool
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityCrypto
internal import TokenSecurityTesting

/// Single-use data stays used when the master key is replaced, and after an update from an earlier version.
@Suite struct SingleUseTests {
  private static func secrets(_ master: UInt8) throws -> UserPoolSecrets {
    try UserPoolSecrets(master: SecretBytes([UInt8](repeating: master, count: 32).span))
  }

  private static func reseal(
    _ pool: TestPool, from old: UserPoolSecrets, to new: UserPoolSecrets
  ) async throws {
    try await pool.store.write(at: pool.clock.time) { rows throws(UserPoolError) in
      _ = try rows.resealUserPools(from: old, to: new)
    }
  }

  private static func answer(
    _ code: String, _ pool: TestPool, _ secrets: UserPoolSecrets
  ) async throws -> SoftwareTokenAnswer {
    let (user, now) = (try await pool.storedUser(), pool.clock.time)
    return try await pool.store.write(at: now) { rows throws(UserPoolError) in
      try rows.useSoftwareTokenCode(code, of: user, secrets: secrets, at: now)
    }
  }

  /// Notes a step as versions up to 0.2.0 did: by a digest of the sealed secret.
  private static func useAsEarlier(_ pool: TestPool, at time: Timestamp) async throws {
    let step = UInt64(time.seconds / 30)
    let sealed = try #require(try await pool.storedUser().softwareToken)
    let bytes = sealed + (0..<8).map { UInt8(truncatingIfNeeded: step >> UInt64(56 - 8 * $0)) }
    var row = UsedValue()
    row.poolID = pool.id
    row.kind = "step"
    row.value = try DigestAlgorithm.sha256.hash(bytes.span)
    row.end = Timestamp(seconds: Int64(step + 2) * 30 + 1)
    let used = row
    try await pool.store.write(at: pool.clock.time) { rows throws(UserPoolError) in
      try rows.put(used, in: UserPoolTables.usedValues)
    }
  }

  /// Each kind, so that a new one needs a case here.
  @Test(arguments: SingleUse.allCases) func afterReseal(_ kind: SingleUse) async throws {
    let pool = try await SoftwareTokenTests.pool()
    let (old, new) = (pool.service.secrets, try Self.secrets(9))
    switch kind {
    case .softwareTokenStep:
      let token = try await pool.addSoftwareToken(pool.signIn())
      let code = try token.code(at: pool.clock.time)
      #expect(try await Self.answer(code, pool, old) == .used)
      try await Self.reseal(pool, from: old, to: new)
      #expect(try await Self.answer(code, pool, new) == .used)
      #expect(try await Self.answer(token.code(at: pool.clock.time + .seconds(30)), pool, new) == .right)
    case .session:
      // A session does not open any more, used or not.
      var session = SignInSession()
      session.poolID = pool.id
      let text = try session.sealed(old)
      #expect(try SignInSession(sealed: text, old) != nil)
      #expect(try SignInSession(sealed: text, new) == nil)
    case .block:
      // Neither does a secret block.
      let sealed = try old.seal(SecretBytes([1, 2, 3].span), for: .session, name: "block")
      #expect(try old.open(sealed.span, for: .session, name: "block") != nil)
      #expect(try new.open(sealed.span, for: .session, name: "block") == nil)
    }
  }

  /// A code that was used before an update is refused after it.
  @Test(arguments: StoreKind.allCases) func usedByAnEarlierVersion(_ kind: StoreKind) async throws {
    let pool = try await SoftwareTokenTests.pool(on: kind)
    let token = try await pool.addSoftwareToken(pool.signIn())
    pool.clock.advance(by: .seconds(90))
    let code = try token.code(at: pool.clock.time)
    try await Self.useAsEarlier(pool, at: pool.clock.time)
    #expect(try await Self.answer(code, pool, pool.service.secrets) == .used)
  }

  /// So it is where the master key is replaced directly after the update.
  @Test(arguments: [-30, 0, 30]) func usedByAnEarlierVersionBeforeReseal(_ offset: Int) async throws {
    let pool = try await SoftwareTokenTests.pool()
    let (old, new) = (pool.service.secrets, try Self.secrets(9))
    let token = try await pool.addSoftwareToken(pool.signIn())
    pool.clock.advance(by: .seconds(90))
    let time = pool.clock.time + .seconds(offset)
    try await Self.useAsEarlier(pool, at: time)
    try await Self.reseal(pool, from: old, to: new)
    #expect(try await Self.answer(token.code(at: time), pool, new) == .used)
  }

  /// Another token's code of the same step serves.
  @Test func stepsOfAnotherToken() async throws {
    let pool = try await SoftwareTokenTests.pool()
    let tokens = try await pool.signIn()
    try await pool.addSoftwareToken(tokens)
    try await pool.addSoftwareToken(tokens)
  }
}
