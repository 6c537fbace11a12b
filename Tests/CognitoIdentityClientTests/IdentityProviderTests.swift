internal import CognitoIdentityClient
internal import Foundation
internal import SigV4
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityTesting

/// The calls of the provider: which, when, and how often.
@Suite struct IdentityProviderTests {
  static let pool = "us-east-1:00000000-0000-4000-8000-000000000000"
  static let start: Int64 = 1_800_000_000
  static let now = Timestamp(seconds: start)

  let service = ScriptedService()

  func provider(
    _ logins: any LoginsSource = StaticLogins([:]), developer: FakeDeveloper? = nil,
    flow: IdentityProvider.Flow = .enhanced(), store: (any IdentityStateStore)? = nil,
    margin: Duration = .seconds(500)
  ) throws -> IdentityProvider {
    try IdentityProvider(
      poolID: Self.pool,
      calls: IdentityCalls(endpoint: try IdentityEndpoint(region: "us-east-1"), transport: service),
      logins: logins, developer: developer, flow: flow, store: store, margin: margin)
  }

  @Test func guestsAreAskedForOnce() async throws {
    service.answer("GetId", ScriptedService.id("us-east-1:a"))
    service.answer(
      "GetCredentialsForIdentity", ScriptedService.credentials("us-east-1:a", until: Self.start + 3_600))
    let logins = CountedLogins([:])
    let provider = try provider(logins)
    for seconds: Int64 in [0, 1, 3_099] {
      let credentials = try await provider.credentials(at: Timestamp(seconds: Self.start + seconds))
      #expect(credentials.accessKeyID == "ASIAEXAMPLE" && credentials.sessionToken == "token")
    }
    #expect(service.asked == ["GetId", "GetCredentialsForIdentity us-east-1:a"])
    #expect(logins.count == 1)
    // They are refreshed 500 seconds before they expire, with the cached identity.
    _ = try await provider.credentials(at: Timestamp(seconds: Self.start + 3_100))
    #expect(service.asked.count == 3 && service.asked.last == "GetCredentialsForIdentity us-east-1:a")
    #expect(logins.count == 2)
  }

  @Test(arguments: [(0, 3_599, 3_600), (600, 2_999, 3_000)] as [(Int64, Int64, Int64)])
  func marginIsASetting(_ margin: Int64, _ holds: Int64, _ refreshes: Int64) async throws {
    service.answer("GetId", ScriptedService.id("us-east-1:a"))
    service.answer(
      "GetCredentialsForIdentity", ScriptedService.credentials("us-east-1:a", until: Self.start + 3_600),
      ScriptedService.credentials("us-east-1:a", key: "ASIASECOND", until: Self.start + 9_000))
    let provider = try provider(margin: .seconds(margin))
    _ = try await provider.credentials(at: Self.now)
    #expect(
      try await provider.credentials(at: Timestamp(seconds: Self.start + holds)).accessKeyID == "ASIAEXAMPLE")
    #expect(
      try await provider.credentials(at: Timestamp(seconds: Self.start + refreshes)).accessKeyID
        == "ASIASECOND"
    )
  }

  @Test func oneRefreshHoweverManyWait() async throws {
    service.answer("GetId", ScriptedService.id("us-east-1:a"))
    service.answer(
      "GetCredentialsForIdentity", ScriptedService.credentials("us-east-1:a", until: Self.start + 3_600))
    let gate = Gate()
    service.hold(gate)
    let provider = try provider()
    try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<100 { group.addTask { try await provider.credentials(at: Self.now).accessKeyID } }
      group.addTask {
        try await eventually { !service.asked.isEmpty }
        gate.open()
        return "ASIAEXAMPLE"
      }
      for try await key in group { #expect(key == "ASIAEXAMPLE") }
    }
    #expect(service.asked == ["GetId", "GetCredentialsForIdentity us-east-1:a"])
  }

  @Test func developerIsAskedWhereItsNameIsAmongTheLogins() async throws {
    service.answer(
      "GetCredentialsForIdentity", ScriptedService.credentials("us-east-1:de", until: Self.start + 3_600))
    let developer = FakeDeveloper()
    let provider = try provider(
      StaticLogins(["login.my.app": "jane", "accounts.google.com": "google-token"]), developer: developer)
    _ = try await provider.credentials(at: Self.now)
    #expect(developer.asked == ["- accounts.google.com+login.my.app"])
    // The device sends only the developer's token, never the user's name.
    #expect(service.asked == ["GetCredentialsForIdentity us-east-1:de cognito-identity.amazonaws.com"])
    #expect(await provider.cachedIdentityID == "us-east-1:de")
    await provider.clearCredentials()
    _ = try await provider.credentials(at: Self.now)
    #expect(developer.asked.last == "us-east-1:de accounts.google.com+login.my.app")
  }

  @Test func otherLoginsGoToThePool() async throws {
    service.answer("GetId", ScriptedService.id("us-east-1:c"))
    service.answer(
      "GetCredentialsForIdentity", ScriptedService.credentials("us-east-1:c", until: Self.start + 3_600))
    let developer = FakeDeveloper()
    let provider = try provider(StaticLogins(["accounts.google.com": "t"]), developer: developer)
    _ = try await provider.credentials(at: Self.now)
    #expect(developer.asked.isEmpty)
    #expect(
      service.asked == [
        "GetId accounts.google.com", "GetCredentialsForIdentity us-east-1:c accounts.google.com",
      ])
  }

  @Test func guestBecomesSignedIn() async throws {
    service.answer("GetId", ScriptedService.id("us-east-1:a"))
    service.answer(
      "GetCredentialsForIdentity",
      ScriptedService.credentials("us-east-1:a", key: "ASIAGUEST", until: Self.start + 3_600),
      ScriptedService.credentials("us-east-1:de", key: "ASIAUSER", until: Self.start + 3_600))
    let logins = CountedLogins([:])
    let developer = FakeDeveloper()
    let provider = try provider(logins, developer: developer)
    let changes = await provider.changes()
    #expect(try await provider.credentials(at: Self.now).accessKeyID == "ASIAGUEST")
    logins.set(["login.my.app": "jane"])
    // No call before the credentials are dropped.
    #expect(try await provider.credentials(at: Self.now).accessKeyID == "ASIAGUEST")
    #expect(logins.count == 1)
    await provider.clearCredentials()
    #expect(await provider.cachedIdentityID == "us-east-1:a")
    #expect(try await provider.credentials(at: Self.now).accessKeyID == "ASIAUSER")
    #expect(developer.asked == ["us-east-1:a login.my.app"])
    try await provider.clearIdentity()
    var told: [IdentityChange] = []
    for await change in changes {
      told.append(change)
      if told.count == 3 { break }
    }
    #expect(told.map(\.old) == [nil, "us-east-1:a", "us-east-1:de"])
    #expect(told.map(\.new) == ["us-east-1:a", "us-east-1:de", nil])
  }

  @Test(arguments: ["NotAuthorizedException", "ResourceNotFoundException"])
  func unknownIdentityIsDroppedOnce(_ type: String) async throws {
    let store = MemoryState(StoredIdentity(poolID: Self.pool, identityID: "us-east-1:01d"))
    service.answer("GetId", ScriptedService.id("us-east-1:0e"))
    service.answer(
      "GetCredentialsForIdentity", ScriptedService.refusal(type),
      ScriptedService.credentials("us-east-1:0e", until: Self.start + 3_600))
    let provider = try provider(store: store)
    _ = try await provider.credentials(at: Self.now)
    #expect(
      service.asked == [
        "GetCredentialsForIdentity us-east-1:01d", "GetId", "GetCredentialsForIdentity us-east-1:0e",
      ])
    #expect(try store.load()?.identityID == "us-east-1:0e")
    // A second refusal is thrown: the call is repeated once only.
    service.answer("GetCredentialsForIdentity", ScriptedService.refusal(type))
    await provider.clearCredentials()
    var fault: IdentityClientError? = nil
    do { _ = try await provider.poolCredentials(at: Self.now) } catch { fault = error }
    #expect(fault == .refused(type: type, message: "no"))
    #expect(service.asked.count == 6)
  }

  @Test func newIdentityIsNotTriedTwice() async throws {
    service.answer("GetId", ScriptedService.id("us-east-1:a"))
    service.answer("GetCredentialsForIdentity", ScriptedService.refusal("NotAuthorizedException"))
    let provider = try provider()
    var fault: IdentityClientError? = nil
    do { _ = try await provider.poolCredentials(at: Self.now) } catch { fault = error }
    #expect(fault == .refused(type: "NotAuthorizedException", message: "no"))
    #expect(service.asked == ["GetId", "GetCredentialsForIdentity us-east-1:a"])
  }

  @Test func otherRefusalsAreTold() async throws {
    service.answer("GetId", ScriptedService.id("us-east-1:a"))
    service.answer(
      "GetCredentialsForIdentity", ScriptedService.refusal("com.example#TooManyRequestsException"))
    let provider = try provider()
    var fault: CredentialsError? = nil
    do { _ = try await provider.credentials(at: Self.now) } catch { fault = error }
    #expect(fault == .serviceRefused(status: 400, code: "TooManyRequestsException"))
    // The next call tries again.
    service.answer(
      "GetCredentialsForIdentity", ScriptedService.credentials("us-east-1:a", until: Self.start + 3_600))
    #expect(try await provider.credentials(at: Self.now).accessKeyID == "ASIAEXAMPLE")
  }

  @Test func answerToWhatWasDroppedIsNotKept() async throws {
    service.answer("GetId", ScriptedService.id("us-east-1:a"), ScriptedService.id("us-east-1:b"))
    service.answer(
      "GetCredentialsForIdentity",
      ScriptedService.credentials("us-east-1:a", key: "ASIAFIRST", until: Self.start + 3_600),
      ScriptedService.credentials("us-east-1:b", key: "ASIASECOND", until: Self.start + 3_600))
    let gate = Gate()
    service.hold(gate)
    let provider = try provider()
    async let first = provider.credentials(at: Self.now)
    try await eventually { !service.asked.isEmpty }
    // Another user signs in during the first user's call.
    try await provider.clearIdentity()
    gate.open()
    _ = try await first
    // Callers that waited for the first call get the result of the second.
    #expect(service.asked.count { $0.hasPrefix("GetId") } == 2)
    let key = try await provider.credentials(at: Self.now).accessKeyID
    #expect(await provider.cachedIdentityID == (key == "ASIASECOND" ? "us-east-1:b" : "us-east-1:a"))
    #expect(service.asked.count { $0.hasPrefix("GetId") } == 2)
  }

  /// A cancelled caller stops waiting. The call goes on for the others, and is not repeated.
  @Test func aCancelledCallerStopsWaiting() async throws {
    service.answer("GetId", ScriptedService.id("us-east-1:a"))
    service.answer(
      "GetCredentialsForIdentity",
      ScriptedService.credentials("us-east-1:a", until: Self.start + 3_600))
    let gate = Gate()
    service.hold(gate)
    let provider = try provider()
    let first = Task { try await provider.poolCredentials(at: Self.now) }
    try await eventually { !service.asked.isEmpty }
    let second = Task { try await provider.identityID() }
    first.cancel()
    await #expect(throws: IdentityClientError.unreachable("the call was cancelled")) { try await first.value }
    gate.open()
    #expect(try await second.value == "us-east-1:a")
    #expect(try await provider.credentials(at: Self.now).accessKeyID == "ASIAEXAMPLE")
    #expect(service.asked.count { $0.hasPrefix("GetId") } == 1)
  }

  @Test func basicFlowNeedsARoleForGuests() async throws {
    service.answer("GetId", ScriptedService.id("us-east-1:a"))
    service.answer(
      "GetOpenIdToken", ScriptedService.Answer(body: ["IdentityId": "us-east-1:a", "Token": "t"]))
    let provider = try provider(
      flow: .basic(authenticated: try RoleRequest(roleARN: "arn:aws:iam::123456789012:role/x")))
    var fault: IdentityClientError? = nil
    do { _ = try await provider.poolCredentials(at: Self.now) } catch { fault = error }
    #expect(fault?.code == .configurationInvalid)
  }

  @Test func stateIsTheOwnersAlone() async throws {
    let path = FileManager.default.temporaryDirectory.path + "/identity-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let file = IdentityStateFile(path: path)
    #expect(try file.load() == nil)
    service.answer("GetId", ScriptedService.id("us-east-1:a"))
    let provider = try provider(store: file)
    #expect(try await provider.identityID() == "us-east-1:a")
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text == #"{"identityPoolId":"\#(Self.pool)","identityId":"us-east-1:a"}"#)
    // At the next start it is loaded without a call.
    let next = try self.provider(store: file)
    #expect(await next.cachedIdentityID == "us-east-1:a")
    #expect(try await next.identityID() == "us-east-1:a")
    #expect(service.asked == ["GetId"])
    // A file that others can read is refused.
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    #expect(throws: IdentityClientError.self) { try file.load() }
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    try await next.clearIdentity()
    #expect(FileManager.default.fileExists(atPath: path) == false)
    try Data("{".utf8).write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    var fault: IdentityClientError? = nil
    do { _ = try file.load() } catch { fault = error }
    #expect(fault?.code == .stateUnavailable)
    // Another pool's identity is ignored.
    try file.save(StoredIdentity(poolID: "us-east-1:other", identityID: "us-east-1:z"))
    #expect(await (try self.provider(store: file)).cachedIdentityID == nil)
  }

  /// Two programs may replace the file at the same time: neither may rename what the other one has begun.
  @Test func aDraftOfAnotherProgramStays() throws {
    let path = FileManager.default.temporaryDirectory.path + "/identity-\(UUID().uuidString)"
    let draft = path + ".draft"
    defer { for path in [path, draft] { try? FileManager.default.removeItem(atPath: path) } }
    try Data("{".utf8).write(to: URL(filePath: draft))
    let state = StoredIdentity(poolID: Self.pool, identityID: "us-east-1:a")
    try IdentityStateFile(path: path).save(state)
    #expect(try IdentityStateFile(path: path).load() == state)
    #expect(try String(contentsOfFile: draft, encoding: .utf8) == "{")
  }

  static let endpoints: [(String, Bool)] = [
    ("https://id.example", true), ("https://id.example:8443", true), ("http://127.0.0.1:8008", true),
    ("http://localhost:1", true), ("http://[::1]:1", true), ("http://id.example", false),
    ("http://127.0.0.1.evil.example", false), ("http://localhost.evil.example", false),
    ("https://id.example/", false),
    ("https://id.example/path", false), ("ftp://id.example", false), ("", false),
  ]

  @Test(arguments: endpoints)
  func endpointsAreCheckedFirst(_ address: String, _ isOne: Bool) {
    #expect(((try? IdentityEndpoint(address: address, region: "us-east-1")) != nil) == isOne)
  }

  @Test func regionsEndpoints() throws {
    #expect(
      try IdentityEndpoint(region: "eu-west-1").identity == "https://cognito-identity.eu-west-1.amazonaws.com"
    )
    #expect(try IdentityEndpoint(region: "cn-north-1").tokens == "https://sts.cn-north-1.amazonaws.com.cn")
    for region in ["", "europe", "eu west 1", "evil.example/eu-west-1", "EU-WEST-1"] {
      #expect(throws: IdentityClientError.self) { try IdentityEndpoint(region: region) }
    }
    #expect(throws: IdentityClientError.self) {
      try IdentityProvider(
        poolID: "eu-west-1:x",
        calls: IdentityCalls(endpoint: IdentityEndpoint(region: "us-east-1"), transport: service))
    }
  }

  static let answers: [(Int, String, String)] = [
    (200, "", "answer_malformed"), (200, "{}", "answer_malformed"), (200, "[]", "answer_malformed"),
    (200, #"{"IdentityId": 5}"#, "answer_malformed"), (200, #"{"IdentityId": ""}"#, "answer_malformed"),
    (500, "<html>", "answer_malformed"), (400, #"{"__type":"X"}"#, "service_refused_call"),
    (200, #"{"IdentityId": "us-east-1:a"}"#, ""),
  ]
}

/// A store in memory.
final class MemoryState: IdentityStateStore {
  private let state: MutexBox

  init(_ state: StoredIdentity?) { self.state = MutexBox(state) }

  func load() throws(IdentityClientError) -> StoredIdentity? { state.get() }
  func save(_ state: StoredIdentity?) throws(IdentityClientError) { self.state.set(state) }
}
