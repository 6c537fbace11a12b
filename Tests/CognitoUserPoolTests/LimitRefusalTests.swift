internal import Records
internal import ServiceOperations
internal import Testing
internal import TokenSecurityBase

@testable internal import CognitoUserPool

/// Refusals of limits are errors that the operations declare: clients with types know no other ones.
@Suite struct LimitRefusalTests {
  private static let signIns: [ExactString] = [
    "InitiateAuth", "RespondToAuthChallenge", "AdminInitiateAuth", "AdminRespondToAuthChallenge",
  ]

  /// The operations of a limit. Messages are counted in several, and refused as each declares.
  private static func operations(_ kind: LimitKind) -> [ExactString] {
    switch kind {
    case .confirm: ["ConfirmSignUp"]
    case .resend: ["ResendConfirmationCode"]
    case .resetCode: ["ForgotPassword"]
    case .administratorReset: ["AdminResetUserPassword"]
    case .attributeCode: ["GetUserAttributeVerificationCode"]
    case .changedAddress: ["UpdateUserAttributes"]
    case .verifyAttribute: ["VerifyUserAttribute"]
    case .changePassword: ["ChangePassword"]
    case .verifySoftwareToken: ["VerifySoftwareToken"]
    case .signInCode, .customSignIn: signIns
    case .message: ["SignUp", "ResendConfirmationCode", "ForgotPassword", "GetUserAttributeVerificationCode"]
    }
  }

  private static func operations(_ kind: StrangersCounts.Kind) -> [ExactString] {
    switch kind {
    case .signIn: ["InitiateAuth"]
    case .device: ["RespondToAuthChallenge", "AdminRespondToAuthChallenge"]
    case .signUp: ["SignUp"]
    case .confirm: ["ConfirmSignUp"]
    case .resend: ["ResendConfirmationCode"]
    case .resetCode: ["ForgotPassword"]
    case .reset: ["ConfirmForgotPassword"]
    }
  }

  private static func operations(_ way: CodeWay) -> [ExactString] {
    way == .reset ? ["ConfirmForgotPassword"] : signIns
  }

  @Test func areDeclared() throws {
    let limits =
      LimitKind.allCases.map { ($0.refusal, Self.operations($0)) }
      + StrangersCounts.Kind.allCases.map { ($0.refusal, Self.operations($0)) }
      + CodeWay.allCases.map { ($0.refusal, Self.operations($0)) }
    for (refusal, operations) in limits {
      for name in operations {
        let operation = try #require(userPools.operations.first { $0.declaration.name == name })
        let isDeclared = operation.declaration.errors.contains { $0.name == ExactString(refusal.type) }
        #expect(isDeclared, "\(name.text): \(refusal.type)")
      }
    }
  }

  /// Too many messages to an address end a sign-in with an error of its own operation.
  @Test func messagesOfSignIns() async throws {
    let (bench, _) = try await FactorBoundTests.bench([.sms])
    // Messages to an address that is not verified are counted by the address.
    try await bench.change { $0.attributes["phone_number_verified"] = "false" }
    let (secrets, pool) = (bench.service.secrets, bench.pool.id)
    try await bench.service.store.write(at: bench.now) { rows throws(UserPoolError) in
      let key = try secrets.digest(pool, "address", FactorBoundTests.phone, for: .attempt)
      for _ in 0..<LimitKind.message.limit { try rows.countAttempt(.message, pool: pool, key: key) }
    }
    await #expect(throws: UserPoolError.passwordAttemptsExceeded) { try await bench.signIn() }
  }

  /// Operations that declare no `LimitExceededException` answer too many messages to an address by another error of
  /// theirs.
  @Test(arguments: ["UpdateUserAttributes", "AdminUpdateUserAttributes", "AdminCreateUser", "invited again"])
  func messagesOfOtherOperations(_ operation: String) async throws {
    let pool = try await TestPool([
      "AutoVerifiedAttributes": ["email"],
      "UserAttributeUpdateSettings": ["AttributesRequireVerificationBeforeUpdate": ["email"]],
    ])
    try await pool.addUser()
    let address = "june@example.com"
    let attributes: JSONValue = [["Name": "email", "Value": .string(address)]]
    let tokens = try await pool.signIn()
    if operation == "invited again" {
      try await pool.admin(
        "AdminCreateUser",
        ["Username": "june", "MessageAction": "SUPPRESS", "UserAttributes": attributes])
    }
    let (secrets, id) = (pool.service.secrets, pool.id)
    try await pool.store.write(at: pool.clock.time) { rows throws(UserPoolError) in
      let key = try secrets.digest(id, "address", address, for: .attempt)
      for _ in 0..<LimitKind.message.limit { try rows.countAttempt(.message, pool: id, key: key) }
    }
    let refused = await #expect(throws: UserPoolError.self) {
      switch operation {
      case "UpdateUserAttributes":
        try await pool.call(
          operation, ["AccessToken": .string(tokens.access), "UserAttributes": attributes])
      case "AdminUpdateUserAttributes":
        try await pool.admin(operation, ["Username": .string(TestPool.user), "UserAttributes": attributes])
      case "AdminCreateUser":
        try await pool.admin(
          operation,
          ["Username": "june", "UserAttributes": attributes, "DesiredDeliveryMediums": ["EMAIL"]])
      default:
        try await pool.admin(
          "AdminCreateUser",
          ["Username": "june", "MessageAction": "RESEND", "DesiredDeliveryMediums": ["EMAIL"]])
      }
    }
    #expect(refused == .requestLimitExceeded && refused?.type == "TooManyRequestsException")
  }

  /// Operations that declare no `CodeDeliveryFailureException` answer a full outbox by another error of theirs.
  @Test(arguments: [
    "AdminUpdateUserAttributes", "AdminResetUserPassword", "InitiateAuth", "UpdateUserAttributes",
  ])
  func aFullOutbox(_ operation: String) async throws {
    var limits = OutboxCapacity.Limits()
    limits.rows = 0
    let pool = try await TestPool(
      [
        "AutoVerifiedAttributes": ["email"],
        "Policies": ["SignInPolicy": ["AllowedFirstAuthFactors": ["PASSWORD", "EMAIL_OTP"]]],
      ], client: [:], over: try await StoreKind.memory.make(), outbox: OutboxCapacity(limits: limits))
    try await pool.addUser(attributes: ["email": "jane@example.com", "email_verified": "true"])
    let tokens = try await pool.signIn()
    let attributes: JSONValue = [["Name": "email", "Value": "june@example.com"]]
    let refused = await #expect(throws: UserPoolError.self) {
      switch operation {
      case "InitiateAuth":
        _ = try await pool.initiate(
          "USER_AUTH", ["USERNAME": TestPool.user, "PREFERRED_CHALLENGE": "EMAIL_OTP"])
      case "UpdateUserAttributes":
        try await pool.call(
          operation, ["AccessToken": .string(tokens.access), "UserAttributes": attributes])
      case "AdminUpdateUserAttributes":
        try await pool.admin(operation, ["Username": .string(TestPool.user), "UserAttributes": attributes])
      default: try await pool.admin(operation, ["Username": .string(TestPool.user)])
      }
    }
    let declared = try #require(userPools.operations.first { $0.declaration.name == ExactString(operation) })
    let type = try #require(refused?.type)
    #expect(declared.declaration.errors.contains { $0.name == ExactString(type) }, "\(type)")
    let isDelivery = operation == "UpdateUserAttributes"
    #expect(type == (isDelivery ? "CodeDeliveryFailureException" : "TooManyRequestsException"))
  }

  /// So do too many changes of addresses.
  @Test func changesOfAddresses() async throws {
    let pool = try await TestPool(["AutoVerifiedAttributes": ["email"]])
    try await pool.addUser()
    let tokens = try await pool.signIn()
    func change(_ number: Int) async throws(UserPoolError) {
      try await pool.call(
        "UpdateUserAttributes",
        [
          "AccessToken": .string(tokens.access),
          "UserAttributes": [["Name": "email", "Value": .string("jane\(number)@example.com")]],
        ])
    }
    for number in 0..<20 { try await change(number) }
    await #expect(throws: UserPoolError.requestLimitExceeded) { try await change(20) }
  }

  // MARK: Beginnings of sign-ins

  private static func begin(_ bench: SignInBench, _ count: Int) async throws {
    for _ in 0..<count { _ = try await bench.initiate(.userAuth, ["USERNAME": "alice"]).challenge }
  }

  /// The tokens of an administrator's sign-in, which is not counted, take none of the others back.
  @Test func signInsOfAdministrators() async throws {
    let bench = try await SignInBench()
    try await bench.addUser()
    try await Self.begin(bench, 100)
    for _ in 0..<2 {
      _ = try await bench.initiate(
        .adminUserPasswordAuth, ["USERNAME": "alice", "PASSWORD": SignInBench.password], asAdministrator: true
      ).tokens
    }
    await #expect(throws: UserPoolError.passwordAttemptsExceeded) { try await Self.begin(bench, 1) }
  }

  /// The sign-in that a function brings a user with is taken back, too: it counts by the name as others do.
  @Test func migratedUsers() async throws {
    let bench = try await SignInBench(pool: { $0.hooks = ["UserMigration": "arn:migration"] })
    bench.hooks.on(.userMigration) { _ throws(HookError) in
      #"{"userAttributes":{"email":"old@example.com"},"finalUserStatus":"CONFIRMED"}"#
    }
    for _ in 0..<99 {
      await #expect(throws: UserPoolError.userUnknown) {
        try await bench.initiate(.userAuth, ["USERNAME": "alice"])
      }
    }
    _ = try await bench.signIn().tokens
    let secrets = bench.service.secrets
    let key = try StrangersCounts.Key(
      .signIn, named: "alice", in: bench.pool.id, from: bench.context.client, secrets)
    try bench.service.strangers.count(key, at: bench.now)
    #expect(throws: UserPoolError.passwordAttemptsExceeded) {
      try bench.service.strangers.count(key, at: bench.now)
    }
    await #expect(throws: UserPoolError.passwordAttemptsExceeded) { try await Self.begin(bench, 1) }
  }
}
