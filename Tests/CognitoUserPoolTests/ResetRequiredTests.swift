internal import CognitoUserPool
internal import SecureRemotePassword
internal import Testing
internal import TokenSecurityBase

/// Users whom an administrator makes reset the password.
@Suite struct ResetRequiredTests {
  @Test func tokensOfEarlierSignIns() async throws {
    let pool = try await TestPool(["AutoVerifiedAttributes": ["email"]])
    try await pool.addUser(attributes: ["email": "jane@example.com", "email_verified": "true"])
    let tokens = try await pool.signIn()
    let refresh = try #require(tokens.refresh)
    let token = JSONValue.string(tokens.access)
    let calls: [@Sendable () async throws -> Void] = [
      { try await pool.call("GetUser", ["AccessToken": token]) },
      { try await pool.call("GetUserAuthFactors", ["AccessToken": token]) },
      {
        try await pool.call(
          "ChangePassword",
          [
            "AccessToken": token, "PreviousPassword": .string(TestPool.password),
            "ProposedPassword": "An0ther-horse-8",
          ])
      },
      { _ = try await pool.initiate("REFRESH_TOKEN_AUTH", ["REFRESH_TOKEN": refresh]) },
      {
        try await pool.call(
          "GetTokensFromRefreshToken",
          ["RefreshToken": .string(refresh), "ClientId": .string(pool.client.id)])
      },
      { _ = try await pool.signInBySRP(TestPool.user, TestPool.password) },
      { _ = try await pool.signInByPassword(TestPool.user, TestPool.password) },
    ]
    _ = try await pool.messages()
    try await pool.admin("AdminResetUserPassword", ["Username": .string(TestPool.user)])
    for call in calls {
      #expect(
        await refusal(call) == "PasswordResetRequiredException: Password reset required for the user")
    }
    let code = try await pool.code()
    try await pool.call(
      "ConfirmForgotPassword",
      [
        "ClientId": .string(pool.client.id), "Username": .string(TestPool.user),
        "ConfirmationCode": .string(code), "Password": "An0ther-horse-9",
      ])
    // They were not ended.
    try await calls[0]()
    try await calls[3]()
    _ = try await pool.signIn(TestPool.user, "An0ther-horse-9")
  }
}
