@testable internal import CognitoUserPoolClient
internal import OpenIDConnect
internal import ServiceOperations
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase

/// Sessions of an earlier start, and stores that fail.
@Suite struct SessionStartTests {
  private static let now = TokenIssuer.now
  private static let end = now + .seconds(3_600)

  private static func signedIn(_ issuer: TokenIssuer, _ names: String...) async throws -> FaultyStore {
    let store = FaultyStore()
    let sessions = try issuer.sessions(store)
    for name in names { try await sessions.keep(issuer.tokens(name), deviceKey: nil, typed: nil, at: now) }
    return store
  }

  @Test func theNextStartGoesOnWithTheStoredSession() async throws {
    let issuer = try TokenIssuer()
    let store = try await Self.signedIn(issuer, "jane")
    let sessions = try issuer.sessions(store)
    #expect(await sessions.currentUsername == "jane")
    #expect(try await sessions.tokens(at: Self.now).username == "jane")
    #expect(issuer.operations.isEmpty && issuer.fetches == 2)
    // Expired in the meantime.
    issuer.script.then(try issuer.answer(from: Self.end))
    #expect(try await issuer.sessions(store).tokens(at: Self.end).expiration == Self.end + .seconds(3_600))
  }

  @Test(arguments: ["idToken", "accessToken"])
  func storedTokensAreVerifiedBeforeTheyAreUsed(member: String) async throws {
    let issuer = try TokenIssuer()
    let store = try await Self.signedIn(issuer, "jane", "sam")
    // Another user's token in the store, correctly signed.
    var jane = try store.object(.session(username: "jane"))
    let sam = try store.object(.session(username: "sam"))
    jane[member] = sam[member]
    try store.put(String(decoding: JSONWriter.write(jane), as: UTF8.self), .session(username: "jane"))
    issuer.script.then(try issuer.answer())
    let tokens = try await issuer.sessions(store).tokens(of: "jane", at: Self.now)
    #expect(tokens.username == "jane" && tokens.user.username == "jane" && tokens.access.username == "jane")
    #expect(issuer.operations == ["GetTokensFromRefreshToken"])
  }

  @Test func aWholeSessionOfAnotherUserIsRefused() async throws {
    let issuer = try TokenIssuer()
    let store = try await Self.signedIn(issuer, "jane", "sam")
    let sam = try #require(try store.text(.session(username: "sam")))
    try store.put(sam, .session(username: "jane"))
    await expectUserPoolError(.storeUnavailable) {
      _ = try await issuer.sessions(store).tokens(of: "jane", at: Self.now)
    }
  }

  @Test(arguments: ["", "{}", "[]", "{\"username\":\"jane\"}", "not JSON"])
  func aMalformedSessionIsAnErrorAndCanBeReplaced(text: String) async throws {
    let issuer = try TokenIssuer()
    let store = try await Self.signedIn(issuer, "jane")
    try store.put(text, .session(username: "jane"))
    let sessions = try issuer.sessions(store)
    await expectUserPoolError(.storeUnavailable) { _ = try await sessions.tokens(at: Self.now) }
    try await sessions.signOut()
    #expect(try store.text(.session(username: "jane")) == nil)
    try await sessions.keep(issuer.tokens(), deviceKey: nil, typed: nil, at: Self.now)
    #expect(try await issuer.sessions(store).tokens(at: Self.now).username == "jane")
  }

  @Test func malformedNamesAreAnErrorAtTheStart() async throws {
    let store = FaultyStore()
    try store.put("[1", .users)
    await expectUserPoolError(.storeUnavailable) { _ = try TokenIssuer().sessions(store) }
    store.setLost(true)
    await expectUserPoolError(.storeUnavailable) { _ = try TokenIssuer().sessions(store) }
  }

  /// As after a program that was killed while it signed the user out.
  @Test func aNameWithoutASessionIsNoSignedInUser() async throws {
    let store = FaultyStore()
    try store.put(#"{"current":"jane","last":"jane@example.com"}"#, .users)
    let sessions = try TokenIssuer().sessions(store)
    #expect(await sessions.currentUsername == nil)
    #expect(await sessions.lastUsername == "jane@example.com")
  }

  @Test func aFullStoreIsAnErrorOnceAndTriedAgain() async throws {
    let issuer = try TokenIssuer()
    let store = FaultyStore()
    let sessions = try issuer.sessions(store)
    store.setFull(true)
    await expectUserPoolError(.storeUnavailable) {
      try await sessions.keep(issuer.tokens(), deviceKey: nil, typed: nil, at: Self.now)
    }
    // The user is signed in, and every call tries to store it.
    let writes = store.writes
    #expect(try await sessions.tokens(at: Self.now).username == "jane")
    #expect(store.writes == writes + 2)
    #expect(try store.text(.session(username: "jane")) == nil)
    store.setFull(false)
    #expect(try await sessions.tokens(at: Self.now).username == "jane")
    #expect(try await issuer.sessions(store).tokens(at: Self.now).username == "jane")
    #expect(try await issuer.sessions(store).currentUsername == "jane")
    let done = store.writes
    _ = try await sessions.tokens(at: Self.now)
    #expect(store.writes == done)
  }

  @Test func aRefreshThatCannotBeStoredIsAnErrorOnce() async throws {
    let issuer = try TokenIssuer()
    let store = try await Self.signedIn(issuer, "jane")
    let sessions = try issuer.sessions(store)
    issuer.script.then(try issuer.answer(from: Self.end, refresh: "refresh-2"))
    store.setFull(true)
    await expectUserPoolError(.storeUnavailable) { _ = try await sessions.tokens(at: Self.end) }
    #expect(try await sessions.tokens(at: Self.end).expiration == Self.end + .seconds(3_600))
    #expect(issuer.operations.count == 1)
    store.setFull(false)
    _ = try await sessions.tokens(at: Self.end)
    #expect(try store.text(.session(username: "jane"))?.utf8.firstRange(of: "refresh-2".utf8) != nil)
  }

  @Test func aDeviceThatCannotBeStoredIsReportedByTheNextCall() async throws {
    let issuer = try TokenIssuer()
    let store = try await Self.signedIn(issuer, "jane")
    let sessions = try issuer.sessions(store)
    store.setFull(true)
    await sessions.keep(StoredDevice(groupKey: "g", key: "k", password: SecretText("p")), username: "jane")
    #expect(await sessions.device(username: "jane")?.password.text == "p")
    await expectUserPoolError(.storeUnavailable) { _ = try await sessions.tokens(at: Self.now) }
    _ = try await sessions.tokens(at: Self.now)
    store.setFull(false)
    _ = try await sessions.tokens(at: Self.now)
    let device = try #require(try await issuer.sessions(store).device(username: "jane"))
    #expect(device.groupKey == "g" && device.key == "k" && device.password.text == "p")
    #expect(try await sessions.deviceKey(of: "jane") == "k")
    try await sessions.forgetDevice(of: "jane")
    #expect(try store.text(.device(username: "jane")) == nil)
    #expect(try await sessions.deviceKey(of: "jane") == nil)
  }

  @Test func whatAFullStoreDoesNotTakeIsBounded() async throws {
    let issuer = try TokenIssuer()
    let store = try await Self.signedIn(issuer, "jane")
    let sessions = try issuer.sessions(store)
    _ = try await sessions.tokens(at: Self.now)
    store.setFull(true)
    let device = StoredDevice(groupKey: "g", key: "k", password: SecretText("p"))
    for index in 0...1_000 { await sessions.keep(device, username: "user \(index)") }
    #expect(await sessions.device(username: "user 999") != nil)
    #expect(await sessions.device(username: "user 1000") == nil)
    let writes = store.writes
    await expectUserPoolError(.storeUnavailable) { _ = try await sessions.tokens(at: Self.now) }
    #expect(store.writes == writes + 8)
    // Signing out has room.
    await expectUserPoolError(.storeUnavailable) { try await sessions.forgetUser("jane") }
    await expectUserPoolError(.signedOut) { _ = try await sessions.tokens(of: "jane", at: Self.now) }
    store.setFull(false)
    await expectUserPoolError(.signedOut) { _ = try await sessions.tokens(of: "jane", at: Self.now) }
    #expect(try await issuer.sessions(store).device(username: "user 999")?.key == "k")
    #expect(try store.text(.session(username: "jane")) == nil)
  }

  /// The user would have to sign in again, because the keys are away for a moment.
  @Test func aDelegateDecidesWhatHappensWhenTheKeysAreAway() async throws {
    let issuer = try TokenIssuer()
    let sessions = try issuer.sessions()
    issuer.failKeys(true)
    issuer.script.then(try issuer.answer(from: .now))
    let delegate = TestDelegate {
      $0.passwords = [("jane", "Correct-horse-9")]
      $0.retries = [true, false]
    }
    await expectUserPoolError(.unreachable) {
      try await sessions.signIn(delegate: delegate, options: SignInOptions(flow: .password))
    }
    let failed = "failed tokens user_pool_client_unreachable"
    #expect(delegate.log == ["password -", "password", failed, failed])
    #expect(issuer.operations == ["InitiateAuth"])
  }

  @Test func severalUsersAreSignedIn() async throws {
    let issuer = try TokenIssuer()
    let store = try await Self.signedIn(issuer, "jane", "sam")
    let sessions = try issuer.sessions(store)
    #expect(try await sessions.tokens(at: Self.now).username == "sam")
    #expect(try await sessions.tokens(of: "jane", at: Self.now).username == "jane")
    await expectUserPoolError(.signedOut) { _ = try await sessions.tokens(of: "Jane", at: Self.now) }
    try await sessions.makeCurrent("jane")
    #expect(try await sessions.tokens(at: Self.now).username == "jane")
    #expect(try await issuer.sessions(store).currentUsername == "jane")
    await expectUserPoolError(.signedOut) { try await sessions.makeCurrent("bob") }
    // One user signs out, the other one stays.
    issuer.script.then(.ok())
    try await sessions.signOut()
    await expectUserPoolError(.signedOut) { _ = try await sessions.tokens(at: Self.now) }
    #expect(try await sessions.tokens(of: "sam", at: Self.now).username == "sam")
  }
}
