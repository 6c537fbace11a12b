internal import SecureRemotePassword
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// Sign-ins as an app makes them: real SRP, real requests.
extension TestPool {
  /// InitiateAuth. `SECRET_HASH` is added where the client has a secret.
  func initiate(_ flow: String, _ parameters: [String: String]) async throws -> SignInAnswer {
    let members: JSONObject = [
      "ClientId": .string(client.id), "AuthFlow": .string(flow),
      "AuthParameters": try withSecretHash(parameters, of: parameters["USERNAME"]),
    ]
    return SignInAnswer(members: try await call("InitiateAuth", members))
  }

  /// RespondToAuthChallenge. `USERNAME` is the challenge's `USER_ID_FOR_SRP` or `USERNAME` unless it is given;
  /// `SECRET_HASH` is added where the client has a secret.
  func respond(_ answer: SignInAnswer, _ responses: [String: String]) async throws -> SignInAnswer {
    var responses = responses
    let name = responses["USERNAME"] ?? answer.parameter("USER_ID_FOR_SRP") ?? answer.parameter("USERNAME")
    responses["USERNAME"] = name
    var members: JSONObject = [
      "ClientId": .string(client.id), "ChallengeName": .string(answer.name ?? ""),
      "ChallengeResponses": try withSecretHash(responses, of: name),
    ]
    members["Session"] = answer.session.map(JSONValue.string)
    return SignInAnswer(members: try await call("RespondToAuthChallenge", members))
  }

  private func withSecretHash(_ texts: [String: String], of name: String?) throws -> JSONValue {
    var object = JSONObject()
    for (name, text) in texts { object[name] = .string(text) }
    if let name, object["SECRET_HASH"] == nil {
      object["SECRET_HASH"] = try client.secretHash(username: name).map(JSONValue.string)
    }
    return .object(object)
  }

  /// USER_SRP_AUTH up to the challenge.
  func beginSRP(_ name: String) async throws -> SignInAnswer {
    let signIn = try CognitoPasswordSignIn(userPoolID: id, client: client, username: name)
    return SignInAnswer(
      members: try await call("InitiateAuth", JSONValue(parsing: signIn.request.json).object ?? [:]))
  }

  /// USER_SRP_AUTH up to the answer to PASSWORD_VERIFIER.
  func signInBySRP(
    _ name: String, _ password: String, deviceKey: String? = nil
  ) async throws -> SignInAnswer {
    let signIn = try CognitoPasswordSignIn(
      userPoolID: id, client: client, username: name, deviceKey: deviceKey)
    let challenge = SignInAnswer(
      members: try await call("InitiateAuth", JSONValue(parsing: signIn.request.json).object ?? [:]))
    let response = try signIn.respond(
      to: challenge.challenge, password: SecretBytes(password.utf8.span), at: clock.time)
    return try await send(response)
  }

  /// USER_PASSWORD_AUTH.
  func signInByPassword(
    _ name: String, _ password: String, deviceKey: String? = nil
  ) async throws -> SignInAnswer {
    var parameters = ["USERNAME": name, "PASSWORD": password]
    parameters["DEVICE_KEY"] = deviceKey
    return try await initiate("USER_PASSWORD_AUTH", parameters)
  }

  /// A sign-in by SRP that needs nothing more than the password.
  func signIn(_ name: String = TestPool.user, _ password: String = TestPool.password) async throws
    -> SignInTokens
  {
    try await signInBySRP(name, password).tokens
  }

  /// DEVICE_SRP_AUTH and DEVICE_PASSWORD_VERIFIER.
  func answer(_ answer: SignInAnswer, with device: TestDevice) async throws -> SignInAnswer {
    let name = answer.parameter("USER_ID_FOR_SRP") ?? answer.parameter("USERNAME") ?? TestPool.user
    let signIn = try CognitoDeviceSignIn(device: device.device, client: client, username: name)
    let verifier = try await send(signIn.begin(answer.challenge))
    return try await send(signIn.respond(to: verifier.challenge, at: clock.time))
  }

  /// Sends a response of the SRP client.
  func send(_ response: CognitoChallengeResponse) async throws -> SignInAnswer {
    SignInAnswer(
      members: try await call(
        "RespondToAuthChallenge", JSONValue(parsing: response.json).object ?? [:]))
  }

  /// ConfirmDevice with a new password for the device that a sign-in offered.
  func confirmDevice(_ tokens: SignInTokens, name: String? = nil) async throws -> TestDevice {
    let device = try TestDevice(tokens)
    try await confirm(device, tokens, name: name)
    return device
  }
}
