@testable internal import CognitoIdentityClient
internal import SigV4
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityTesting

/// Many callers at once: one identity, and credentials for it.
@Suite struct IdentityRaceTests {
  static let now = IdentityProviderTests.now
  static let pool = IdentityProviderTests.pool

  let service = GuestService()

  func provider(
    _ logins: any LoginsSource = StaticLogins([:]), developer: (any DeveloperProvider)? = nil,
    store: (any IdentityStateStore)? = nil, clock: @escaping @Sendable () -> Duration = { .zero }
  ) throws -> IdentityProvider {
    try IdentityProvider(
      poolID: Self.pool,
      calls: IdentityCalls(endpoint: try IdentityEndpoint(region: "us-east-1"), transport: service),
      logins: logins, developer: developer, flow: .enhanced(), store: store, margin: .seconds(500),
      clock: clock)
  }

  @Test func oneGuestHoweverManyAskForIt() async throws {
    let provider = try provider()
    let found = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<64 { group.addTask { try await provider.identityID() } }
      return try await group.reduce(into: [String]()) { $0.append($1) }
    }
    #expect(found == [String](repeating: "us-east-1:1", count: 64))
    #expect(service.asked == ["GetId"])
  }

  /// Half of the callers request the identity, half its credentials: both get the same identity.
  @Test(arguments: [true, false]) func oneGuestForIdentityAndCredentials(_ identityFirst: Bool) async throws {
    let provider = try provider()
    let changes = await provider.changes()
    let found = try await withThrowingTaskGroup(of: String.self) { group in
      for number in 0..<64 {
        if (number % 2 == 0) == identityFirst {
          group.addTask { GuestService.key(try await provider.identityID()) }
        } else {
          group.addTask { try await provider.poolCredentials(at: Self.now).accessKeyID }
        }
      }
      return try await group.reduce(into: [String]()) { $0.append($1) }
    }
    #expect(found == [String](repeating: "ASIA1", count: 64))
    #expect(service.asked == ["GetId", "GetCredentialsForIdentity us-east-1:1"])
    try await provider.clearIdentity()
    var told: [String?] = []
    for await change in changes {
      told.append(change.new)
      if told.count == 2 { break }
    }
    #expect(told == ["us-east-1:1", nil])
  }

  @Test func callersThatAreCancelled() async throws {
    let provider = try provider()
    let tasks = (0..<64).map { number in
      Task {
        number % 2 == 0
          ? GuestService.key(try await provider.identityID())
          : try await provider.poolCredentials(at: Self.now).accessKeyID
      }
    }
    try await eventually { !service.asked.isEmpty }
    for number in 0..<48 { tasks[number].cancel() }
    for task in tasks[48...] { #expect(try await task.value == "ASIA1") }
    for task in tasks { _ = await task.result }
    #expect(service.count("GetId") == 1)
    #expect(await provider.cachedIdentityID == "us-east-1:1")
  }

  /// A guest who signs in during the call for the identity keeps it.
  @Test func credentialsThatAreDroppedWhileTheIdentityIsAskedFor() async throws {
    let provider = try provider()
    let tasks = (0..<64).map { number in
      Task {
        number % 2 == 0
          ? GuestService.key(try await provider.identityID())
          : try await provider.poolCredentials(at: Self.now).accessKeyID
      }
    }
    try await eventually { !service.asked.isEmpty }
    await provider.clearCredentials()
    for task in tasks { #expect(try await task.value == "ASIA1") }
    #expect(service.count("GetId") == 1)
  }

  /// After a drop, the new logins are used, whichever call requested the identity and whether it succeeded.
  @Test(arguments: [true, false]) func loginsThatChangeWhileTheIdentityIsAskedFor(_ isFound: Bool)
    async throws
  {
    let service = ScriptedService()
    let found = ScriptedService.id("us-east-1:a")
    if isFound {
      service.answer("GetId", found)
    } else {
      service.answer("GetId", ScriptedService.refusal("NotAuthorizedException"), found)
    }
    service.answer(
      "GetCredentialsForIdentity",
      ScriptedService.credentials("us-east-1:a", until: IdentityProviderTests.start + 3_600))
    let gate = Gate()
    service.hold(gate)
    let logins = CountedLogins(["graph.facebook.com": "of before"])
    let provider = try IdentityProvider(
      poolID: Self.pool,
      calls: IdentityCalls(endpoint: try IdentityEndpoint(region: "us-east-1"), transport: service),
      logins: logins)
    let before = Task { try await provider.identityID() }
    try await eventually { !service.asked.isEmpty }
    logins.set(["accounts.google.com": "of now"])
    await provider.clearCredentials()
    let after = Task { try await provider.poolCredentials(at: Self.now).accessKeyID }
    try await eventually { await provider.state.attempt != nil }
    for _ in 0..<20 { await Task.yield() }
    gate.open()
    #expect(try await after.value == "ASIAEXAMPLE")
    _ = await before.result
    #expect(
      service.asked == ["GetId graph.facebook.com"] + (isFound ? [] : ["GetId accounts.google.com"])
        + ["GetCredentialsForIdentity us-east-1:a accounts.google.com"])
  }

  /// Another user gets another identity, and so do callers that waited for the first one.
  @Test func identityThatIsDroppedWhileItIsAskedFor() async throws {
    let store = FullStore(failures: 0)
    let provider = try provider(store: store)
    service.hold()
    let tasks = (0..<64).map { number in
      Task {
        number % 2 == 0
          ? GuestService.key(try await provider.identityID())
          : try await provider.poolCredentials(at: Self.now).accessKeyID
      }
    }
    try await eventually { !service.asked.isEmpty }
    try await provider.clearIdentity()
    service.release()
    for task in tasks { #expect(try await task.value == "ASIA2") }
    #expect(service.count("GetId") == 2)
    #expect(await provider.cachedIdentityID == "us-east-1:2")
    #expect(store.kept?.identityID == "us-east-1:2")
  }

  /// Calls and drops in any order: never more identities than users, and all calls agree on the last one.
  @Test(arguments: 1...8) func anyOrder(_ seed: Int) async throws {
    let store = FullStore(failures: 0)
    let provider = try provider(store: store)
    let drops = Tally()
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<200 {
        group.addTask {
          for _ in 0..<((number &* seed) % 37) { await Task.yield() }
          switch (number &* (seed + 7)) % 10 {
          case 0:
            drops.add()
            try? await provider.clearIdentity()
          case 1: await provider.clearCredentials()
          case 2...5: _ = try? await provider.identityID()
          default: _ = try? await provider.poolCredentials(at: Self.now)
          }
        }
      }
    }
    #expect(service.count("GetId") <= drops.value + 1)
    let identity = try await provider.identityID()
    #expect(try await provider.poolCredentials(at: Self.now).accessKeyID == GuestService.key(identity))
    #expect(await provider.cachedIdentityID == identity && store.kept?.identityID == identity)
  }

  /// A refused identity is not returned while it is being replaced.
  @Test func identityThatIsGivenUp() async throws {
    let store = FullStore(StoredIdentity(poolID: Self.pool, identityID: "us-east-1:99"), failures: 0)
    let provider = try provider(store: store)
    service.refuse("ResourceNotFoundException")
    async let credentials = provider.poolCredentials(at: Self.now).accessKeyID
    try await eventually { service.count("GetId") > 0 }
    #expect(try await provider.identityID() == "us-east-1:1")
    #expect(try await credentials == "ASIA1")
    #expect(service.count("GetId") == 1)
  }
}
