internal import ServiceOperations
internal import TokenSecurityBase

/// One sign-in: what its steps have in common, and the requests that they send.
struct SignInMachine: Sendable {
  let calls: UserPoolCalls
  /// The name as the user typed it.
  let username: String
  let options: SignInOptions
  let keeper: (any DeviceKeeping)?
  /// The device that the pool is to recognise.
  private(set) var device: StoredDevice?
  /// The user's name in answers. A challenge gives it instead of an alias that was typed.
  private(set) var name: String
  /// The session of the last challenge.
  private(set) var session: String?
  /// True from the device's proof on: a service that asked for it again and again would get an endless loop.
  var hasProvedDevice = false
  private var challenges = 0
  private var fallback = CognitoDeviceFallback()
  /// The name under which the device is kept: the one that was typed, or the user's own.
  private var owner: String
  /// The key of the last device that the pool did not accept.
  private var refusedKey: String?

  /// Maximum number of challenges in a sign-in: a delegate can answer by itself, and a service could ask without end.
  private static let mostChallenges = 100

  init(
    calls: UserPoolCalls, username: String, options: SignInOptions, keeper: (any DeviceKeeping)?
  ) async throws(UserPoolClientError) {
    guard !username.isEmpty else { throw .inputInvalid(rule: "the user's name is empty") }
    self.calls = calls
    self.username = username
    self.options = options
    self.keeper = keeper
    name = username
    owner = username
    await lookUpDevice(of: username)
  }

  /// Begins, or begins anew.
  mutating func initiate(
    _ flow: AuthFlowType, _ parameters: [ExactString: SecretText], session: String? = nil
  ) async throws(UserPoolClientError) -> AuthOutput {
    name = username
    self.session = nil
    hasProvedDevice = false
    challenges = 0
    let metadata = options.validationData.asMember
    while true {
      let sent = try completed(parameters)
      do throws(UserPoolClientError) {
        return try await calls.callAsClient(InitiateAuth.self) {
          $0.authFlow = flow
          $0.authParameters = sent
          $0.clientMetadata = metadata
          $0.session = session
        }
      } catch { guard await dropsDevice(after: error) else { throw error } }
    }
  }

  /// Answers the last challenge.
  mutating func respond(
    _ challenge: ChallengeNameType, _ responses: [ExactString: SecretText]
  ) async throws(UserPoolClientError) -> AuthOutput {
    while true {
      do throws(UserPoolClientError) { return try await send(challenge, responses) } catch {
        // The service looks for the device before it uses anything up: the same answer serves without it.
        guard await dropsDevice(after: error) else { throw error }
      }
    }
  }

  /// Answers the last challenge, once.
  func send(
    _ challenge: ChallengeNameType, _ responses: [ExactString: SecretText]
  ) async throws(UserPoolClientError) -> AuthOutput {
    let sent = try completed(responses)
    let (session, metadata) = (session, options.clientMetadata.asMember)
    return try await calls.callAsClient(RespondToAuthChallenge.self) {
      $0.challengeName = challenge
      $0.session = session
      $0.challengeResponses = sent
      $0.clientMetadata = metadata
    }
  }

  /// Parameters with the members that every request has.
  private func completed(
    _ parameters: [ExactString: SecretText]
  ) throws(UserPoolClientError) -> [ExactString: SecretText] {
    var parameters = parameters
    parameters["USERNAME"] = SecretText(name)
    parameters["SECRET_HASH"] = try calls.secretHash(username: name).map { SecretText($0) }
    parameters["DEVICE_KEY"] = device.map { SecretText($0.key) }
    return parameters
  }

  /// Notes the session and the user's name of a challenge. After an alias this name can lead to the user's device.
  ///
  /// - Returns: the challenge.
  mutating func note(_ output: AuthOutput) async throws(UserPoolClientError) -> Challenge {
    guard let challenge = output.challengeName else {
      throw .responseMalformed(rule: "it has neither tokens nor a challenge that this client knows")
    }
    challenges += 1
    guard challenges <= Self.mostChallenges else {
      throw .responseMalformed(rule: "it is the challenge after \(Self.mostChallenges) others")
    }
    session = output.session
    let found = Challenge(name: challenge, parameters: output.challengeParameters ?? [:])
    if let shown = found.parameters["USERNAME"] ?? found.parameters["USER_ID_FOR_SRP"], !shown.isEmpty {
      name = shown
      await lookUpDevice(of: shown)
    }
    return found
  }

  /// Continues with the session that another call than an answer gave.
  mutating func replaceSession(_ session: String?) { if let session { self.session = session } }

  /// Deletes the device if the pool does not know it. This happens once for each device.
  mutating func dropsDevice(after error: UserPoolClientError) async -> Bool {
    guard device != nil, case .refused(let type, let message) = error,
      fallback.shouldDropDevice(exception: type, message: message)
    else { return false }
    await forgetDevice()
    return true
  }

  mutating func forgetDevice() async {
    refusedKey = device?.key
    device = nil
    await keeper?.forget(username: owner)
  }

  /// Takes the device that is kept under a name, unless there is one already.
  private mutating func lookUpDevice(of name: String) async {
    guard device == nil, let keeper, let found = await keeper.device(username: name) else { return }
    // Checked before the device is named to the pool: an unreadable one cannot be proved, and the one that was
    // refused under an alias is refused under the user's name too.
    guard found.isUsable, found.key != refusedKey else { return await keeper.forget(username: name) }
    device = found
    owner = name
    fallback = CognitoDeviceFallback()
  }
}

extension SignInMachine {
  /// A machine behind one reference, as steps have it.
  ///
  /// The steps are not copyable, and whoever switches over them compiles a check of all their fields, nested ones too,
  /// for each point of the program. With the machine itself in ten steps the compiler took a minute for twenty lines.
  /// The machine does not change here: an answer takes it out, and the next step has another box.
  final class Box: Sendable {
    let value: SignInMachine

    init(_ value: SignInMachine) { self.value = value }
  }
}

/// A challenge and its parameters.
struct Challenge: Sendable {
  let name: ChallengeNameType
  let parameters: [ExactString: String]

  /// For the client of SRP.
  func srp(session: String?) -> CognitoChallenge {
    CognitoChallenge(
      name: name.name, parameters: CognitoParameters(parameters.map { (key: $0.key.text, value: $0.value) }),
      session: session)
  }

  /// The elements of a parameter that is a JSON array of strings; nothing for an absent one.
  func list(_ name: ExactString) throws(UserPoolClientError) -> [String] {
    guard let text = parameters[name], !text.isEmpty else { return [] }
    guard let list = (try? JSONValue(parsing: text))?.strings else {
      throw .responseMalformed(rule: "its parameter \(name) is not a JSON array of strings")
    }
    return list
  }
}
