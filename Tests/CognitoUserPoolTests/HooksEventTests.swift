internal import CognitoUserPool
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// The events of functions.
@Suite struct HooksEventTests {
  /// The event of a call.
  private func called(
    _ call: (HookRunner) async throws -> Void
  ) async throws -> JSONObject {
    let script = HookScript { _ in
      .success(HookResponse(json: #"{"response": {"challengeName": "CUSTOM_CHALLENGE"}}"#))
    }
    try await call(HookRunner(script))
    #expect(script.events.count == 1)
    return try #require(script.events.first).json.object
  }

  private func parse(_ text: String) throws -> JSONObject { try #require(JSONValue(parsing: text).object) }

  @Test func theFrameIsLambdas() async throws {
    let event = try await called { try await $0.postConfirmation(.test(), .signUp) }
    let attributes =
      #"{"email": "jane@example.com", "sub": "0c6a0a4e-6b1f-4f0e-9d6c-0e7a5d1d2f10"}"#
    #expect(
      try event
        == parse(
          """
          {"version": "1", "triggerSource": "PostConfirmation_ConfirmSignUp", "region": "eu-west-1",
          "userPoolId": "eu-west-1_abcdefghi", "userName": "jane",
          "callerContext": {"awsSdkVersion": "aws-sdk-unknown-unknown", "clientId": "client1"},
          "response": {}, "request": {"userAttributes": \(attributes)}}
          """))
  }

  @Test func callsWithoutAClientSaySo() async throws {
    var user = HookUser.test()
    user.clientID = nil
    user.clientMetadata = ["b": "2", "a": "1"]
    let administrator = user
    let event = try await called {
      _ = try await $0.preSignUp(administrator, validationData: [:], byAdministrator: true)
    }
    #expect(event["callerContext"]?.object?["clientId"] == "CLIENT_ID_NOT_APPLICABLE")
    #expect(event["triggerSource"] == "PreSignUp_AdminCreateUser")
    #expect(event["request"]?.object?["clientMetadata"] == ["a": "1", "b": "2"])
    #expect(event["request"]?.object?["validationData"] == .null)
    #expect(
      event["response"] == ["autoConfirmUser": false, "autoVerifyEmail": false, "autoVerifyPhone": false])
  }

  @Test func sourcesAreLambdas() async throws {
    let user = HookUser.test()
    func source(_ call: (HookRunner) async throws -> Void) async throws -> String? {
      try await called(call)["triggerSource"]?.string
    }
    #expect(try await source { _ = try await $0.preSignUp(user, validationData: [:]) } == "PreSignUp_SignUp")
    #expect(
      try await source { try await $0.postConfirmation(user, .forgottenPassword) }
        == "PostConfirmation_ConfirmForgotPassword")
    #expect(try await source { try await $0.preAuthentication(user) } == "PreAuthentication_Authentication")
    #expect(try await source { try await $0.postAuthentication(user) } == "PostAuthentication_Authentication")
    #expect(
      try await source { _ = try await $0.defineAuthChallenge(user, session: []) }
        == "DefineAuthChallenge_Authentication")
    #expect(
      try await source { _ = try await $0.createAuthChallenge(user, session: []) }
        == "CreateAuthChallenge_Authentication")
    #expect(
      try await source { _ = try await $0.verifyAuthChallenge(user, privateParameters: [:], answer: "a") }
        == "VerifyAuthChallengeResponse_Authentication")
    #expect(
      try await source { _ = try await $0.migrateForReset(user, validationData: [:]) }
        == "UserMigration_ForgotPassword")
    for (token, name) in [
      (TokenGenerationSource.signIn, "Authentication"),
      (.newPassword, "NewPasswordChallenge"), (.device, "AuthenticateDevice"), (.refresh, "RefreshTokens"),
    ] {
      #expect(
        try await source { _ = try await $0.preTokenGeneration(user, token, groups: TokenGroups()) }
          == "TokenGeneration_\(name)")
    }
    for (kind, name) in [
      (MessageKind.signUp, "SignUp"), (.adminCreateUser, "AdminCreateUser"), (.resendCode, "ResendCode"),
      (.forgotPassword, "ForgotPassword"), (.updateUserAttribute, "UpdateUserAttribute"),
      (.verifyUserAttribute, "VerifyUserAttribute"), (.authentication, "Authentication"),
    ] {
      #expect(
        try await source { _ = try await $0.customMessage(user, kind) } == "CustomMessage_\(name)")
    }
  }

  @Test func aCustomChallengeGetsItsHistory() async throws {
    let session = [
      ChallengeRecord(name: "SRP_A", result: true),
      ChallengeRecord(name: "CUSTOM_CHALLENGE", result: false, metadata: "sum"),
    ]
    let expected = try JSONValue(
      parsing: """
        [{"challengeName": "SRP_A", "challengeResult": true, "challengeMetadata": null},
        {"challengeName": "CUSTOM_CHALLENGE", "challengeResult": false, "challengeMetadata": "sum"}]
        """)
    let defined = try await called {
      _ = try await $0.defineAuthChallenge(.test(), session: session, userNotFound: true)
    }
    #expect(defined["request"]?.object?["session"] == expected)
    #expect(defined["request"]?.object?["userNotFound"] == true)
    let created = try await called { _ = try await $0.createAuthChallenge(.test(), session: session) }
    #expect(created["request"]?.object?["session"] == expected)
    #expect(created["request"]?.object?["challengeName"] == "CUSTOM_CHALLENGE")
    let verified = try await called {
      _ = try await $0.verifyAuthChallenge(.test(), privateParameters: ["answer": "4"], answer: "5")
    }
    #expect(verified["request"]?.object?["privateChallengeParameters"] == ["answer": "4"])
    #expect(verified["request"]?.object?["challengeAnswer"] == "5")
  }

  @Test func tokensOfVersion2HaveScopes() async throws {
    let groups = TokenGroups(groups: ["a", "b"], roles: ["arn:r"], preferredRole: "arn:r")
    let configuration: JSONValue = [
      "groupsToOverride": ["a", "b"], "iamRolesToOverride": ["arn:r"], "preferredRole": "arn:r",
    ]
    let first = try await called {
      _ = try await $0.preTokenGeneration(.test(), .signIn, groups: groups, scopes: ["x"])
    }
    #expect(first["version"] == "1")
    #expect(first["request"]?.object?["groupConfiguration"] == configuration)
    #expect(first["request"]?.object?["scopes"] == nil)
    #expect(first["response"] == ["claimsOverrideDetails": nil])
    let second = try await called {
      _ = try await $0.preTokenGeneration(.test(version: "V2_0"), .signIn, groups: groups, scopes: ["x"])
    }
    #expect(second["version"] == "2")
    #expect(second["request"]?.object?["scopes"] == ["x"])
    #expect(second["response"] == ["claimsAndScopeOverrideDetails": nil])
  }

  @Test(arguments: ["plain", #"quote" and \ and "# + "\u{1}\u{2028}\u{7F}", "ünïcode 🔑", ""])
  func aMigrationHasThePassword(password: String) async throws {
    let event = try await called {
      _ = try await $0.migrate(.test(), password: SecretBytes(password.utf8.span), validationData: ["k": "v"])
    }
    #expect(event["triggerSource"] == "UserMigration_Authentication")
    #expect(event["request"]?.object?["password"]?.string == password)
    #expect(event["request"]?.object?["validationData"] == ["k": "v"])
    #expect(event["response"]?.object?.names.contains("finalUserStatus") == true)
  }
}
