internal import OneTimeCodes
internal import ServiceOperations
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityCrypto

@testable internal import CognitoUserPoolClient

/// Devices against the service itself.
@Suite struct LocalDeviceTests {
  private static let alias = "jane@example.com"

  private static func secret() -> SecretBytes { SecretBytes(LocalService.password.utf8.span) }

  /// A pool that tracks devices, with a user whose second factor is an authenticator app.
  private struct Place {
    let service: LocalService
    let client: UserPoolClient
    let totp: TOTP
    let devices = TestDevices()

    init(onPrompt: Bool = false, challengesNew: Bool = true, hasSecret: Bool = false) async throws {
      service = try await LocalService(
        [
          "DeviceConfiguration": [
            "ChallengeRequiredOnNewDevice": .bool(challengesNew),
            "DeviceOnlyRememberedOnUserPrompt": .bool(onPrompt),
          ], "AliasAttributes": ["email"],
        ], client: ["GenerateSecret": .bool(hasSecret)])
      client = try service.makeClient()
      try await LocalSignInTests.allowFactors(service)
      try await service.addUser("jane", attributes: [("email", alias), ("email_verified", "true")])
      let tokens = try await LocalSignInTests.tokens(client)
      let made = try await client.associateSoftwareToken(accessToken: tokens.accessToken)
      totp = try made.uri(issuer: "Example", account: "jane").totp()
      try await client.verifySoftwareToken(
        code: totp.code(at: service.now), accessToken: tokens.accessToken)
      try await client.setMFAPreference(softwareToken: .preferred, accessToken: tokens.accessToken)
    }

    func begin(
      _ flow: SignInFlow = .passwordSRP, as name: String = "jane", _ keeper: (any DeviceKeeping)? = nil
    ) async throws -> SignInStep {
      let options = SignInOptions(flow: flow, deviceName: "laptop")
      return try await client.signIn(username: name, options: options, devices: keeper ?? devices)
        .answered(secret()).next()
    }

    /// A code that was not used before.
    func code() throws -> String {
      service.advance(.seconds(30))
      return try totp.code(at: service.now)
    }
  }

  @Test(arguments: [true, false], [SignInFlow.passwordSRP, .password, .choice()].indices)
  func aDeviceReplacesTheSecondFactor(hasSecret: Bool, flow: Int) async throws {
    let flow = [SignInFlow.passwordSRP, .password, .choice()][flow]
    let place = try await Place(hasSecret: hasSecret)
    let first = try await place.begin(flow).code().answer(place.code()).next().done()
    let key = try #require(first.device.key)
    #expect(first.device == .new(key: key, needsConsent: false) && place.devices.key("jane") == key)
    let listed = try await place.client.devices(accessToken: first.tokens.accessToken).devices
    #expect(listed.first { $0.key == key }?.name == "laptop")
    let second = try await place.begin(flow).done()
    #expect(second.device == .known(key: key))
    #expect(place.devices.events == ["keep \(key) of jane"])
  }

  /// A device that was confirmed under an alias is the user's under the name too, and the other way round.
  @Test(arguments: [true, false], [SignInFlow.passwordSRP, .password, .choice()].indices)
  func anAliasSharesTheDevice(isFirst: Bool, flow: Int) async throws {
    let asksForCode = !isFirst && flow == 1
    let flow = [SignInFlow.passwordSRP, .password, .choice()][flow]
    let place = try await Place()
    let sessions = try UserPoolSessions(client: place.client)
    let (one, other) = isFirst ? (Self.alias, "jane") : ("jane", Self.alias)
    let first = try await place.begin(flow, as: one, sessions).code().answer(place.code()).next().done()
    try await sessions.keep(first, at: place.service.now)
    let key = try #require(first.device.key)
    var step = try await place.begin(flow, as: other, sessions)
    // A password that is sent is answered before the pool gives the name: once, until the alias is known.
    if asksForCode { step = try await step.code().answer(place.code()).next() }
    let second = try step.done()
    #expect(second.device == .known(key: key))
    try await sessions.keep(second, at: place.service.now)
    let third = try await place.begin(flow, as: other, sessions).done()
    #expect(third.device == .known(key: key))
    #expect(place.service.operations.count { $0 == "ConfirmDevice" } == 1)
  }

  /// Where new devices are not challenged, a device is proved after the second factor.
  @Test func aDeviceAfterTheSecondFactor() async throws {
    let place = try await Place(challengesNew: false)
    let first = try await place.begin().code().answer(place.code()).next().done()
    let key = try #require(first.device.key)
    let second = try await place.begin().code().answer(place.code()).next().done()
    #expect(second.device == .known(key: key))
    // The password, the code, and the two of the device.
    let answers = Array(repeating: "RespondToAuthChallenge", count: 4)
    #expect(place.service.operations.suffix(5) == ["InitiateAuth"] + answers)
  }

  @Test func aDeviceThatNeedsConsent() async throws {
    let place = try await Place(onPrompt: true)
    let first = try await place.begin().code().answer(place.code()).next().done()
    let key = try #require(first.device.key)
    #expect(first.device == .new(key: key, needsConsent: true))
    // Known, but not remembered yet.
    let second = try await place.begin().code().answer(place.code()).next().done()
    #expect(second.device == .known(key: key))
    try await place.client.updateDevice(key, isRemembered: true, accessToken: second.tokens.accessToken)
    let third = try await place.begin().done()
    #expect(third.device == .known(key: key))
  }

  /// "Device does not exist.": the sign-in goes on without the device, with the second factor.
  @Test(arguments: [SignInFlow.passwordSRP, .password, .choice()].indices)
  func aDeviceThatThePoolHasForgotten(flow: Int) async throws {
    let flow = [SignInFlow.passwordSRP, .password, .choice()][flow]
    let place = try await Place()
    let first = try await place.begin(flow).code().answer(place.code()).next().done()
    let key = try #require(first.device.key)
    try await place.client.forgetDevice(key, accessToken: first.tokens.accessToken)
    let step = try await place.begin(flow)
    #expect(place.devices.key("jane") == nil)
    let second = try await step.code().answer(place.code()).next().done()
    let other = try #require(second.device.key)
    #expect(other != key && place.devices.key("jane") == other)
    #expect(
      place.devices.events == ["keep \(key) of jane", "forget jane", "keep \(other) of jane"])
    let third = try await place.begin(flow).done()
    #expect(third.device == .known(key: other))
  }

  /// Between a code and the proof of the device.
  @Test func aDeviceThatIsForgottenDuringASignIn() async throws {
    let place = try await Place(challengesNew: false)
    let first = try await place.begin().code().answer(place.code()).next().done()
    let key = try #require(first.device.key)
    let waiting = try await place.begin().code()
    try await place.client.forgetDevice(key, accessToken: first.tokens.accessToken)
    let second = try await waiting.answer(place.code()).next().done()
    let other = try #require(second.device.key)
    #expect(other != key && place.devices.key("jane") == other)
  }

  @Test func aDeviceWithAnotherPasswordThanThePools() async throws {
    let place = try await Place()
    let first = try await place.begin().code().answer(place.code()).next().done()
    let key = try #require(first.device.key)
    let kept = try #require(await place.devices.device(username: "jane"))
    place.devices.put(
      StoredDevice(groupKey: kept.groupKey, key: key, password: SecretText("another")), "jane")
    let second = try await place.begin().code().answer(place.code()).next().done()
    #expect(second.device.key != key && second.device.key == place.devices.key("jane"))
  }

  /// The refresh token belongs to the device.
  @Test func refreshingNeedsTheDevice() async throws {
    let place = try await Place()
    let sessions = try UserPoolSessions(client: place.client)
    // The next code: tokens of a service whose time is ahead would be refused.
    let code = try place.totp.code(at: place.service.now + .seconds(30))
    let delegate = TestDelegate {
      $0.passwords = [("jane", LocalService.password), ("jane", LocalService.password)]
      $0.codes = [code]
    }
    try await sessions.signIn(delegate: delegate)
    let key = try #require(try await sessions.deviceKey(of: "jane"))
    let tokens = try await sessions.signIn(delegate: delegate)
    #expect(delegate.log.filter { $0.hasPrefix("code") } == ["code app", "code"])
    let later = Timestamp.now + .seconds(3_590)
    let refreshed = try await sessions.tokens(at: later)
    #expect(refreshed.accessToken != tokens.accessToken && refreshed.username == "jane")
    #expect(try await sessions.deviceKey(of: "jane") == key)
  }
}
