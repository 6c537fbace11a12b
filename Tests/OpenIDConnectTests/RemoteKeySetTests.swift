internal import JOSE
internal import Logging
@testable internal import OpenIDConnect
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityTesting

/// How a remote key set is fetched, cached and dropped.
@Suite struct RemoteKeySetTests {
  static let address = "https://issuer.example/jwks.json"
  let clock = SettableClock()
  /// How often the key set has read the clock.
  let readings = Tally()
  /// The clock of the time limits of fetches.
  let timers = SettableClock()
  let fetcher = ScriptedFetcher()
  let issuer: Issuer

  init() throws { issuer = try Issuer("https://issuer.example", kid: "one") }

  private func set(_ change: (inout RemoteKeySetConfiguration) -> Void = { _ in }) throws -> RemoteKeySet {
    var configuration = RemoteKeySetConfiguration()
    configuration.timeout = .seconds(60)
    change(&configuration)
    let (clock, readings) = (clock, readings)
    return RemoteKeySet(
      .address(try HTTPURL(Self.address)), transport: fetcher, configuration: configuration, logger: .silent,
      timers: timers
    ) {
      readings.add()
      return clock.seconds
    }
  }

  private func header(_ kid: String) throws -> JOSEHeader {
    try UnverifiedToken(Issuer(issuer.name, kid: kid).token()).header
  }

  /// The ids of the cached keys.
  private func cachedIDs(_ set: RemoteKeySet) -> [String]? { set.cached?.keys.compactMap(\.keyID) }

  private func code(_ set: RemoteKeySet) async -> String? {
    do throws(OpenIDError) {
      try await set.prefetch()
      return nil
    } catch { return error.codeText }
  }

  @Test func isCachedForTheLifetimeOfTheResponse() async throws {
    fetcher.answer(Self.address, Issuer.set(issuer), cacheControl: "public, max-age=3600")
    let set = try set()
    #expect(set.cached == nil)
    try await set.prefetch()
    #expect(cachedIDs(set) == ["one"])
    clock.advance(by: .seconds(2_699))
    try await set.prefetch()
    #expect(fetcher.count == 1)
    clock.advance(by: .seconds(901))
    try await set.prefetch()
    #expect(fetcher.count == 2)
  }

  /// The bounds of the lifetime: (`Cache-Control` of the response, lifetime in seconds).
  @Test(arguments: [
    (nil, 900), ("max-age=0", 60), ("max-age=59", 60), ("no-store", 60), ("no-cache, max-age=600", 60),
    ("max-age=600", 600), ("max-age=\"600\"", 600), ("MAX-AGE=600, max-age=700", 600),
    ("max-age=99999999999999999999", 86_400), ("max-age=-5", 900), ("max-age=x", 900), ("s-maxage=7", 900),
  ])
  func lifetimesAreBounded(_ field: String?, _ seconds: Int64) async throws {
    fetcher.answer(Self.address, Issuer.set(issuer), cacheControl: field)
    let set = try set { $0.grace = .zero }
    try await set.prefetch()
    clock.advance(by: .seconds(seconds - 1))
    #expect(set.cached != nil)
    clock.advance(by: .seconds(1))
    #expect(set.cached == nil)
  }

  @Test func ageIsSubtracted() {
    #expect(CacheControl(cacheControl: "max-age=600", age: "100").freshSeconds == 500)
    #expect(CacheControl(cacheControl: "max-age=600", age: "700").freshSeconds == 0)
    #expect(CacheControl(cacheControl: "max-age=600", age: "x").freshSeconds == 600)
  }

  @Test func isRefreshedInTheBackgroundBeforeItExpires() async throws {
    fetcher.answer(Self.address, Issuer.set(issuer), cacheControl: "max-age=1000")
    let set = try set()
    try await set.prefetch()
    let header = try header("one")
    clock.advance(by: .seconds(749))
    #expect(set.cachedKeys(for: header) != nil)
    #expect(fetcher.count == 1)
    clock.advance(by: .seconds(1))
    #expect(set.cachedKeys(for: header) != nil)
    try await eventually { fetcher.count == 2 }
    // The lifetime starts again.
    clock.advance(by: .seconds(900))
    #expect(set.cached != nil)
  }

  @Test func sendsTheTagAndKeepsUnchangedKeys() async throws {
    fetcher.answer(Self.address, Issuer.set(issuer), cacheControl: "max-age=100", tag: "\"v1\"")
    let set = try set()
    try await set.prefetch()
    fetcher.answer(Self.address) { _ in
      .success(ScriptedFetcher.response("", status: 304, cacheControl: "max-age=200"))
    }
    clock.advance(by: .seconds(100))
    try await set.prefetch()
    #expect(fetcher.requests.map { $0.headers["If-None-Match"] } == [nil, "\"v1\""])
    #expect(cachedIDs(set) == ["one"])
    clock.advance(by: .seconds(149))
    try await set.prefetch()
    #expect(fetcher.count == 2)
  }

  @Test func notModifiedWithoutATagIsAnError() async throws {
    fetcher.answer(Self.address) { _ in .success(ScriptedFetcher.response("", status: 304)) }
    #expect(await code(try set()) == "fetch_status")
  }

  @Test func anUnknownKeyMakesOneFetchForAThousandCallers() async throws {
    fetcher.answer(Self.address, Issuer.set(issuer))
    let set = try set()
    try await set.prefetch()
    let new = try issuer.rotated(to: "two")
    let text = Issuer.set(issuer, new)
    let (gate, begun) = (Gate(), Tally())
    fetcher.answer(Self.address) { _ in
      await gate.pass()
      return .success(ScriptedFetcher.response(text))
    }
    let header = try UnverifiedToken(new.token()).header
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<1_000 {
        group.addTask {
          begun.add()
          return try await set.keys(for: header).knows(header)
        }
      }
      try await eventually { begun.value == 1_000 && gate.waiting == 1 }
      gate.open()
      for try await known in group { #expect(known) }
    }
    #expect(fetcher.count == 2)
    #expect(fetcher.mostUnderWay == 1)
  }

  @Test func unknownKeyIDsCostOneFetchPerCoolDown() async throws {
    fetcher.answer(Self.address, Issuer.set(issuer))
    let set = try set()
    try await set.prefetch()
    for number in 0..<50 {
      let header = try header("made up \(number)")
      #expect(try await set.keys(for: header).knows(header) == false)
    }
    #expect(fetcher.count == 2)
    clock.advance(by: .seconds(9))
    _ = try await set.keys(for: header("another"))
    #expect(fetcher.count == 2)
    clock.advance(by: .seconds(1))
    _ = try await set.keys(for: header("another"))
    #expect(fetcher.count == 3)
  }

  @Test func aTokenWithoutAKeyIDSearchesNothing() async throws {
    fetcher.answer(Self.address, Issuer.set(issuer))
    let set = try set()
    try await set.prefetch()
    let header = try UnverifiedToken(
      TokenSigner(key: JWK.generate(.es256).nameless).issue(TokenClaims())
    ).header
    #expect(header.keyID == nil)
    _ = try await set.keys(for: header)
    #expect(fetcher.count == 1)
  }

  @Test func keysAreUsedForABoundedTimeWhileFetchesFail() async throws {
    fetcher.answer(Self.address, Issuer.set(issuer), cacheControl: "max-age=100")
    let set = try set { $0.grace = .seconds(500) }
    try await set.prefetch()
    fetcher.fail(Self.address, status: 500)
    let header = try header("one")
    clock.advance(by: .seconds(100))
    #expect(try await set.keys(for: header).knows(header))
    #expect(fetcher.count == 2)
    clock.advance(by: .seconds(499))
    #expect(try await set.keys(for: header).knows(header))
    clock.advance(by: .seconds(1))
    await #expect(throws: OpenIDError.keysUnavailable(address: Self.address, .status(500))) {
      _ = try await set.keys(for: header)
    }
    #expect(set.cachedKeys(for: header) == nil)
  }

  @Test func failedFetchesBackOff() async throws {
    fetcher.fail(Self.address, .timeout(.seconds(5)))
    let set = try set()
    var waits: [Int64] = []
    for _ in 0..<9 {
      let before = fetcher.count
      var waited: Int64 = 0
      while fetcher.count == before {
        #expect(await code(set) == "fetch_timeout")
        if fetcher.count == before {
          clock.advance(by: .seconds(1))
          waited += 1
        }
      }
      waits.append(waited)
    }
    #expect(waits == [0, 1, 2, 4, 8, 16, 32, 60, 60])
  }

  /// Responses that never replace a usable set, and the error codes.
  static let uselessAnswers: [(TransportResponse, String)] = [
    (ScriptedFetcher.response(#"{"keys":[]}"#), "fetch_no_usable_key"),
    (ScriptedFetcher.response(#"{"keys":[{"kty":"RSA","n":"AQAB","e":"AQAB"}]}"#), "fetch_no_usable_key"),
    (ScriptedFetcher.response(#"{"keys":[{"kty":"future"}]}"#), "fetch_no_usable_key"),
    (ScriptedFetcher.response(#"{"keys":{}}"#), "fetch_unreadable"),
    (ScriptedFetcher.response("[]"), "fetch_unreadable"), (ScriptedFetcher.response(""), "fetch_unreadable"),
    (ScriptedFetcher.response(#"{"keys":[],"keys":[]}"#), "fetch_unreadable"),
    (ScriptedFetcher.response("<html>", type: "text/html; charset=utf-8"), "fetch_web_page"),
    (ScriptedFetcher.response("{}", status: 500), "fetch_status"),
    (ScriptedFetcher.response("{}", status: 204), "fetch_status"),
    (ScriptedFetcher.response("{}", status: 302), "fetch_redirect"),
    (ScriptedFetcher.response(String(repeating: " ", count: 262_145)), "fetch_too_large"),
  ]

  @Test(arguments: uselessAnswers.indices)
  func unusableResponsesNeverReplaceKeys(_ index: Int) async throws {
    let (answer, code) = Self.uselessAnswers[index]
    fetcher.answer(Self.address, Issuer.set(issuer), cacheControl: "max-age=100")
    let set = try set()
    try await set.prefetch()
    fetcher.answer(Self.address) { _ in .success(answer) }
    clock.advance(by: .seconds(200))
    try await set.prefetch()
    #expect(fetcher.count == 2)
    #expect(cachedIDs(set) == ["one"])
    // The same response for a new set fails.
    #expect(await self.code(try self.set()) == code)
  }

  /// A set with a private, a symmetric and a public key: the malformed private members of the first are
  /// ignored, and the second is rejected.
  @Test func privateAndSymmetricKeysAreIgnored() async throws {
    var leaked = issuer.key.publicJWK ?? [:]
    for name in ["d", "p", "q", "dp", "dq", "qi"] { leaked[name] = "!" }
    leaked["kid"] = "leaked"
    let shared: JSONObject = ["kty": "oct", "kid": "shared", "k": .string(String(repeating: "A", count: 43))]
    let set: JSONObject = ["keys": [.object(leaked), .object(shared), .object(issuer.key.publicJWK ?? [:])]]
    fetcher.answer(Self.address, JSONValue.object(set).description)
    let remote = try self.set()
    try await remote.prefetch()
    #expect(cachedIDs(remote) == ["leaked", "one"])
    #expect(remote.cached?.keys.allSatisfy { !$0.isPrivate && $0.kind != .symmetric } == true)
    #expect(remote.cached?.rejected.map(\.keyID) == ["shared"])
    // A set with the symmetric key only has no usable key.
    fetcher.answer(Self.address, JSONValue.object(["keys": [.object(shared)]]).description)
    #expect(await code(try self.set()) == "fetch_no_usable_key")
  }

  @Test func aTokenSignedWithASymmetricKeyOfARemoteSetIsRefused() async throws {
    let text = String(repeating: "A", count: 43)
    var key = try JWK(
      json: JSONValue.object(["kty": "oct", "kid": "shared", "k": .string(text)]).description)
    key.keyID = "shared"
    let set: JSONObject = [
      "keys": [.object(issuer.key.publicJWK ?? [:]), ["kty": "oct", "kid": "shared", "k": .string(text)]]
    ]
    fetcher.answer(Self.address, JSONValue.object(set).description)
    let verifier = try OpenIDVerifier(
      [TrustedIssuer(policy: issuer.policy, keys: .remote(.address(try HTTPURL(Self.address))))],
      transport: fetcher)
    let token = try TokenSigner(key: key, algorithm: .hs256).issue(
      TokenClaims(issuer: issuer.name, subject: "jane", audience: ["api"]))
    await #expect {
      try await verifier.verifyFetchingKeys(token)
    } throws: { ($0 as? OpenIDError)?.codeText == "key_not_found" }
    _ = try await verifier.verifyFetchingKeys(issuer.token())
  }

  @Test func setsWithTooManyKeysAreRefused() async throws {
    let key = JSONValue.object(issuer.key.publicJWK ?? [:])
    func answer(_ count: Int) -> String {
      JSONValue.object(["keys": .array(Array(repeating: key, count: count))]).description
    }
    fetcher.answer(Self.address, answer(256))
    #expect(await code(try set()) == nil)
    fetcher.answer(Self.address, answer(257))
    #expect(await code(try set()) == "fetch_too_many_keys")
    fetcher.answer(
      Self.address, #"{"keys":["# + Array(repeating: "{}", count: 80_000).joined(separator: ",") + "]}")
    #expect(await code(try set()) == "fetch_unreadable")
  }

  /// A client that does not end and ignores cancellation: the time limit applies, and the next fetch starts.
  @Test func aClientThatIgnoresCancellationIsAbandoned() async throws {
    let gate = Gate()
    fetcher.answer(Self.address) { _ in
      await gate.pass()
      return .failure(.connection("late"))
    }
    let set = try set()
    async let late = code(set)
    try await eventually { gate.waiting == 1 && timers.sleepers == 1 }
    timers.advance(by: .seconds(60))
    #expect(await late == "fetch_timeout")
    fetcher.answer(Self.address, Issuer.set(issuer))
    clock.advance(by: .seconds(60))
    #expect(await code(set) == nil)
    gate.open()
  }

  @Test func aClientThatNeverEndsTimesOut() async throws {
    fetcher.answer(Self.address) { _ in
      await untilCancelled()
      return .failure(.connection("cancelled"))
    }
    let set = try set()
    let code = try await timers.advancing(by: .seconds(1)) { await self.code(set) }
    #expect(code == "fetch_timeout")
  }

  @Test(arguments: [
    ("http://issuer.example/jwks", false), ("http://127.0.0.1:8080/jwks", true),
    ("http://localhost/jwks", true),
    ("http://[::1]/jwks", true), ("http://127.0.0.1.example/jwks", false), ("http://10.0.0.1/jwks", false),
  ])
  func plainHTTPIsForLoopbackOnly(_ address: String, _ isAllowed: Bool) async throws {
    fetcher.answer(address, Issuer.set(issuer))
    for asked in [false, true] {
      var configuration = RemoteKeySetConfiguration()
      configuration.allowsPlainLoopback = asked
      let set = RemoteKeySet(.address(try HTTPURL(address)), transport: fetcher, configuration: configuration)
      #expect(await code(set) == (asked && isAllowed ? nil : "fetch_not_secure"))
    }
  }

  @Test func keepFreshFetchesWithoutTokens() async throws {
    fetcher.answer(Self.address, Issuer.set(issuer), cacheControl: "max-age=100")
    let set = try set()
    let task = Task { await set.keepFresh() }
    try await eventually { self.cachedIDs(set) == ["one"] }
    task.cancel()
    await task.value
    #expect(fetcher.count == 1)
  }

  @Test func keepFreshJoinsTheFetchInProgress() async throws {
    let set = try set()
    let text = Issuer.set(issuer)
    let gate = Gate()
    fetcher.answer(Self.address) { _ in
      await gate.pass()
      return .success(ScriptedFetcher.response(text))
    }
    #expect(set.cachedKeys(for: try header("one")) == nil)
    try await eventually { gate.waiting == 1 }
    let before = readings.value
    let task = Task { await set.keepFresh() }
    // It has looked, and waits for the fetch.
    try await eventually { readings.value > before }
    gate.open()
    try await eventually { self.cachedIDs(set) == ["one"] }
    task.cancel()
    await task.value
    #expect(fetcher.count == 1)
  }

  @Test func theWallClockDoesNotMatter() async throws {
    // Keys expire by a monotonic clock; tokens are verified at the given instant.
    fetcher.answer(Self.address, Issuer.set(issuer), cacheControl: "max-age=100")
    let clock = self.clock
    let verifier = try OpenIDVerifier(
      [TrustedIssuer(policy: issuer.policy, keys: .remote(.address(try HTTPURL(Self.address))))],
      transport: fetcher, configuration: RemoteKeySetConfiguration(), logger: .silent
    ) { clock.seconds }
    let now = NumericDate(seconds: 1_767_225_600)
    let token = try issuer.token(at: now)
    _ = try await verifier.verifyFetchingKeys(token, at: now)
    let yesterday = now.advanced(bySeconds: -86_400)
    #expect(throws: OpenIDError.token(.issuedInFuture(at: now, now: yesterday))) {
      try verifier.verify(token, at: yesterday)
    }
    #expect(fetcher.count == 1)
    clock.advance(by: .seconds(5_000))
    #expect(throws: OpenIDError.keysNotCached(issuer: issuer.name)) { try verifier.verify(token, at: now) }
  }
}

extension JWK {
  /// The key without its id.
  var nameless: JWK {
    var key = self
    key.keyID = nil
    return key
  }
}
