internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityCrypto
internal import TokenSecurityVectorFiles

@testable internal import SecureRemotePassword

/// Client and server of Cognito's sign-in against each other.
@Suite struct CognitoSignInTests {
  @Test(arguments: [nil, "a client's secret"]) func aUserSignsIn(_ secret: String?) throws {
    let app = try CognitoMaterial.app(secret: secret)
    let client = try CognitoMaterial.begin(app: app)
    let request = client.request
    let challenge = try OpenChallenge(to: request.parameters, of: CognitoMaterial.user())
    let response = try client.respond(
      to: challenge.message, password: CognitoMaterial.secret(CognitoMaterial.password),
      at: CognitoMaterial.now)
    #expect(response.name == "PASSWORD_VERIFIER")
    #expect(response.responses["USERNAME"] == "0d1c6e2a")
    for (parameters, name) in [
      (request.parameters, "alice@example.org"), (response.responses, "0d1c6e2a"),
    ] {
      #expect((parameters["SECRET_HASH"] == nil) == (secret == nil))
      try app.check(secretHash: parameters["SECRET_HASH"], username: name)
    }
    try challenge.verify(response)
  }

  /// The key is for one challenge; the same A gets another B and another key each time.
  @Test func challengesDiffer() throws {
    let client = try CognitoMaterial.begin()
    let first = try OpenChallenge(to: client.request.parameters, of: CognitoMaterial.user())
    let second = try OpenChallenge(to: client.request.parameters, of: CognitoMaterial.user())
    #expect(first.message.parameters["SRP_B"] != second.message.parameters["SRP_B"])
    #expect(first.pending != second.pending)
  }

  @Test func requestsAsCognitoHasThem() throws {
    let app = try CognitoMaterial.app(secret: "secret")
    let client = try CognitoPasswordSignIn(
      userPoolID: CognitoMaterial.poolID, client: app, username: "alice", deviceKey: "eu-west-1_0d1c6e2a-5b7f"
    )
    let request = client.request
    #expect(request.flow == "USER_SRP_AUTH")
    #expect(Set(request.parameters.names) == ["USERNAME", "SRP_A", "SECRET_HASH", "DEVICE_KEY"])
    let body = try #require(JSONValue(parsing: request.json).object)
    #expect(body["AuthFlow"] == "USER_SRP_AUTH" && body["ClientId"]?.string == app.id)
    let members = try #require(body["AuthParameters"]?.object?.members)
    #expect(
      CognitoParameters(members.map { (key: $0.name, value: $0.value.string ?? "") }) == request.parameters)
    let digits = try #require(request.parameters["SRP_A"])
    #expect(
      !digits.hasPrefix("0")
        && digits.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
    let challenge = CognitoChallenge(name: "A", parameters: ["B": "\u{E9}\""], session: "s")
    let json = #"{"ChallengeName":"A","ChallengeParameters":{"B":"\u00E9\""},"Session":"s"}"#
    #expect(try CognitoChallenge(json: Array(json.utf8)) == challenge)
    for (session, end) in [(nil, ""), ("s", #","Session":"s""#)] as [(String?, String)] {
      let response = CognitoChallengeResponse(
        name: "A", clientID: "c", responses: ["B": "C"], session: session)
      #expect(
        String(decoding: response.json, as: UTF8.self)
          == #"{"ChallengeName":"A","ClientId":"c","ChallengeResponses":{"B":"C"}\#(end)}"#)
    }
  }

  @Test func messagesThatAreRefused() {
    func code(_ text: String) -> SRPError.Code? {
      CognitoMaterial.code { _ = try CognitoChallenge(json: Array(text.utf8)) }
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

  @Test func aDeviceIsConfirmedAndSignsIn() throws {
    let app = try CognitoMaterial.app(secret: "secret")
    let deviceKey = "eu-west-1_0d1c6e2a-5b7f-4c39-9a84-2f6be1d07c53"
    let confirmation = try CognitoDeviceConfirmation(groupKey: "-AbCdEfGh", deviceKey: deviceKey)
    #expect(confirmation.device.password.count == 56)
    #expect([16, 17].contains(try Base64.decode(confirmation.salt).count))
    let record = CognitoSRPRecord(
      identity: try .device(groupKey: "-AbCdEfGh", deviceKey: deviceKey),
      verifier: try CognitoVerifier(
        deviceSalt: confirmation.salt, passwordVerifier: confirmation.passwordVerifier))
    let signIn = try CognitoDeviceSignIn(device: confirmation.device, client: app, username: "0d1c6e2a")
    let begun = try signIn.begin(CognitoChallenge(name: "DEVICE_SRP_AUTH", parameters: [:], session: "one"))
    #expect(begun.session == "one" && begun.responses["DEVICE_KEY"] == deviceKey)
    let context = ["DEVICE_PASSWORD_VERIFIER"] + CognitoMaterial.context.dropFirst()
    let challenge = try OpenChallenge(to: begun.responses, of: record, context: context)
    let response = try signIn.respond(to: challenge.message, at: CognitoMaterial.now)
    #expect(response.responses["DEVICE_KEY"] == deviceKey)
    for parameters in [begun.responses, response.responses] {
      try app.check(
        secretHash: parameters["SECRET_HASH"], username: #require(parameters["USERNAME"]))
    }
    try challenge.verify(response)
    #expect(challenge.code(response, identity: try CognitoMaterial.user().identity) == .secretBlockForeign)
  }

  /// A device's response does not prove a user's password where both sign the same bytes.
  @Test func aDevicesAnswerIsNotAUsers() throws {
    let key = "g_0d1c"
    let confirmation = try CognitoDeviceConfirmation(groupKey: "AbCdEfGhI", deviceKey: key)
    let user = try CognitoSRPIdentity.user(userPoolID: CognitoMaterial.poolID, userIDForSRP: key)
    let record = CognitoSRPRecord(
      identity: try .device(groupKey: "AbCdEfGhI", deviceKey: key),
      verifier: try CognitoVerifier(
        deviceSalt: confirmation.salt, passwordVerifier: confirmation.passwordVerifier))
    #expect(record.identity == user)
    let signIn = try CognitoDeviceSignIn(
      device: confirmation.device, client: CognitoMaterial.app(), username: key)
    let begun = try signIn.begin(CognitoChallenge(name: "DEVICE_SRP_AUTH", parameters: [:]))
    let challenge = try OpenChallenge(
      to: begun.responses, of: record,
      context: ["DEVICE_PASSWORD_VERIFIER"] + CognitoMaterial.context.dropFirst())
    let response = try signIn.respond(to: challenge.message, at: CognitoMaterial.now)
    #expect(challenge.code(response, identity: user, context: CognitoMaterial.context) == .secretBlockForeign)
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

  @Test func lockouts() throws {
    var lockout = CognitoLockout()
    var waits: [Duration] = []
    for failure in 1...20 {
      lockout.fail(at: CognitoMaterial.now)
      var wait: Duration = 0
      do { try lockout.check(at: CognitoMaterial.now) } catch {
        guard case .lockedOut(let remaining) = error else { throw error }
        wait = remaining
        #expect(
          CognitoMaterial.code { try lockout.check(at: CognitoMaterial.now + remaining - 1) } == .lockedOut)
      }
      try lockout.check(at: CognitoMaterial.now + wait)
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
