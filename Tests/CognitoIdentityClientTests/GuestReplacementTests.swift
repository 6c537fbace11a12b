@testable internal import CognitoIdentityClient
internal import SigV4
internal import Synchronization
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityTesting

/// A guest who signs in as a developer's user with another identity.
@Suite struct GuestReplacementTests {
  static let now = IdentityProviderTests.now
  static let taken = IdentityClientError.refused(
    type: "DeveloperUserAlreadyRegisteredException", message: "no")

  let service = ScriptedService()
  let developer = FakeDeveloper()
  let logins = CountedLogins([:])
  let store = MemoryState(nil)

  init() {
    let end = IdentityProviderTests.start + 3_600
    service.answer("GetId", ScriptedService.id("us-east-1:a"))
    service.answer(
      "GetCredentialsForIdentity", ScriptedService.credentials("us-east-1:a", key: "ASIAGUEST", until: end),
      ScriptedService.credentials("us-east-1:de", key: "ASIAUSER", until: end))
  }

  func provider(
    _ decide: @escaping @Sendable (IdentityChange) async -> Bool = { _ in true }
  ) throws -> IdentityProvider {
    try IdentityProvider(
      poolID: IdentityProviderTests.pool,
      calls: IdentityCalls(endpoint: try IdentityEndpoint(region: "us-east-1"), transport: service),
      logins: logins, developer: developer, store: store, shouldReplaceGuest: decide)
  }

  /// The provider of a guest whose logins are now those of a developer's user.
  func signedIn(
    _ decide: @escaping @Sendable (IdentityChange) async -> Bool = { _ in true }
  ) async throws -> IdentityProvider {
    let provider = try provider(decide)
    #expect(try await provider.credentials(at: Self.now).accessKeyID == "ASIAGUEST")
    logins.set(["login.my.app": "jane"])
    await provider.clearCredentials()
    return provider
  }

  static func error(_ body: () async throws -> Void) async -> IdentityClientError? {
    do { try await body() } catch { return error as? IdentityClientError }
    return nil
  }

  /// Both ways in which the application's service can tell: the pool's refusal, and the user's identity at once.
  @Test(arguments: [true, false]) func theUsersIdentityReplacesTheGuests(_ isRefused: Bool) async throws {
    let asked = Recorded<IdentityChange>()
    let provider = try await signedIn {
      asked.append($0)
      return true
    }
    let changes = await provider.changes()
    if isRefused { developer.fail(Self.taken) }
    #expect(try await provider.credentials(at: Self.now).accessKeyID == "ASIAUSER")
    #expect(developer.asked == ["us-east-1:a login.my.app"] + (isRefused ? ["- login.my.app"] : []))
    #expect(service.asked.last == "GetCredentialsForIdentity us-east-1:de cognito-identity.amazonaws.com")
    #expect(asked.values.map(\.old) == ["us-east-1:a"] && asked.values.map(\.new) == ["us-east-1:de"])
    #expect(try await provider.identityID() == "us-east-1:de")
    #expect(try store.load()?.identityID == "us-east-1:de")
    #expect(await changes.first { _ in true } == asked.values.first)
    // The next token is for the user's identity.
    await provider.clearCredentials()
    _ = try await provider.credentials(at: Self.now)
    #expect(developer.asked.last == "us-east-1:de login.my.app" && asked.values.count == 1)
  }

  /// Nothing has changed while the application decides, and nothing changes where it keeps the guest's identity.
  @Test func theGuestsIdentityIsKept() async throws {
    let held = Recorded<IdentityProvider>()
    let seen = Recorded<String>()
    let provider = try await signedIn { _ in
      if let provider = held.values.first {
        seen.append((try? await provider.identityID()) ?? "")
      }
      return false
    }
    held.append(provider)
    for count in 1...3 {
      developer.fail(Self.taken)
      let error = await Self.error { _ = try await provider.poolCredentials(at: Self.now) }
      #expect(error == .identityKept(guest: "us-east-1:a", user: "us-east-1:de"))
      #expect(error?.codeText == "guest_identity_kept")
      #expect(seen.values.count == count)
    }
    #expect(seen.values.allSatisfy { $0 == "us-east-1:a" })
    #expect(await provider.cachedIdentityID == "us-east-1:a")
    #expect(try store.load()?.identityID == "us-east-1:a")
    // Without the user the guest goes on.
    logins.set([:])
    await provider.clearCredentials()
    _ = try await provider.credentials(at: Self.now)
    #expect(service.asked.last == "GetCredentialsForIdentity us-east-1:a")
  }

  /// A refusal without an identity is told, and so is any other one, at once.
  @Test func otherRefusalsAreTold() async throws {
    let provider = try await signedIn()
    developer.fail(Self.taken, Self.taken)
    #expect(await Self.error { _ = try await provider.poolCredentials(at: Self.now) } == Self.taken)
    #expect(developer.asked.count == 2)
    developer.fail(.developerFailed("no"))
    #expect(
      await Self.error { _ = try await provider.poolCredentials(at: Self.now) } == .developerFailed("no"))
    #expect(developer.asked.count == 3)
    #expect(await provider.cachedIdentityID == "us-east-1:a")
  }

  /// The user signs in while the guest's identity is requested.
  @Test func aSignInDuringTheSearch() async throws {
    service.answer(
      "GetCredentialsForIdentity",
      ScriptedService.credentials("us-east-1:de", until: IdentityProviderTests.start + 3_600))
    let gate = Gate()
    service.hold(gate)
    let asked = Recorded<IdentityChange>()
    let provider = try provider {
      asked.append($0)
      return true
    }
    let guest = Task { try await provider.identityID() }
    try await eventually { service.asked == ["GetId"] }
    logins.set(["login.my.app": "jane"])
    await provider.clearCredentials()
    developer.fail(Self.taken)
    let user = Task { try await provider.poolCredentials(at: Self.now) }
    try await eventually { await provider.state.attempt != nil }
    gate.open()
    _ = try await user.value
    _ = try await guest.value
    #expect(developer.asked == ["us-east-1:a login.my.app", "- login.my.app"])
    #expect(asked.values.map(\.new) == ["us-east-1:de"])
    #expect(await provider.cachedIdentityID == "us-east-1:de")
  }

  /// Credentials wait for the decision: its own request for them is refused. A task that it starts may request them later.
  @Test func aDecisionThatWaitsForItsProvider() async throws {
    let held = Recorded<IdentityProvider>()
    let refused = Recorded<IdentityClientError>()
    let later = Recorded<Task<String, any Error>>()
    let gate = Gate()
    let provider = try await signedIn { _ in
      guard let provider = held.values.first else { return false }
      do throws(IdentityClientError) { _ = try await provider.poolCredentials(at: Self.now) } catch {
        refused.append(error)
      }
      later.append(
        Task {
          await gate.pass()
          return try await provider.poolCredentials(at: Self.now).accessKeyID
        })
      return true
    }
    held.append(provider)
    developer.fail(Self.taken)
    #expect(try await provider.credentials(at: Self.now).accessKeyID == "ASIAUSER")
    #expect(refused.values.map(\.code) == [.configurationInvalid])
    gate.open()
    #expect(try await later.values.first?.value == "ASIAUSER")
  }
}

/// Values that closures of a test add.
final class Recorded<Value: Sendable>: Sendable {
  private let state = Mutex<[Value]>([])

  var values: [Value] { state.withLock { $0 } }
  func append(_ value: Value) { state.withLock { $0.append(value) } }
}
