@testable internal import CognitoUserPoolClient
internal import ServiceOperations
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase

/// The stored device of a user, and the aliases that lead to it.
@Suite struct SessionDeviceTests {
  private static let now = TokenIssuer.now
  private static let alias = "jane@example.com"

  private static func device(_ key: String) -> StoredDevice {
    StoredDevice(groupKey: "g", key: key, password: SecretText("p"))
  }

  /// Sessions in which jane has signed in under an alias with a device.
  private struct Place {
    let issuer: TokenIssuer
    let store = FaultyStore()
    let sessions: UserPoolSessions

    /// The device is kept under the alias or under the name, as a flow gives it.
    init(keptAs name: String) async throws {
      issuer = try TokenIssuer()
      sessions = try issuer.sessions(store)
      await sessions.keep(SessionDeviceTests.device("k1"), username: name)
      try await keep("k1")
    }

    /// The end of a sign-in under the alias.
    func keep(_ key: String?) async throws {
      try await sessions.keep(
        issuer.tokens(), deviceKey: key, typed: SessionDeviceTests.alias, at: SessionDeviceTests.now)
    }

    func keys() async throws -> [String?] {
      [try await sessions.deviceKey(of: SessionDeviceTests.alias), try await sessions.deviceKey(of: "jane")]
    }
  }

  @Test(arguments: [alias, "jane"]) func anAliasLeadsToTheUsersDevice(kept: String) async throws {
    let place = try await Place(keptAs: kept)
    #expect(try place.store.object(.device(username: "jane"))["key"] == "k1")
    #expect(try place.store.text(.device(username: Self.alias)) == #"{"username":"jane"}"#)
    let next = try place.issuer.sessions(place.store)
    for name in [Self.alias, "jane"] {
      #expect(await next.device(username: name)?.key == "k1")
      #expect(try await next.deviceKey(of: name) == "k1")
    }
    // A device that replaces the user's.
    await next.keep(Self.device("k2"), username: "jane")
    #expect(try await next.deviceKey(of: Self.alias) == "k2")
    // Nothing is written twice.
    let writes = place.store.writes
    try await place.keep("k1")
    #expect(place.store.writes == writes + 2)
  }

  /// A device that was no part of the sign-in can be another user's.
  @Test func anotherDeviceIsNotTheUsers() async throws {
    let issuer = try TokenIssuer()
    let sessions = try issuer.sessions()
    await sessions.keep(Self.device("k1"), username: Self.alias)
    for key in [nil, "k2"] {
      try await sessions.keep(issuer.tokens(), deviceKey: key, typed: Self.alias, at: Self.now)
      #expect(try await sessions.deviceKey(of: "jane") == nil)
      #expect(try await sessions.deviceKey(of: Self.alias) == "k1")
    }
  }

  /// An alias can have moved to another user.
  @Test func aDeviceThatIsRefusedUnderAnAliasIsForgottenThereAlone() async throws {
    let place = try await Place(keptAs: "jane")
    await place.sessions.forget(username: Self.alias)
    #expect(try await place.keys() == [nil, "k1"])
    try await place.keep("k1")
    #expect(try await place.keys() == ["k1", "k1"])
  }

  @Test(arguments: [alias, "jane"]) func aDeviceIsForgottenByAnyName(name: String) async throws {
    let place = try await Place(keptAs: "jane")
    try await place.sessions.forgetDevice(of: name)
    #expect(try await place.keys() == [nil, nil])
  }

  @Test(arguments: [alias, "jane"]) func aUserIsForgottenByAnyName(name: String) async throws {
    let place = try await Place(keptAs: "jane")
    try await place.sessions.forgetUser(name)
    #expect(try place.store.text(.device(username: "jane")) == nil)
    #expect(try place.store.text(.device(username: Self.alias)) == nil)
    #expect(try place.store.text(.session(username: "jane")) == nil)
    #expect(try place.store.text(.users) == "{}")
  }

  /// The connection was lost at the end of the sign-in, or the sign-in had no sessions.
  @Test func aDeviceThatIsNotConfirmedIsConfirmedWithItsSession() async throws {
    let issuer = try TokenIssuer()
    let sessions = try issuer.sessions()
    let (key, tokens) = (SignInScript.deviceKey, try issuer.tokens())
    let new = NewDevice(key: key, groupKey: "-AbCdEfG1", name: "laptop", username: "jane")
    let signedIn = SignedIn(
      username: Self.alias, device: .unconfirmed(key: key, .cancelled), tokens: tokens, newDevice: new)
    issuer.script.then(.failure(.timeout(.seconds(1))), .ok())
    // The user is signed in in any case.
    try await sessions.keep(signedIn, at: Self.now)
    #expect(try await sessions.tokens(at: Self.now).username == "jane")
    #expect(try await sessions.deviceKey(of: "jane") == nil)
    // Once it is confirmed, nothing is sent again.
    for _ in 0..<2 { try await sessions.keep(signedIn, at: Self.now) }
    #expect(issuer.operations == ["ConfirmDevice", "ConfirmDevice"])
    let request = try #require(issuer.script.requests.last)
    #expect(request.text("AccessToken") == tokens.accessToken && request.text("DeviceName") == "laptop")
    #expect(try await sessions.deviceKey(of: "jane") == key)
    #expect(try await sessions.deviceKey(of: Self.alias) == key)
  }

  /// A pool that asks the user first. The first confirmation and the first answer are lost.
  @Test(arguments: [true, false]) func aDelegateLetsThePoolRememberTheDevice(isWanted: Bool) async throws {
    let issuer = try TokenIssuer()
    let sessions = try issuer.sessions()
    guard case .response(let status, var body) = try issuer.answer(from: .now) else {
      Issue.record("the issuer's answer is no response")
      return
    }
    var result = try #require(body["AuthenticationResult"]?.object)
    result["NewDeviceMetadata"] = [
      "DeviceKey": .string(SignInScript.deviceKey), "DeviceGroupKey": "-AbCdEfG1",
    ]
    body["AuthenticationResult"] = .object(result)
    let lost = ScriptedTransport.Answer.failure(.timeout(.seconds(1)))
    issuer.script.then(
      .response(status: status, body: body), lost, .ok(["UserConfirmationNecessary": true]), lost, .ok())
    let delegate = TestDelegate {
      $0.passwords = [("jane", "Correct-horse-9")]
      $0.consents = [isWanted]
      $0.retries = [true]
    }
    try await sessions.signIn(delegate: delegate, options: SignInOptions(flow: .password))
    let failed = "failed device user_pool_client_unreachable"
    #expect(
      delegate.log == ["password -", "password", "remember the device"] + (isWanted ? [failed] : []))
    let updates = isWanted ? ["UpdateDeviceStatus", "UpdateDeviceStatus"] : []
    #expect(issuer.operations == ["InitiateAuth", "ConfirmDevice", "ConfirmDevice"] + updates)
    #expect(try await sessions.deviceKey(of: "jane") == SignInScript.deviceKey)
  }
}
