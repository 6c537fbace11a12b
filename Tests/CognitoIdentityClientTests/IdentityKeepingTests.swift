@testable internal import CognitoIdentityClient
internal import SigV4
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityTesting

/// The state between calls: the stored identity, the developer's token, and the pause after failures.
@Suite struct IdentityKeepingTests {
  static let now = IdentityProviderTests.now
  static let pool = IdentityProviderTests.pool

  let races = IdentityRaceTests()
  var service: GuestService { races.service }

  static func code(_ body: () async throws -> Void) async -> IdentityClientError.Code? {
    do { try await body() } catch let fault as IdentityClientError { return fault.code } catch { return nil }
    return nil
  }

  /// Calls fail until the identity is stored, and no call to the service is repeated.
  @Test(arguments: [true, false]) func identityThatCouldNotBeStored(_ isOfCredentials: Bool) async throws {
    let store = FullStore(failures: 2)
    let provider = try races.provider(store: store)
    func call() async throws -> String {
      isOfCredentials
        ? try await provider.poolCredentials(at: Self.now).accessKeyID
        : GuestService.key(try await provider.identityID())
    }
    for _ in 0..<2 {
      #expect(await Self.code { _ = try await call() } == .stateUnavailable)
      #expect(store.kept == nil)
    }
    #expect(try await call() == "ASIA1")
    #expect(store.kept == StoredIdentity(poolID: Self.pool, identityID: "us-east-1:1"))
    #expect(try await call() == "ASIA1")
    #expect(store.saves == 3)
    #expect(
      service.asked == ["GetId"] + (isOfCredentials ? ["GetCredentialsForIdentity us-east-1:1"] : []))
  }

  /// An identity that could not be removed is not used for another user, neither now nor at the next start.
  @Test func identityThatCouldNotBeRemoved() async throws {
    let store = FullStore(StoredIdentity(poolID: Self.pool, identityID: "us-east-1:77"), failures: 1)
    let provider = try races.provider(store: store)
    let changes = await provider.changes()
    #expect(await Self.code { try await provider.clearIdentity() } == .stateUnavailable)
    #expect(await provider.cachedIdentityID == nil)
    #expect(try await provider.poolCredentials(at: Self.now).accessKeyID == "ASIA1")
    #expect(store.kept?.identityID == "us-east-1:1")
    // The change was reported although the store failed.
    var told: [String?] = []
    for await change in changes {
      told.append(change.new)
      if told.count == 2 { break }
    }
    #expect(told == [nil, "us-east-1:1"])
  }

  @Test func developersTokenIsKeptForTheCredentials() async throws {
    let developer = FakeDeveloper()
    developer.set(identity: "us-east-1:5")
    let logins = CountedLogins(["login.my.app": "jane"])
    let provider = try races.provider(logins, developer: developer)
    #expect(try await provider.identityID() == "us-east-1:5")
    #expect(try await provider.poolCredentials(at: Self.now).accessKeyID == "ASIA5")
    #expect(developer.asked == ["- login.my.app"])
    // The token is used once.
    await provider.clearCredentials()
    _ = try await provider.poolCredentials(at: Self.now)
    #expect(developer.asked == ["- login.my.app", "us-east-1:5 login.my.app"])
  }

  /// The token is not used for other logins, after a drop, or when the service refuses it.
  @Test(arguments: ["logins", "value", "drop", "refused"]) func tokensThatAreNotUsed(_ reason: String)
    async throws
  {
    let developer = FakeDeveloper()
    developer.set(identity: "us-east-1:5")
    let logins = CountedLogins(["login.my.app": "jane"])
    let provider = try races.provider(logins, developer: developer)
    _ = try await provider.identityID()
    switch reason {
    case "logins": logins.set(["login.my.app": "jane", "accounts.google.com": "t"])
    case "value": logins.set(["login.my.app": "\u{212A}arl"])
    case "drop": await provider.clearCredentials()
    default: service.refuse("NotAuthorizedException")
    }
    #expect(try await provider.poolCredentials(at: Self.now).accessKeyID == "ASIA5")
    #expect(developer.asked.count == 2 && developer.asked[1].hasPrefix("us-east-1:5 "))
    #expect(service.count("GetId") == 0)
  }

  @Test(arguments: [true, false]) func pausesAfterFailures(_ isOfCredentials: Bool) async throws {
    let clock = SettableClock()
    let provider = try races.provider(clock: { clock.elapsed })
    @Sendable func call() async throws {
      if isOfCredentials {
        _ = try await provider.poolCredentials(at: Self.now)
      } else {
        _ = try await provider.identityID()
      }
    }
    let type = "TooManyRequestsException"
    service.refuse(type, type, type, type, type, type, type, type, type, type)
    // There is no pause after the first failure.
    #expect(await Self.code { try await call() } == .refused)
    #expect(await Self.code { try await call() } == .refused)
    var asked = 2
    for seconds in [1, 2, 4, 8, 16, 32, 60, 60] {
      #expect(service.asked.count == asked)
      clock.advance(by: .seconds(seconds) - .milliseconds(1))
      for _ in 0..<64 { #expect(await Self.code { try await call() } == .refused) }
      #expect(service.asked.count == asked)
      clock.advance(by: .milliseconds(1))
      #expect(await Self.code { try await call() } == .refused)
      asked += 1
    }
    // A sign-in ends the pause.
    await provider.clearCredentials()
    try await call()
    #expect(await provider.cachedIdentityID == "us-east-1:1")
  }

  /// A failure counts once for all waiting calls.
  @Test func failuresThatAreShared() async throws {
    let provider = try races.provider()
    service.refuse("TooManyRequestsException")
    let calls = (0..<64).map { number in
      Task {
        number % 2 == 0
          ? try await provider.identityID() : try await provider.poolCredentials(at: Self.now).accessKeyID
      }
    }
    for call in calls { _ = await call.result }
    // The clock does not move: a pause would refuse this call.
    #expect(try await provider.poolCredentials(at: Self.now).accessKeyID == "ASIA1")
  }

  /// A malformed stored identity is ignored: otherwise all calls would fail forever.
  @Test(arguments: ["", "us-east-1:a b", "us-east-1:\u{212A}", "x\n", String(repeating: "a", count: 129)])
  func storedTextsThatAreNoIdentity(_ text: String) async throws {
    let store = FullStore(StoredIdentity(poolID: Self.pool, identityID: text), failures: 0)
    let provider = try races.provider(store: store)
    #expect(await provider.cachedIdentityID == nil)
    #expect(try await provider.poolCredentials(at: Self.now).accessKeyID == "ASIA1")
    #expect(store.kept?.identityID == "us-east-1:1")
  }

  /// An identity and token from a backend work in both flows.
  @Test func identityFromABackend() async throws {
    let given = BackendIdentity(identityID: "us-east-1:8", token: "t")
    let scripted = ScriptedService()
    scripted.answer(
      "GetCredentialsForIdentity",
      ScriptedService.credentials("us-east-1:8", until: IdentityProviderTests.start + 3_600))
    let calls = IdentityCalls(endpoint: try IdentityEndpoint(region: "us-east-1"), transport: scripted)
    let provider = try IdentityProvider(poolID: Self.pool, calls: calls, logins: given, developer: given)
    #expect(try await provider.identityID() == "us-east-1:8")
    _ = try await provider.poolCredentials(at: Self.now)
    #expect(scripted.asked == ["GetCredentialsForIdentity us-east-1:8 cognito-identity.amazonaws.com"])
    // The basic flow calls only STS.
    let basic = try IdentityProvider(
      poolID: Self.pool, calls: calls, logins: given, developer: given,
      flow: .basic(authenticated: try RoleRequest(roleARN: "arn:aws:iam::123456789012:role/x")))
    #expect(await Self.code { _ = try await basic.poolCredentials(at: Self.now) } == .unreachable)
    #expect(scripted.asked.last == "STS")
  }
}
