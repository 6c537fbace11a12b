@testable internal import CognitoUserPoolClient
internal import ServiceOperations
internal import Testing
internal import TokenLifetime
internal import TokenSecurityEncodings

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
}
