internal import CognitoUserPool
internal import Testing
internal import TokenSecurityBase

/// One session, or one secret block, reads its user a bounded number of times, whatever is sent with it.
@Suite struct RepeatedAnswerTests {
  enum Answer: String, CaseIterable, Sendable {
    case otherName, otherDevice, otherNameOfBlock, usedBlock
    case noSignature, zeroKey, chosenZeroKey, noPassword, noCode

    /// Maximum number of calls that read a user.
    var reads: Int {
      switch self {
      case .otherName, .otherDevice, .otherNameOfBlock: 5
      case .usedBlock: 1
      case .noSignature, .zeroKey, .chosenZeroKey, .noPassword, .noCode: 0
      }
    }

    /// The code of the last call.
    var code: String {
      switch self {
      case .otherName, .otherDevice, .otherNameOfBlock: "sign_in_session_invalid"
      case .usedBlock: "sign_in_session_used"
      case .zeroKey, .chosenZeroKey: "user_pool_parameter_refused"
      case .noSignature, .noPassword, .noCode: "user_pool_parameter_missing"
      }
    }
  }

  /// The beginning of a sign-in, and what is sent again and again.
  private static func begin(
    _ answer: Answer, _ name: String, _ pool: TestPool
  ) async throws -> (SignInAnswer, [String: String]) {
    func choose(_ challenge: String) async throws -> SignInAnswer {
      try await pool.initiate("USER_AUTH", ["USERNAME": name, "PREFERRED_CHALLENGE": challenge])
    }
    func proof(signature: String?) async throws -> (SignInAnswer, [String: String]) {
      let begun = try await pool.beginSRP(name)
      var responses = ["USERNAME": name, "TIMESTAMP": "Tue Nov 10 10:00:00 UTC 2026"]
      responses["PASSWORD_CLAIM_SECRET_BLOCK"] = begun.parameter("SECRET_BLOCK")
      responses["PASSWORD_CLAIM_SIGNATURE"] = signature
      return (begun, responses)
    }
    switch answer {
    case .otherName:
      return (try await pool.initiate("USER_AUTH", ["USERNAME": name]), ["USERNAME": "x", "ANSWER": "NONE"])
    case .otherDevice:
      return (
        try await pool.initiate("USER_AUTH", ["USERNAME": name]),
        ["USERNAME": name, "ANSWER": "NONE", "DEVICE_KEY": "us-east-1_00000000-0000-4000-8000-000000000000"]
      )
    case .chosenZeroKey:
      return (
        try await pool.initiate("USER_AUTH", ["USERNAME": name]),
        ["USERNAME": name, "ANSWER": "PASSWORD_SRP", "SRP_A": "00"]
      )
    case .otherNameOfBlock:
      let (begun, responses) = try await proof(signature: "AAAA")
      return (begun, responses.merging(["USERNAME": "x"]) { $1 })
    case .usedBlock: return try await proof(signature: "AAAA")
    case .noSignature: return try await proof(signature: nil)
    case .zeroKey: return (try await choose("PASSWORD_SRP"), ["USERNAME": name, "SRP_A": "00"])
    case .noPassword: return (try await choose("PASSWORD"), ["USERNAME": name])
    case .noCode: return (try await choose("EMAIL_OTP"), ["USERNAME": name])
    }
  }

  @Test(arguments: Answer.allCases, [true, false])
  func reads(_ answer: Answer, _ isKnown: Bool) async throws {
    let recorded = try await StoreKind.memory.recorded()
    var settings = NamedPool.names.settings
    if answer == .otherDevice {
      settings["DeviceConfiguration"] = ["DeviceOnlyRememberedOnUserPrompt": true]
    }
    let pool = try await TestPool(
      settings, client: ["PreventUserExistenceErrors": "ENABLED"], over: recorded.store)
    let person = NamedPool.Person(first: "u", number: 101)
    try await NamedPool.names.add(person, to: pool)
    let name = isKnown ? person.userName : try await NamedPool.names.unknown("u", form: 0, in: pool)
    let (begun, responses) = try await Self.begin(answer, name, pool)
    var (reads, code) = (0, "")
    for _ in 0..<20 {
      let statements = try await recorded.statements.during {
        code = await errorCode { _ = try await pool.respond(begun, responses) }
      }
      if statements.contains(where: { $0.contains(" pool_user ") }) { reads += 1 }
    }
    #expect(reads == answer.reads)
    #expect(code == answer.code)
  }
}
