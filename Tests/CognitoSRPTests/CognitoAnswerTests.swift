internal import TokenSecurityCrypto
internal import TokenSecurityEncodings
internal import Testing
internal import TokenSecurityVectorFiles

internal import SecureRemotePassword
@testable internal import CognitoSRP

/// Responses under other names than the challenge's, challenges of other flows, and device keys.
@Suite struct CognitoAnswerTests {
  /// An open challenge and the client's response to it.
  static func answer(
    _ server: CognitoSignInServer, _ app: CognitoAppClient, sentName: String, password: String = "Tr0ub4dor&3"
  ) async throws -> CognitoChallengeResponse {
    var answer = try await Material.answer(server, app: app, password: password)
    answer.responses["USERNAME"] = sentName
    answer.responses["SECRET_HASH"] = try app.secretHash(username: sentName)
    return answer
  }

  /// An alias in the response, with SECRET_HASH over the alias, is accepted for the user whom it names.
  @Test(arguments: [nil, "a client's secret"], ["alice@example.org", "0d1c6e2a", "a name"])
  func anAliasInTheResponse(_ secret: String?, _ sent: String) async throws {
    let app = try Material.app(secret: secret)
    let server = try Material.server()
    let answer = try await Self.answer(server, app, sentName: sent)
    let user = try await server.verify(answer, client: app, username: "0d1c6e2a", at: Material.now)
    #expect(user.username == "0d1c6e2a")
    #expect(user.deviceKey == nil)
  }

  /// The user to whom the name leads must be the challenge's.
  @Test func anotherUsersName() async throws {
    let app = try Material.app()
    let server = try Material.server()
    let answer = try await Self.answer(server, app, sentName: "0d1c6e2a")
    #expect(
      await Material.code {
        _ = try await server.verify(
          answer, client: app, username: "mallory", userIDForSRP: "0d1c6e2a", at: Material.now)
      } == .secretBlockForeign)
    let second = try await Self.answer(server, app, sentName: "alice@example.org")
    #expect(
      await Material.code { _ = try await server.verify(second, client: app, at: Material.now) }
        == .secretBlockForeign)
    let third = try await Self.answer(server, app, sentName: "0d1c6e2a")
    #expect(
      await Material.code { _ = try await server.verify(third, client: app, username: "", at: Material.now) }
        == .empty)
  }

  /// SECRET_HASH over another name than the one that was sent.
  @Test func theHashIsOverTheNameThatWasSent() async throws {
    let app = try Material.app(secret: "secret")
    let server = try Material.server()
    var answer = try await Self.answer(server, app, sentName: "alice@example.org")
    answer.responses["SECRET_HASH"] = try app.secretHash(username: "0d1c6e2a")
    let sent = answer
    #expect(
      await Material.code {
        _ = try await server.verify(sent, client: app, username: "0d1c6e2a", at: Material.now)
      } == .secretHashMismatch)
  }

  /// USER_ID_FOR_SRP may differ from the user's name.
  @Test func anIDThatIsNotTheName() async throws {
    let app = try Material.app()
    let server = try Material.server()
    let client = try CognitoPasswordSignIn(userPoolID: server.userPoolID, client: app, username: "alice")
    let identity = try CognitoSRPIdentity.user(userPoolID: server.userPoolID, userIDForSRP: "id")
    let record = CognitoUserRecord(
      username: "alice", userIDForSRP: "id",
      verifier: try CognitoVerifier(identity: identity, password: Material.secret("password")))
    let challenge = try await server.challenge(
      client.request, client: app, user: record, key: CognitoServerKey(), at: Material.now)
    var answer = try client.respond(to: challenge, password: Material.secret("password"), at: Material.now)
    answer.responses["USERNAME"] = "id"
    let user = try await server.verify(
      answer, client: app, username: "alice", userIDForSRP: "id", at: Material.now)
    #expect(user.username == "alice")
  }

  @Test(arguments: ["CUSTOM_AUTH", "USER_AUTH", "SELECT_CHALLENGE", ""])
  func challengesOfOtherFlows(_ flow: String) async throws {
    let app = try Material.app()
    let server = try Material.server()
    let client = try CognitoPasswordSignIn(userPoolID: server.userPoolID, client: app, username: "alice")
    var request = client.request
    request.flow = flow
    let challenge = try await server.challenge(
      request, client: app, user: Material.user(), key: CognitoServerKey(), at: Material.now)
    let answer = try client.respond(
      to: challenge, password: Material.secret("Tr0ub4dor&3"), at: Material.now)
    #expect(try await server.verify(answer, client: app, at: Material.now).username == "0d1c6e2a")
  }

  /// The device is known before the block is redeemed, and a refusal for it leaves the block valid.
  @Test func theDeviceOfAResponse() async throws {
    let app = try Material.app()
    let memory = CognitoReplayCache()
    let server = try Material.server(Material.sealed(replayGuard: memory))
    var answer = try await Material.answer(server)
    #expect(try answer.deviceKey == nil)
    answer.responses["DEVICE_KEY"] = "eu-west-1_0d1c6e2a-5b7f"
    #expect(try answer.deviceKey == "eu-west-1_0d1c6e2a-5b7f")
    #expect(memory.count == 0)
    answer.responses["DEVICE_KEY"] = "eu-west-1_XYZ"
    let malformed = answer
    #expect(Material.code { _ = try malformed.deviceKey } == .deviceKeyMalformed)
    answer.responses["DEVICE_KEY"] = nil
    _ = try await server.verify(answer, client: app, at: Material.now)
    #expect(memory.count == 1)
    let request = try CognitoPasswordSignIn(
      userPoolID: server.userPoolID, client: app, username: "alice", deviceKey: "g_0d1c"
    ).request
    #expect(try request.deviceKey == "g_0d1c")
  }

  /// Salts have no leading zero digit, of existing users and of others.
  @Test func salts() throws {
    #expect(CognitoNumber.salt([0x0F, 0]) == [0x1F, 0])
    #expect(CognitoNumber.salt([0x00, 0]) == [0x10, 0])
    #expect(CognitoNumber.salt([0x10, 0]) == [0x10, 0])
    #expect(CognitoNumber.salt([0xFF]) == [0xFF])
    #expect(CognitoNumber.salt([]) == [])
    let identity = try CognitoSRPIdentity.user(userPoolID: Material.poolID, userIDForSRP: "alice")
    let simulated = try Material.simulatedUsers()
    for number in 0..<100 {
      let verifier = try CognitoVerifier(identity: identity, password: Material.secret("secret"))
      let record = try simulated.record(pool: "AbCdEfGhI", username: "\(number)")
      for salt in [verifier.salt, record.verifier.salt] {
        #expect(CognitoNumber.hexadecimal(salt).utf8.count == 32)
      }
    }
  }
}
