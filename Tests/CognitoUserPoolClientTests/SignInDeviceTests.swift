internal import SecureRemotePassword
internal import ServiceOperations
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityCrypto

@testable internal import CognitoUserPoolClient

/// Devices: confirmed, named, proved and forgotten without a step.
@Suite struct SignInDeviceTests {
  private static let key = SignInScript.deviceKey
  private static let password = SignInOptions(flow: .password)
  private static let newKey = "eu-west-1_7e7e7e7e-0000-4000-8000-0123456789ab"

  private static func signIn(
    _ service: ScriptedTransport, _ devices: TestDevices?, _ options: SignInOptions = SignInOptions()
  ) async throws -> SignInStep {
    let client = try TestClient.make(service, secret: "client-secret-of-24-chars")
    return try await client.signIn(username: "jane", options: options, devices: devices)
  }

  @Test(arguments: [true, false]) func aNewDeviceIsConfirmedAndKept(needsConsent: Bool) async throws {
    let service = ScriptedTransport(
      SignInScript.tokens(newDevice: Self.key), .ok(["UserConfirmationNecessary": .bool(needsConsent)]))
    let devices = TestDevices()
    let options = SignInOptions(flow: .password, deviceName: "laptop")
    let signedIn = try await Self.signIn(service, devices, options).end()
    #expect(signedIn.device == .new(key: Self.key, needsConsent: needsConsent))
    let request = try #require(service.requests.last)
    #expect(request.operation == "ConfirmDevice" && request.text("AccessToken") == "access.token")
    #expect(request.text("DeviceKey") == Self.key && request.text("DeviceName") == "laptop")
    #expect(devices.events == ["keep \(Self.key) of jane"])
    // The kept password is the one of the verifier.
    let kept = try #require(await devices.device(username: "jane"))
    let config = request.object("DeviceSecretVerifierConfig")
    let sent = try CognitoVerifier(
      deviceSalt: config["Salt"]?.string ?? "", passwordVerifier: config["PasswordVerifier"]?.string ?? "")
    let own = try CognitoVerifier(
      identity: .device(groupKey: kept.groupKey, deviceKey: kept.key),
      password: kept.password.withBytes { SecretBytes($0) }, salt: sent.salt)
    let (expected, made) = (
      own.value.withBytes { [UInt8](unwipedCopy: $0) }, sent.value.withBytes { [UInt8](unwipedCopy: $0) }
    )
    #expect(expected == made)
  }

  @Test func aNewDeviceIsNotConfirmedWhereNoneAreKept() async throws {
    let service = ScriptedTransport(SignInScript.tokens(newDevice: Self.key))
    let signedIn = try await Self.signIn(service, nil, Self.password).end()
    #expect(signedIn.device == .unconfirmed(key: Self.key, nil) && signedIn.newDevice?.key == Self.key)
    #expect(service.operations == ["InitiateAuth"])
  }

  @Test func aDeviceThatCannotBeConfirmedDoesNotEndTheSignIn() async throws {
    let devices = TestDevices()
    let refused = ScriptedTransport(
      SignInScript.tokens(newDevice: Self.key), .refusal("InvalidParameterException", "text"))
    let signedIn = try await Self.signIn(refused, devices, Self.password).end()
    let refusal = UserPoolClientError.refused(type: "InvalidParameterException", message: "text")
    #expect(signedIn.device == .unconfirmed(key: Self.key, refusal) && signedIn.newDevice == nil)
    let malformed = ScriptedTransport(SignInScript.tokens(newDevice: "eu-west-1_XYZ"))
    await expectUserPoolError(.responseMalformed) {
      _ = try await Self.signIn(malformed, devices, Self.password).end()
    }
    #expect(devices.events.isEmpty)
  }

  @Test func aKnownDeviceIsNamedAndProved() async throws {
    let service = ScriptedTransport(
      SignInScript.verifier(), SignInScript.challenge("DEVICE_SRP_AUTH", session: "a"),
      SignInScript.verifier("DEVICE_PASSWORD_VERIFIER"), SignInScript.tokens())
    let devices = TestDevices(["jane": SignInScript.device])
    let signedIn = try await Self.signIn(service, devices).password().answer(TestClient.password()).next()
      .done()
    #expect(signedIn.device == .known(key: Self.key) && devices.events.isEmpty)
    #expect(service.requests.allSatisfy { $0.parameters["DEVICE_KEY"] == Self.key })
    #expect(service.requests.allSatisfy { $0.parameters["SECRET_HASH"] != nil })
  }

  /// In every request that names the device: the same answer is sent without it.
  @Test(arguments: 0..<3) func anUnknownDeviceIsForgotten(request: Int) async throws {
    let service = ScriptedTransport()
    let answers = [
      SignInScript.verifier(), SignInScript.challenge("SMS_MFA", session: "a"), SignInScript.tokens(),
    ]
    for (index, answer) in answers.enumerated() {
      if index == request { service.then(SignInScript.unknownDevice) }
      service.then(answer)
    }
    let devices = TestDevices(["jane": SignInScript.device])
    let signedIn = try await Self.signIn(service, devices).end()
    #expect(signedIn.device == .untracked && devices.events == ["forget jane"])
    let requests = service.requests
    #expect(requests.count == 4)
    for (index, sent) in requests.enumerated() {
      #expect(sent.parameters["DEVICE_KEY"] == (index <= request ? Self.key : nil))
    }
    var refused = requests[request].parameters
    refused["DEVICE_KEY"] = nil
    #expect(requests[request + 1].parameters == refused)
    #expect(requests[request + 1].text("Session") == requests[request].text("Session"))
  }

  /// While the device is proved, the sign-in begins anew with the password at hand.
  @Test(arguments: [0, 1], [true, false])
  func aSignInStartsOverWithoutTheDevice(request: Int, isSRP: Bool) async throws {
    let service = ScriptedTransport()
    func password() { if isSRP { service.then(SignInScript.verifier()) } }
    password()
    service.then(SignInScript.challenge("DEVICE_SRP_AUTH", session: "a"))
    if request == 1 { service.then(SignInScript.verifier("DEVICE_PASSWORD_VERIFIER")) }
    service.then(SignInScript.unknownDevice)
    password()
    service.then(
      SignInScript.challenge("SMS_MFA", session: "b"), SignInScript.tokens(newDevice: Self.newKey), .ok())
    let devices = TestDevices(["jane": SignInScript.device])
    let options = SignInOptions(flow: isSRP ? .passwordSRP : .password)
    let step = try await Self.signIn(service, devices, options).password().answer(TestClient.password())
      .next()
    #expect(devices.events == ["forget jane"])
    let signedIn = try await step.code().answer("123456").next().done()
    #expect(signedIn.device == .new(key: Self.newKey, needsConsent: false))
    // Under the name that the last challenge gave.
    #expect(devices.key(isSRP ? "user-1" : "jane") == Self.newKey)
    #expect(service.requests.count { $0.operation == "InitiateAuth" } == 2 && service.left == 0)
    let anew = try #require(service.requests.lastIndex { $0.operation == "InitiateAuth" })
    #expect(service.requests[anew...].allSatisfy { $0.parameters["DEVICE_KEY"] == nil })
  }

  /// The name in a challenge leads to the device, also where an alias was typed.
  @Test(arguments: [true, false]) func theNameInAChallengeLeadsToTheDevice(isSRP: Bool) async throws {
    let service = ScriptedTransport(
      isSRP
        ? SignInScript.verifier() : SignInScript.challenge("SMS_MFA", ["USERNAME": "user-1"], session: "c"),
      SignInScript.challenge("DEVICE_SRP_AUTH", session: "a"),
      SignInScript.verifier("DEVICE_PASSWORD_VERIFIER"), SignInScript.tokens())
    let devices = TestDevices(["user-1": SignInScript.device])
    let options = SignInOptions(flow: isSRP ? .passwordSRP : .password)
    let signedIn = try await Self.signIn(service, devices, options).end()
    #expect(signedIn.device == .known(key: Self.key) && devices.events.isEmpty)
    let named = service.requests.map { $0.parameters["DEVICE_KEY"] == Self.key }
    #expect(named == [false, true, true, true])
  }

  private static func device(_ key: String) -> StoredDevice {
    StoredDevice(groupKey: "-AbCdEfG1", key: key, password: SecretText("a"))
  }

  /// The pool refuses the device of an alias. The user's is another one, or the same.
  @Test(arguments: [true, false]) func anAliasWithADeviceThatThePoolDoesNotKnow(isSame: Bool) async throws {
    let service = ScriptedTransport(SignInScript.unknownDevice, SignInScript.verifier())
    if !isSame {
      service.then(
        SignInScript.challenge("DEVICE_SRP_AUTH", session: "a"),
        SignInScript.verifier("DEVICE_PASSWORD_VERIFIER"))
    }
    service.then(SignInScript.tokens())
    let devices = TestDevices([
      "jane": Self.device(Self.key), "user-1": Self.device(isSame ? Self.key : Self.newKey),
    ])
    let signedIn = try await Self.signIn(service, devices).end()
    let expected: SignInDevice = isSame ? .untracked : .known(key: Self.newKey)
    let events = isSame ? ["forget jane", "forget user-1"] : ["forget jane"]
    #expect(signedIn.device == expected && devices.events == events)
    #expect(service.left == 0)
  }

  @Test func twoDevicesThatThePoolDoesNotKnow() async throws {
    let service = ScriptedTransport(
      SignInScript.unknownDevice, SignInScript.verifier(), SignInScript.unknownDevice, SignInScript.tokens())
    let devices = TestDevices(["jane": Self.device(Self.key), "user-1": Self.device(Self.newKey)])
    let signedIn = try await Self.signIn(service, devices).end()
    #expect(signedIn.device == .untracked && devices.events == ["forget jane", "forget user-1"])
    #expect(service.requests.map { $0.parameters["DEVICE_KEY"] } == [Self.key, nil, Self.newKey, nil])
  }

  /// With another password than the pool's the device would refuse every sign-in.
  @Test func aDeviceWhoseProofIsRefusedIsForgotten() async throws {
    let service = ScriptedTransport(
      SignInScript.challenge("DEVICE_SRP_AUTH", session: "a"),
      SignInScript.verifier("DEVICE_PASSWORD_VERIFIER"),
      .refusal("NotAuthorizedException", "Incorrect username or password."), SignInScript.tokens())
    let devices = TestDevices(["jane": SignInScript.device])
    let signedIn = try await Self.signIn(service, devices, Self.password).end()
    #expect(signedIn.device == .untracked && devices.events == ["forget jane"])
    #expect(service.operations.count { $0 == "InitiateAuth" } == 2)
  }

  /// After a code the password is not at hand any more: it is asked for.
  @Test func aSignInStartsOverAfterACode() async throws {
    let service = ScriptedTransport(
      SignInScript.challenge("SMS_MFA", session: "a"),
      SignInScript.challenge("DEVICE_SRP_AUTH", session: "b"),
      SignInScript.unknownDevice, SignInScript.challenge("SMS_MFA", session: "c"), SignInScript.tokens())
    let devices = TestDevices(["jane": SignInScript.device])
    let code = try await Self.signIn(service, devices, Self.password).password()
      .answer(TestClient.password()).next().code()
    let password = try await code.answer("123456").next().password()
    let other = try await password.answer(TestClient.password()).next().code()
    let signedIn = try await other.answer("123456").next().done()
    #expect(signedIn.device == .untracked)
    #expect(devices.events == ["forget jane"])
  }

  /// A flow without a password begins anew by itself.
  @Test func aFlowWithoutAPasswordStartsOver() async throws {
    let service = ScriptedTransport(
      SignInScript.challenge("CUSTOM_CHALLENGE", session: "a"),
      SignInScript.challenge("DEVICE_SRP_AUTH", session: "b"), SignInScript.unknownDevice,
      SignInScript.challenge("CUSTOM_CHALLENGE", session: "c"), SignInScript.tokens())
    let devices = TestDevices(["jane": SignInScript.device])
    let first = try await Self.signIn(service, devices, SignInOptions(flow: .custom())).custom()
    _ = try await first.answer("1").next().custom().answer("2").next().done()
    // The same at the very beginning.
    let other = ScriptedTransport(
      SignInScript.challenge("DEVICE_SRP_AUTH", session: "b"), SignInScript.unknownDevice,
      SignInScript.tokens())
    devices.put(SignInScript.device, "jane")
    _ = try await Self.signIn(other, devices, SignInOptions(flow: .custom())).done()
    #expect(devices.events == ["forget jane", "forget jane"])
  }

  /// Other errors of these words are not the device's, and other errors do not forget it.
  @Test(arguments: [
    ("ResourceNotFoundException", "User pool client client1 does not exist."),
    ("NotAuthorizedException", "Device does not exist."), ("InternalErrorException", ""),
  ])
  func otherErrorsKeepTheDevice(type: String, message: String) async throws {
    let devices = TestDevices(["jane": SignInScript.device])
    for answers in [[], [SignInScript.challenge("DEVICE_SRP_AUTH", session: "a")]] {
      let service = ScriptedTransport()
      for answer in answers { service.then(answer) }
      service.then(.refusal(type, message))
      await #expect(throws: UserPoolClientError.refused(type: type, message: message)) {
        _ = try await Self.signIn(service, devices, Self.password).anyAnswer().next().name
      }
    }
    #expect(devices.events.isEmpty)
  }

  @Test func aServiceThatNeverEndsIsNotFollowed() async throws {
    let devices = TestDevices(["jane": SignInScript.device])
    let service = ScriptedTransport(
      SignInScript.challenge("DEVICE_SRP_AUTH", session: "a"),
      SignInScript.verifier("DEVICE_PASSWORD_VERIFIER"),
      SignInScript.challenge("DEVICE_SRP_AUTH", session: "b"))
    await expectUserPoolError(.responseMalformed) {
      _ = try await Self.signIn(service, devices, Self.password).end()
    }
    // It says again and again that it does not know the device.
    let stubborn = ScriptedTransport(SignInScript.unknownDevice, SignInScript.unknownDevice)
    await #expect {
      _ = try await Self.signIn(stubborn, devices, Self.password).end()
    } throws: {
      ($0 as? UserPoolClientError)?.isRefusal("ResourceNotFoundException") == true
    }
  }

  /// A stored device that no pool has made is not named.
  @Test(arguments: [
    StoredDevice(groupKey: "", key: SignInScript.deviceKey, password: SecretText("a")),
    StoredDevice(groupKey: "-AbC", key: "no key", password: SecretText("a")),
  ])
  func aMalformedDeviceIsForgotten(device: StoredDevice) async throws {
    let devices = TestDevices(["jane": device])
    let service = ScriptedTransport(SignInScript.tokens())
    _ = try await Self.signIn(service, devices, Self.password).end()
    #expect(devices.events == ["forget jane"])
    #expect(service.requests[0].parameters["DEVICE_KEY"] == nil)
  }
}
