internal import CognitoIdentityClient
internal import Synchronization
internal import Testing
internal import TokenSecurityBase

/// Sources of logins: those that change, and those that fail.
@Suite struct LoginsSourceTests {
  private static let pool = IdentityProviderTests.pool
  private static let now = IdentityProviderTests.now
  private let service = ScriptedService()

  private func provider(
    _ logins: any LoginsSource, account: String? = nil
  ) throws -> IdentityProvider {
    try IdentityProvider(
      poolID: Self.pool, accountID: account,
      calls: IdentityCalls(endpoint: try IdentityEndpoint(region: "us-east-1"), transport: service),
      logins: logins)
  }

  /// A source that throws what a test sets.
  private final class FaultyLogins: LoginsSource {
    private let state: Mutex<(fault: IdentityClientError?, count: Int)>

    init(_ fault: IdentityClientError?) { state = Mutex((fault, 0)) }

    var count: Int { state.withLock { $0.count } }
    func set(_ fault: IdentityClientError?) { state.withLock { $0.fault = fault } }

    func logins() async throws(IdentityClientError) -> [String: String] {
      let fault = state.withLock { state in
        state.count += 1
        return state.fault
      }
      if let fault { throw fault }
      return ["www.example.com": "token"]
    }
  }

  private func answerAll() {
    service.answer("GetId", ScriptedService.id("us-east-1:a"))
    service.answer(
      "GetCredentialsForIdentity",
      ScriptedService.credentials("us-east-1:a", until: IdentityProviderTests.start + 600),
      ScriptedService.credentials("us-east-1:a", until: IdentityProviderTests.start + 90_000))
  }

  @Test(arguments: [
    IdentityClientError.loginsUnavailable("the session is away"), .unreachable("no network"),
    .refused(type: "NotAuthorizedException", message: "the session has ended"),
    .stateUnavailable("the disk is lost"),
  ])
  func aSourceThatFailsIsTheFailureOfTheCallAndNothingIsSent(fault: IdentityClientError) async throws {
    answerAll()
    let source = FaultyLogins(fault)
    let provider = try provider(source)
    await #expect(throws: fault) { _ = try await provider.identityID() }
    await #expect(throws: fault) { _ = try await provider.poolCredentials(at: Self.now) }
    #expect(service.asked.isEmpty)
  }

  @Test(arguments: [
    IdentityClientError.loginsUnavailable("the session is away"),
    .refused(type: "NotAuthorizedException", message: "the session has ended"),
    .refused(type: "ResourceNotFoundException", message: "the session has ended"),
  ])
  func aSourceThatFailsCostsNoIdentity(fault: IdentityClientError) async throws {
    answerAll()
    let source = FaultyLogins(nil)
    let provider = try provider(source)
    _ = try await provider.poolCredentials(at: Self.now)
    let calls = service.asked.count
    source.set(fault)
    let reads = source.count
    // The credentials expire within the margin.
    let late = Self.now + .seconds(300)
    await #expect(throws: fault) { _ = try await provider.poolCredentials(at: late) }
    #expect(source.count == reads + 1 && service.asked.count == calls)
    #expect(await provider.cachedIdentityID == "us-east-1:a")
    source.set(nil)
    _ = try await provider.poolCredentials(at: late)
    #expect(service.asked.count == calls + 1)
  }

  @Test func loginsChangeWhileAProviderUsesThem() async throws {
    service.answer("GetId", ScriptedService.id("us-east-1:a"))
    service.answer(
      "GetCredentialsForIdentity",
      ScriptedService.credentials("us-east-1:a", until: IdentityProviderTests.start + 90_000))
    let logins = MutableLogins()
    let provider = try provider(logins)
    _ = try await provider.poolCredentials(at: Self.now)
    logins["www.example.com"] = "token"
    #expect(logins["www.example.com"] == "token" && logins["WWW.example.com"] == nil)
    // Cached credentials serve until they are dropped.
    _ = try await provider.poolCredentials(at: Self.now)
    await provider.clearCredentials()
    _ = try await provider.poolCredentials(at: Self.now)
    #expect(
      service.asked == [
        "GetId", "GetCredentialsForIdentity us-east-1:a",
        "GetCredentialsForIdentity us-east-1:a www.example.com",
      ])
    logins["www.example.com"] = nil
    #expect(try await logins.logins().isEmpty)
    logins.replace(with: ["a.example": "1", "b.example": "2"])
    #expect(try await logins.logins().keys.sorted() == ["a.example", "b.example"])
  }

  @Test func theAccountIsSent() async throws {
    answerAll()
    _ = try await provider(StaticLogins([:]), account: "123456789012").identityID()
    #expect(service.accounts == ["123456789012"])
  }

  @Test(arguments: ["", "12345678901a", "1234567890123456", "١٢٣"])
  func anAccountThatIsNoNumberIsRefused(account: String) {
    #expect { try provider(StaticLogins([:]), account: account) } throws: {
      ($0 as? IdentityClientError)?.code == .configurationInvalid
    }
  }

  /// The names that pools have in their settings.
  @Test func namesOfPublicProviders() async throws {
    let logins = MutableLogins([LoginName.facebook: "a", LoginName.google: "b"])
    logins[LoginName.amazon] = "c"
    logins[LoginName.apple] = "d"
    #expect(
      try await logins.logins() == [
        "graph.facebook.com": "a", "accounts.google.com": "b", "www.amazon.com": "c",
        "appleid.apple.com": "d",
      ])
  }
}
