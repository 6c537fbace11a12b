internal import TokenSecurityCrypto
internal import TokenSecurityEncodings
internal import Testing
internal import TokenSecurityVectorFiles

internal import SecureRemotePassword
@testable internal import CognitoSRP

/// Client and server of Cognito's sign-in against each other.
@Suite struct CognitoSignInTests {
  @Test(arguments: [nil, "a client's secret"]) func aUserSignsIn(_ secret: String?) async throws {
    let app = try Material.app(secret: secret)
    for blocks in [try Material.sealed(), StoredSecretBlocks()] as [any CognitoSecretBlocks] {
      let server = try Material.server(blocks)
      let response = try await Material.answer(server, app: app)
      #expect(response.name == "PASSWORD_VERIFIER")
      #expect(response.responses["USERNAME"] == "0d1c6e2a")
      #expect((response.responses["SECRET_HASH"] == nil) == (secret == nil))
      let user = try await server.verify(response, client: app, at: Material.now)
      #expect(user == CognitoVerifiedUser(username: "0d1c6e2a", deviceKey: nil, timestamp: Material.now))
    }
  }

  @Test func requestsAsCognitoHasThem() throws {
    let app = try Material.app(secret: "secret")
    let client = try CognitoPasswordSignIn(
      userPoolID: Material.poolID, client: app, username: "alice", deviceKey: "eu-west-1_0d1c6e2a-5b7f")
    let request = client.request
    #expect(request.flow == "USER_SRP_AUTH")
    #expect(Set(request.parameters.names) == ["USERNAME", "SRP_A", "SECRET_HASH", "DEVICE_KEY"])
    #expect(try CognitoAuthRequest(json: request.json) == request)
    let digits = try #require(request.parameters["SRP_A"])
    #expect(
      !digits.hasPrefix("0")
        && digits.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
    let challenge = CognitoChallenge(name: "A", parameters: ["B": "\u{E9}\""], session: "s")
    #expect(try CognitoChallenge(json: challenge.json) == challenge)
    let response = CognitoChallengeResponse(name: "A", clientID: "c", responses: ["B": "C"], session: nil)
    #expect(try CognitoChallengeResponse(json: response.json) == response)
  }

  @Test func messagesThatAreRefused() {
    func code(_ text: String) -> SRPError.Code? {
      Material.code { _ = try CognitoChallenge(json: Array(text.utf8)) }
    }
    for text in [
      "", "[]", "{", "1", #"{"ChallengeName":1}"#, #"{"ChallengeName":"A","ChallengeParameters":[]}"#,
      #"{"ChallengeName":"A","ChallengeParameters":{"B":1}}"#,
      #"{"ChallengeName":"A","ChallengeParameters":{},"Session":{}}"#,
      #"{"ChallengeName":"A","ChallengeParameters":{"B":"1","B":"2"}}"#,
    ] {
      #expect(code(text) == .messageMalformed, "\(text)")
    }
    #expect(code("{}") == .parameterMissing)
    #expect(code(#"{"ChallengeName":"A"}"#) == .parameterMissing)
    #expect(code(#"{"ChallengeName":"A","ChallengeParameters":{},"Session":null}"#) == nil)
  }

  /// An error response is reported as such, and not as a challenge without a name.
  @Test(arguments: [
    #"{"__type":"NotAuthorizedException","message":"Incorrect username or password."}"#,
    #"{"__type":"com.amazonaws#NotAuthorizedException","Message":"Incorrect username or password."}"#,
  ]) func errorResponses(_ text: String) {
    let expected = SRPError.messageMalformed(
      #"it is the error "NotAuthorizedException": Incorrect username or password."#)
    #expect(throws: expected) { try CognitoChallenge(json: Array(text.utf8)) }
    let withoutMessage = SRPError.messageMalformed(#"it is the error "X": "#)
    #expect(throws: withoutMessage) { try CognitoChallenge(json: Array(#"{"__type":"X"}"#.utf8)) }
  }

  @Test func aDeviceIsConfirmedAndSignsIn() async throws {
    let app = try Material.app(secret: "secret")
    let server = try Material.server()
    let deviceKey = "eu-west-1_0d1c6e2a-5b7f-4c39-9a84-2f6be1d07c53"
    let confirmation = try CognitoDeviceConfirmation(groupKey: "-AbCdEfGh", deviceKey: deviceKey)
    #expect(confirmation.device.password.count == 56)
    #expect([16, 17].contains(try Base64.decode(confirmation.salt).count))
    let verifier = try CognitoVerifier(
      deviceSalt: confirmation.salt, passwordVerifier: confirmation.passwordVerifier)
    let signIn = try CognitoDeviceSignIn(device: confirmation.device, client: app, username: "0d1c6e2a")
    let begun = try signIn.begin(CognitoChallenge(name: "DEVICE_SRP_AUTH", parameters: [:], session: "one"))
    #expect(begun.session == "one")
    let challenge = try await server.deviceChallenge(
      begun, client: app, username: "0d1c6e2a", groupKey: "-AbCdEfGh", verifier: verifier,
      key: CognitoServerKey(), at: Material.now)
    let response = try signIn.respond(to: challenge, at: Material.now)
    #expect(response.responses["DEVICE_KEY"] == deviceKey)
    let proven = try await server.verifyDevice(
      response, client: app, username: "0d1c6e2a", groupKey: "-AbCdEfGh", at: Material.now)
    #expect(
      proven == CognitoVerifiedUser(username: "0d1c6e2a", deviceKey: deviceKey, timestamp: Material.now))
    // A device's response does not prove a user's password, nor the reverse.
    var other = response
    other.name = "PASSWORD_VERIFIER"
    #expect(
      await Material.code { _ = try await server.verify(other, client: app, at: Material.now) }
        == .secretBlockReplayed)
  }

  /// Requests of an app client with a secret need SECRET_HASH; others must not have it.
  @Test func everyRequestCarriesItsSecretHash() async throws {
    let app = try Material.app(secret: "secret")
    let other = try Material.app(secret: "another")
    let server = try Material.server()
    let deviceKey = "g_0d1c"
    let confirmation = try CognitoDeviceConfirmation(groupKey: "-AbCdEfGh", deviceKey: deviceKey)
    let begin = CognitoChallenge(name: "DEVICE_SRP_AUTH", parameters: [:])
    func codes(_ sent: CognitoAppClient, _ known: CognitoAppClient) async throws -> [SRPError.Code?] {
      let request = try CognitoPasswordSignIn(userPoolID: Material.poolID, client: sent, username: "alice")
        .request
      let device = try CognitoDeviceSignIn(device: confirmation.device, client: sent, username: "alice")
      let begun = try device.begin(begin)
      let answer = try await Material.answer(server, app: sent)
      return [
        await Material.code {
          _ = try await server.challenge(
            request, client: known, user: Material.user(), key: CognitoServerKey(), at: Material.now)
        },
        await Material.code {
          let verifier = try CognitoVerifier(
            deviceSalt: confirmation.salt, passwordVerifier: confirmation.passwordVerifier)
          _ = try await server.deviceChallenge(
            begun, client: known, username: "alice", groupKey: "-AbCdEfGh", verifier: verifier,
            key: CognitoServerKey(), at: Material.now)
        }, await Material.code { _ = try await server.verify(answer, client: known, at: Material.now) },
      ]
    }
    let open = try Material.app()
    #expect(try await codes(app, app) == [nil, nil, nil])
    #expect(try await codes(app, other).allSatisfy { $0 == .secretHashMismatch })
    #expect(try await codes(open, app).allSatisfy { $0 == .secretHashMissing })
    #expect(try await codes(app, open).allSatisfy { $0 == .secretHashUnexpected })
  }

  @Test func aDevicesAnswerIsNotAUsers() async throws {
    let app = try Material.app()
    let server = try Material.server()
    let key = "g_0d1c"
    let confirmation = try CognitoDeviceConfirmation(groupKey: "AbCdEfGhI", deviceKey: key)
    let verifier = try CognitoVerifier(
      deviceSalt: confirmation.salt, passwordVerifier: confirmation.passwordVerifier)
    let signIn = try CognitoDeviceSignIn(device: confirmation.device, client: app, username: key)
    let begun = try signIn.begin(CognitoChallenge(name: "DEVICE_SRP_AUTH", parameters: [:]))
    let challenge = try await server.deviceChallenge(
      begun, client: app, username: key, groupKey: "AbCdEfGhI", verifier: verifier, key: CognitoServerKey(),
      at: Material.now)
    var response = try signIn.respond(to: challenge, at: Material.now)
    response.name = "PASSWORD_VERIFIER"
    let answer = response
    #expect(
      await Material.code { _ = try await server.verify(answer, client: app, at: Material.now) }
        == .secretBlockForeign)
  }

  /// "Device does not exist" makes the client delete the device and sign in again, once.
  @Test func aForgottenDevice() {
    var fallback = CognitoDeviceFallback()
    let errors = [
      ("NotAuthorizedException", "Device does not exist."),
      ("ResourceNotFoundException", "User pool does not exist."),
      ("com.amazonaws.cognito#ResourceNotFoundException", "Device does not exist."),
      ("ResourceNotFoundException", "Device does not exist."),
    ]
    let answers = errors.map { fallback.shouldDropDevice(exception: $0.0, message: $0.1) }
    #expect(answers == [false, false, true, false])
  }

  @Test func theSameFalseUserForTheSameName() async throws {
    let app = try Material.app()
    let server = try Material.server()
    func challenge(_ name: String, _ server: CognitoSignInServer) async throws -> CognitoChallenge {
      let client = try CognitoPasswordSignIn(userPoolID: server.userPoolID, client: app, username: name)
      return try await server.challenge(
        client.request, client: app, user: nil, key: CognitoServerKey(), at: Material.now)
    }
    let first = try await challenge("nobody", server)
    let again = try await challenge("nobody", Material.server())
    let other = try await challenge("nobody", Material.server(pool: "eu-west-1_Other"))
    let another = try await challenge("somebody", server)
    for name in ["SALT", "USER_ID_FOR_SRP", "USERNAME"] {
      #expect(first.parameters[name] == again.parameters[name])
      #expect(first.parameters[name] != other.parameters[name])
      #expect(first.parameters[name] != another.parameters[name])
    }
    #expect(first.parameters["SRP_B"] != again.parameters["SRP_B"])
    let id = Array((first.parameters["USERNAME"] ?? "").utf8)
    #expect(id.count == 36 && id[14] == UInt8(ascii: "4") && "89ab".utf8.contains(id[19]))
    for number in 0..<32 {
      let id = Array(
        try Material.simulatedUsers().record(pool: "AbCdEfGhI", username: "\(number)").username.utf8)
      #expect(id.count == 36 && id[14] == UInt8(ascii: "4") && "89ab".utf8.contains(id[19]))
    }
    // The same members, with the lengths that existing users have.
    let known = try CognitoPasswordSignIn(userPoolID: server.userPoolID, client: app, username: "alice")
    let real = try await server.challenge(
      known.request, client: app, user: Material.user(), key: CognitoServerKey(), at: Material.now)
    #expect(Set(real.parameters.names) == Set(first.parameters.names))
    #expect(real.parameters["SECRET_BLOCK"]?.utf8.count == first.parameters["SECRET_BLOCK"]?.utf8.count)
    let answer = try await Material.answer(server, exists: false)
    #expect(
      await Material.code { _ = try await server.verify(answer, client: app, at: Material.now) }
        == .passwordMismatch)
  }

  @Test func poolsOfNamesShowTheNameItself() async throws {
    let app = try Material.app()
    let server = try CognitoSignInServer(
      userPoolID: Material.poolID, simulatedUsers: Material.simulatedUsers(.givenName),
      secretBlocks: Material.sealed())
    let client = try CognitoPasswordSignIn(userPoolID: server.userPoolID, client: app, username: "nobody")
    let challenge = try await server.challenge(
      client.request, client: app, user: nil, key: CognitoServerKey(), at: Material.now)
    #expect(challenge.parameters["USERNAME"] == "nobody")
    #expect(challenge.parameters["USER_ID_FOR_SRP"] == "nobody")
  }

  @Test func lockouts() throws {
    var lockout = CognitoLockout()
    var waits: [Duration] = []
    for failure in 1...20 {
      lockout.fail(at: Material.now)
      var wait: Duration = 0
      do { try lockout.check(at: Material.now) } catch {
        guard case .lockedOut(let remaining) = error else { throw error }
        wait = remaining
        #expect(Material.code { try lockout.check(at: Material.now + remaining - 1) } == .lockedOut)
      }
      try lockout.check(at: Material.now + wait)
      waits.append(wait)
      #expect(lockout.failures == failure)
    }
    #expect(
      waits == [0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512] + [Duration](repeating: 900, count: 6))
    // A clock that was set back ends the lock.
    try lockout.check(at: .earliest)
    lockout.succeed()
    #expect(lockout == CognitoLockout())
    try CognitoLockout(failures: -1, lastFailure: .latest).check(at: 0)
    try CognitoLockout(failures: .max, lastFailure: .latest).check(at: .earliest)
    var most = CognitoLockout(failures: .max, lastFailure: 0)
    most.fail(at: 0)
    #expect(most.failures == .max)
  }
}
