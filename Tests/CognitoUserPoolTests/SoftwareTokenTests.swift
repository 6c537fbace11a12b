internal import CognitoUserPool
internal import OneTimeCodes
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityCrypto
internal import TokenSecurityTesting

/// Software tokens: their setup, their codes, and that each code serves once.
@Suite struct SoftwareTokenTests {
  /// Members of `SetUserPoolMfaConfig` with software tokens.
  static func factors(_ mode: String) -> JSONObject {
    ["MfaConfiguration": .string(mode), "SoftwareTokenMfaConfiguration": ["Enabled": true]]
  }

  /// A pool with software tokens and a user.
  static func pool(_ mode: String = "OPTIONAL", on kind: StoreKind = .memory) async throws -> TestPool {
    let pool = try await TestPool(on: kind)
    try await pool.admin("SetUserPoolMfaConfig", factors(mode))
    try await pool.addUser()
    return pool
  }

  @Test func codesAreAskedOnceATokenIsPreferred() async throws {
    let pool = try await Self.pool()
    let tokens = try await pool.signIn()
    let token = try await pool.addSoftwareToken(tokens, name: "a phone")
    // A token alone is not asked for.
    _ = try await pool.signIn()
    try await pool.prefer("SoftwareTokenMfaSettings", tokens)
    let challenge = try await pool.signInBySRP(TestPool.user, TestPool.password)
    #expect(challenge.name == "SOFTWARE_TOKEN_MFA")
    #expect(challenge.parameter("FRIENDLY_DEVICE_NAME") == "a phone")
    pool.clock.advance(by: .seconds(60))
    let code = try token.code(at: pool.clock.time)
    _ = try await pool.respond(challenge, ["SOFTWARE_TOKEN_MFA_CODE": code]).tokens
    let user = try await pool.call("GetUser", ["AccessToken": .string(tokens.access)])
    #expect(user["PreferredMfaSetting"]?.string == "SOFTWARE_TOKEN_MFA")
    #expect(user["UserMFASettingList"]?.strings == ["SOFTWARE_TOKEN_MFA"])
  }

  @Test func secretIsBase32AndSealed() async throws {
    let pool = try await Self.pool()
    let tokens = try await pool.signIn()
    let made = try await pool.call("AssociateSoftwareToken", ["AccessToken": .string(tokens.access)])
    let secret = try #require(made["SecretCode"]?.string)
    #expect(made["Session"] == nil)
    // 32 bytes without padding.
    #expect(secret.utf8.count == 52)
    let bytes = try OTPSecret(base32: SecretBytes(secret.utf8.span)).bytes.withBytes {
      [UInt8](unwipedCopy: $0)
    }
    let stored = try await pool.storedUser().pendingSoftwareToken ?? []
    #expect(stored.firstRange(of: bytes) == nil)
    #expect(stored.count > bytes.count)
  }

  @Test func wrongCodeIsRefusedAndTheOldTokenStays() async throws {
    let pool = try await Self.pool()
    let tokens = try await pool.signIn()
    let old = try await pool.addSoftwareToken(tokens)
    try await pool.prefer("SoftwareTokenMfaSettings", tokens)
    let new = try await pool.associate(tokens)
    pool.clock.advance(by: .seconds(90))
    let wrong = await refusal {
      try await pool.verify(old.code(at: pool.clock.time), tokens)
    }
    #expect(
      wrong == "EnableSoftwareTokenMFAException: Code mismatch and fail enable Software Token MFA")
    // The old one still signs in.
    let first = try await pool.signInBySRP(TestPool.user, TestPool.password)
    _ = try await pool.respond(first, ["SOFTWARE_TOKEN_MFA_CODE": old.code(at: pool.clock.time)]).tokens
    pool.clock.advance(by: .seconds(90))
    try await pool.verify(new.code(at: pool.clock.time), tokens)
    // Now it does not.
    pool.clock.advance(by: .seconds(90))
    let second = try await pool.signInBySRP(TestPool.user, TestPool.password)
    let refused = await refusal {
      _ = try await pool.respond(second, ["SOFTWARE_TOKEN_MFA_CODE": old.code(at: pool.clock.time)])
    }
    #expect(refused == "CodeMismatchException: Invalid code received for user")
    _ = try await pool.respond(second, ["SOFTWARE_TOKEN_MFA_CODE": new.code(at: pool.clock.time)]).tokens
  }

  @Test func codeServesOnceOverNodes() async throws {
    let pool = try await Self.pool()
    let other = try await pool.node()
    let tokens = try await pool.signIn()
    let token = try await pool.addSoftwareToken(tokens)
    try await pool.prefer("SoftwareTokenMfaSettings", tokens)
    // The code that verified the token.
    let verified = try token.code(at: pool.clock.time)
    let first = try await pool.signInBySRP(TestPool.user, TestPool.password)
    let used = "ExpiredCodeException: Your software token has already been used once."
    #expect(
      await refusal { _ = try await other.respond(first, ["SOFTWARE_TOKEN_MFA_CODE": verified]) } == used)
    pool.clock.advance(by: .seconds(60))
    let code = try token.code(at: pool.clock.time)
    let second = try await other.signInBySRP(TestPool.user, TestPool.password)
    _ = try await other.respond(second, ["SOFTWARE_TOKEN_MFA_CODE": code]).tokens
    let third = try await pool.signInBySRP(TestPool.user, TestPool.password)
    #expect(await refusal { _ = try await pool.respond(third, ["SOFTWARE_TOKEN_MFA_CODE": code]) } == used)
    // The session is not used up by that.
    pool.clock.advance(by: .seconds(60))
    let next = try token.code(at: pool.clock.time)
    _ = try await pool.respond(third, ["SOFTWARE_TOKEN_MFA_CODE": next]).tokens
  }

  @Test(arguments: [(-60, false), (-30, true), (0, true), (30, true), (60, false)])
  func oneStepOfToleranceEachSide(_ offset: Int, _ isAccepted: Bool) async throws {
    let pool = try await Self.pool()
    let tokens = try await pool.signIn()
    let token = try await pool.associate(tokens)
    let code = try token.code(at: pool.clock.time + .seconds(offset))
    let outcome = await errorCode { try await pool.verify(code, tokens) }
    #expect(outcome == (isAccepted ? "" : "software_token_verification_failed"))
  }

  @Test(arguments: ["12345", "1234567", "12345a", "１２３４５６", ""])
  func malformedCodes(_ code: String) async throws {
    let pool = try await Self.pool()
    let tokens = try await pool.signIn()
    _ = try await pool.associate(tokens)
    let refused = await refusal { try await pool.verify(code, tokens) }
    #expect(refused.hasPrefix("InvalidParameterException: "))
  }

  @Test func verificationsAreLimited() async throws {
    let pool = try await Self.pool()
    let tokens = try await pool.signIn()
    let token = try await pool.associate(tokens)
    let wrong = try token.code(at: pool.clock.time + .seconds(6_000))
    for _ in 0..<15 {
      #expect(
        await errorCode { try await pool.verify(wrong, tokens) }
          == "software_token_verification_failed")
    }
    let right = try token.code(at: pool.clock.time)
    #expect(await errorCode { try await pool.verify(right, tokens) } == "password_attempts_exceeded")
  }

  @Test func tokenOrSessionButNotBoth() async throws {
    let pool = try await Self.pool()
    let tokens = try await pool.signIn()
    let access = JSONValue.string(tokens.access)
    let session = JSONValue.string(String(repeating: "s", count: 40))
    for members: JSONObject in [[:], ["AccessToken": access, "Session": session]] {
      #expect(
        await errorCode { try await pool.call("AssociateSoftwareToken", members) }
          == "user_pool_parameter_refused")
    }
    #expect(
      await errorCode { try await pool.call("AssociateSoftwareToken", ["Session": session]) }
        == "sign_in_session_invalid")
  }

  @Test func poolWithoutSoftwareTokens() async throws {
    let pool = try await TestPool()
    try await pool.addUser()
    let tokens = try await pool.signIn()
    let text =
      "SoftwareTokenMFANotFoundException: Software Token MFA has not been enabled by the userPool."
    #expect(await refusal { _ = try await pool.associate(tokens) } == text)
    #expect(await refusal { try await pool.verify("123456", tokens) } == text)
  }

  @Test func setupWithinASignIn() async throws {
    let pool = try await Self.pool("ON")
    let setup = try await pool.signInBySRP(TestPool.user, TestPool.password)
    #expect(setup.name == "MFA_SETUP")
    #expect(try setup.list("MFAS_CAN_SETUP") == ["SOFTWARE_TOKEN_MFA"])
    let made = try await pool.call(
      "AssociateSoftwareToken", ["Session": .string(try #require(setup.session))])
    let token = try TestSoftwareToken(made)
    let session = try #require(made["Session"])
    let wrong = try token.code(at: pool.clock.time + .seconds(6_000))
    #expect(
      await errorCode {
        try await pool.call("VerifySoftwareToken", ["Session": session, "UserCode": .string(wrong)])
      } == "software_token_verification_failed")
    // A wrong code does not use the session up.
    let code = try token.code(at: pool.clock.time)
    let verified = try await pool.call(
      "VerifySoftwareToken", ["Session": session, "UserCode": .string(code)])
    #expect(verified["Status"]?.string == "SUCCESS")
    var answer = setup.members
    answer["Session"] = verified["Session"]
    _ = try await pool.respond(SignInAnswer(members: answer), [:]).tokens
    // The token counts without a preference.
    let next = try await pool.signInBySRP(TestPool.user, TestPool.password)
    #expect(next.name == "SOFTWARE_TOKEN_MFA")
  }

  @Test func administratorRemovesTheToken() async throws {
    let pool = try await Self.pool()
    let tokens = try await pool.signIn()
    _ = try await pool.addSoftwareToken(tokens)
    try await pool.prefer("SoftwareTokenMfaSettings", tokens)
    try await pool.admin("AdminDeleteSoftwareToken", ["Username": .string(TestPool.user)])
    _ = try await pool.signIn()
    let user = try await pool.storedUser()
    #expect(user.softwareToken == nil)
    #expect(user.preferredFactor == nil)
  }

  /// Many tasks on two services with one store: one of them is right.
  @Test(arguments: StoreKind.allCases) func manyTasksWithOneCode(_ kind: StoreKind) async throws {
    let pool = try await Self.pool(on: kind)
    let other = try await pool.node()
    let token = try await pool.addSoftwareToken(pool.signIn())
    pool.clock.advance(by: .seconds(60))
    let (code, user, now) = (
      try token.code(at: pool.clock.time), try await pool.storedUser(), pool.clock.time
    )
    let answers = await withTaskGroup(of: SoftwareTokenAnswer?.self) { group in
      for number in 0..<32 {
        let node = number % 2 == 0 ? pool : other
        group.addTask {
          for _ in 0..<100 {
            do {
              return try await node.store.write(at: now) { rows throws(UserPoolError) in
                try rows.useSoftwareTokenCode(code, of: user, secrets: node.service.secrets, at: now)
              }
            } catch {
              // A busy store: again, as clients do.
            }
          }
          return nil
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(answers.count(where: { $0 == .right }) == 1)
    #expect(answers.count(where: { $0 == .used }) == 31)
  }
}
