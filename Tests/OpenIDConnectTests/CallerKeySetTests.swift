internal import HTTPExchange
internal import JOSE
@testable internal import OpenIDConnect
internal import Synchronization
internal import Testing
internal import TokenLifetime
internal import TokenSecurityTesting

/// Key sets that their callers fetch: the same rules as for those that tasks fetch.
@Suite struct CallerKeySetTests {
  private static let address = "https://issuer.example/jwks.json"
  private let clock = SettableClock()
  private let fetcher = CallerScript()
  private let issuer: Issuer

  init() throws { issuer = try Issuer("https://issuer.example", kid: "one") }

  private func verifier(
    _ keys: KeySetLocation? = nil, _ change: (inout RemoteKeySetConfiguration) -> Void = { _ in }
  ) throws -> CallerVerifier {
    var configuration = RemoteKeySetConfiguration()
    change(&configuration)
    let (clock, fetcher) = (clock, fetcher)
    let location = try keys ?? .address(Self.address)
    return try CallerVerifier(
      [TrustedIssuer(policy: issuer.policy, keys: .remote(location))], configuration: configuration,
      clocks: CallerClocks(seconds: { clock.seconds }, milliseconds: { fetcher.milliseconds }))
  }

  /// The time that a call may spend: a minute.
  private var fetch: CallerFetch { CallerFetch(fetcher, deadline: fetcher.milliseconds + 60_000) }

  private func code(
    _ verifier: CallerVerifier, _ signer: Issuer? = nil, fetching isFetching: Bool = true
  ) throws -> String? {
    let token = try (signer ?? issuer).token()
    do throws(CallerFetchError) {
      _ = try verifier.verify(token, at: .now) { isFetching ? fetch : nil }
      return nil
    } catch {
      return error.code
    }
  }

  private func refreshCode(_ verifier: CallerVerifier) -> String? {
    do throws(CallerFetchError) {
      try verifier.refresh(fetch)
      return nil
    } catch {
      return error.code
    }
  }

  @Test func keysAreFetchedWhenTheyAreNeeded() throws {
    fetcher.answer(Issuer.set(issuer), cacheControl: "max-age=1000")
    let verifier = try verifier()
    #expect(try code(verifier, fetching: false) == "keys_not_held")
    #expect(fetcher.count == 0)
    #expect(try code(verifier) == nil && code(verifier, fetching: false) == nil)
    // In the last quarter a token fetches nothing; a refresh does.
    clock.advance(by: .seconds(749))
    #expect(verifier.secondsUntilRefresh == 1 && refreshCode(verifier) == nil && fetcher.count == 1)
    clock.advance(by: .seconds(1))
    #expect(try code(verifier) == nil && fetcher.count == 1)
    #expect(verifier.secondsUntilRefresh == 0 && refreshCode(verifier) == nil && fetcher.count == 2)
    #expect(verifier.secondsUntilRefresh == 750)
    // After their lifetime the next token that may fetch does.
    clock.advance(by: .seconds(1_000))
    #expect(try code(verifier, fetching: false) == nil && fetcher.count == 2)
    #expect(try code(verifier) == nil && fetcher.count == 3)
  }

  @Test func theTagIsSent() throws {
    fetcher.answer(Issuer.set(issuer), cacheControl: "max-age=100", tag: "\"v1\"")
    let verifier = try verifier()
    #expect(refreshCode(verifier) == nil)
    fetcher.answer { _ in .success(ScriptedFetcher.response("", status: 304, cacheControl: "max-age=200")) }
    clock.advance(by: .seconds(100))
    #expect(refreshCode(verifier) == nil)
    #expect(fetcher.requests.map { $0.headers["If-None-Match"] } == [nil, "\"v1\""])
    #expect(verifier.secondsUntilRefresh == 150)
    #expect(try code(verifier) == nil && fetcher.count == 2)
  }

  @Test func unknownKeyIDsCostOneFetchPerCoolDown() throws {
    fetcher.answer(Issuer.set(issuer))
    let verifier = try verifier()
    #expect(try code(verifier) == nil)
    for number in 0..<50 {
      #expect(try code(verifier, issuer.rotated(to: "made up \(number)")) == "key_not_found")
    }
    #expect(fetcher.count == 2)
    clock.advance(by: .seconds(9))
    #expect(try code(verifier, issuer.rotated(to: "another")) == "key_not_found" && fetcher.count == 2)
    clock.advance(by: .seconds(1))
    #expect(try code(verifier, issuer.rotated(to: "another")) == "key_not_found" && fetcher.count == 3)
  }

  @Test func aNewKeyIsFound() throws {
    fetcher.answer(Issuer.set(issuer))
    let verifier = try verifier()
    #expect(try code(verifier) == nil)
    let new = try issuer.rotated(to: "two")
    fetcher.answer(Issuer.set(issuer, new))
    #expect(try code(verifier, new, fetching: false) == "key_not_found")
    #expect(try code(verifier, new) == nil && code(verifier) == nil && fetcher.count == 2)
  }

  @Test func keysAreUsedForABoundedTimeWhileFetchesFail() throws {
    fetcher.answer(Issuer.set(issuer), cacheControl: "max-age=100")
    let verifier = try verifier { $0.grace = .seconds(500) }
    #expect(try code(verifier) == nil)
    fetcher.answer { _ in .success(ScriptedFetcher.response("", status: 500)) }
    clock.advance(by: .seconds(100))
    #expect(try code(verifier) == nil && fetcher.count == 2)
    // A refresh says that its fetch has failed, and fetches nothing during the back-off.
    #expect(refreshCode(verifier) == nil && fetcher.count == 2)
    clock.advance(by: .seconds(1))
    #expect(refreshCode(verifier) == "fetch_status" && fetcher.count == 3)
    clock.advance(by: .seconds(498))
    #expect(try code(verifier, fetching: false) == nil)
    clock.advance(by: .seconds(1))
    #expect(try code(verifier) == "fetch_status" && code(verifier, fetching: false) == "keys_not_held")
  }

  @Test func failedFetchesBackOff() throws {
    fetcher.answer { _ in .failure(.failed(.connection("no"))) }
    let verifier = try verifier()
    var waits: [Int64] = []
    for _ in 0..<9 {
      let before = fetcher.count
      var waited: Int64 = 0
      while fetcher.count == before {
        #expect(try code(verifier) == "fetch_connection")
        if fetcher.count == before {
          clock.advance(by: .seconds(1))
          waited += 1
        }
      }
      waits.append(waited)
    }
    #expect(waits == [0, 1, 2, 4, 8, 16, 32, 60, 60])
  }

  @Test(arguments: RemoteKeySetTests.uselessAnswers.indices)
  func unusableResponsesNeverReplaceKeys(_ index: Int) throws {
    let (answer, expected) = RemoteKeySetTests.uselessAnswers[index]
    fetcher.answer(Issuer.set(issuer), cacheControl: "max-age=100")
    let verifier = try verifier()
    #expect(try code(verifier) == nil)
    fetcher.answer { _ in .success(answer) }
    clock.advance(by: .seconds(200))
    #expect(try code(verifier) == nil && fetcher.count == 2)
    #expect(try code(self.verifier()) == expected)
  }

  @Test func discoveryIsRepeatedAfterAFailure() throws {
    let metadata = "{\"issuer\":\"https://issuer.example\",\"jwks_uri\":\"\(Self.address)\"}"
    let keys = Issuer.set(issuer)
    fetcher.answer { request in
      .success(
        ScriptedFetcher.response(
          request.url.description == Self.address ? keys : metadata, cacheControl: "max-age=3600"))
    }
    let verifier = try verifier(.discovery(issuer: issuer.name))
    #expect(try code(verifier) == nil && fetcher.count == 2)
    clock.advance(by: .seconds(2_700))
    #expect(refreshCode(verifier) == nil && fetcher.count == 3)
    fetcher.answer { _ in .failure(.failed(.connection("no"))) }
    clock.advance(by: .seconds(2_700))
    #expect(refreshCode(verifier) == "fetch_connection" && fetcher.count == 4)
    clock.advance(by: .seconds(60))
    #expect(refreshCode(verifier) == "fetch_connection")
    #expect(fetcher.requests.last?.url.path == "/.well-known/openid-configuration")
  }

  /// The limits of a request are those of the set and of the call.
  @Test func eachRequestHasTheTimeThatIsLeft() throws {
    let fetcher = fetcher
    fetcher.answer { _ in
      fetcher.advance(by: 2_000)
      return .success(
        ScriptedFetcher.response("{\"issuer\":\"https://issuer.example\",\"jwks_uri\":\"\(Self.address)\"}"))
    }
    let verifier = try verifier(.discovery(issuer: issuer.name))
    let token = try issuer.token()
    #expect(throws: CallerFetchError.self) {
      try verifier.verify(token, at: .now) { CallerFetch(fetcher, deadline: fetcher.milliseconds + 6_000) }
    }
    #expect(fetcher.requests.map(\.limits.timeout) == [.milliseconds(5_000), .milliseconds(4_000)])
    #expect(fetcher.requests.allSatisfy { $0.limits.responseSize == 256 << 10 })
  }

  /// A response that comes too late is not used.
  @Test(arguments: [4_999, 5_000])
  func aLateResponseIsRefused(_ milliseconds: Int64) throws {
    let (fetcher, keys) = (fetcher, Issuer.set(issuer))
    fetcher.answer { _ in
      fetcher.advance(by: milliseconds)
      return .success(ScriptedFetcher.response(keys))
    }
    #expect(try code(verifier()) == (milliseconds < 5_000 ? nil : "fetch_timeout"))
  }

  @Test func aCallWithoutTimeFetchesNothing() throws {
    let verifier = try verifier()
    let token = try issuer.token()
    let over = CallerFetch(fetcher, deadline: fetcher.milliseconds)
    #expect(throws: CallerFetchError.timedOut) { try verifier.verify(token, at: .now) { over } }
    #expect(throws: CallerFetchError.timedOut) { try verifier.refresh(over) }
    #expect(fetcher.count == 0)
    fetcher.answer(Issuer.set(issuer))
    #expect(try code(verifier) == nil)
  }

  @Test func aCallerThatGivesUpSaysNothingAboutTheServer() throws {
    fetcher.answer { _ in .failure(.cancelled) }
    let verifier = try verifier()
    #expect(try code(verifier) == "cancelled" && refreshCode(verifier) == "cancelled")
    fetcher.answer(Issuer.set(issuer))
    #expect(try code(verifier) == nil && fetcher.count == 3)
  }

  /// Expired keys are used as after a fetch that has failed, and the next token may fetch.
  @Test func keysAreUsedForABoundedTimeWhileFetchesAreGivenUp() throws {
    fetcher.answer(Issuer.set(issuer), cacheControl: "max-age=100")
    let verifier = try verifier { $0.grace = .seconds(500) }
    #expect(try code(verifier) == nil)
    fetcher.answer { _ in .failure(.cancelled) }
    clock.advance(by: .seconds(100))
    #expect(try code(verifier) == nil && code(verifier) == nil && fetcher.count == 3)
    #expect(refreshCode(verifier) == "cancelled" && fetcher.count == 4)
    clock.advance(by: .seconds(500))
    #expect(try code(verifier) == "cancelled" && fetcher.count == 5)
  }

  /// Of several tokens of one call, none fetches after the first fetch that was given up.
  @Test func aCallThatGivesUpFetchesNoMore() throws {
    fetcher.answer(Issuer.set(issuer), cacheControl: "max-age=100")
    let (known, empty) = (try verifier(), try verifier())
    #expect(try code(known) == nil)
    clock.advance(by: .seconds(100))
    fetcher.answer { _ in .failure(.cancelled) }
    let call = fetch
    func inCall(_ verifier: CallerVerifier, _ signer: Issuer) throws -> String? {
      let token = try signer.token()
      do throws(CallerFetchError) {
        _ = try verifier.verify(token, at: .now) { call }
        return nil
      } catch {
        return error.code
      }
    }
    #expect(try inCall(empty, issuer) == "cancelled" && fetcher.count == 2)
    #expect(try inCall(empty, issuer) == "cancelled")
    #expect(try inCall(known, issuer.rotated(to: "another")) == "cancelled")
    #expect(try inCall(known, issuer) == nil && fetcher.count == 2)
  }

  /// A call with less time than a fetch may take says nothing about a server that does not answer in it.
  @Test(arguments: [(4_499, "timed out"), (4_500, "fetch_timeout")])
  func aCallOfLittleTimeSaysNothingAboutTheServer(_ milliseconds: Int64, _ expected: String) throws {
    let (fetcher, token) = (fetcher, try issuer.token())
    fetcher.answer { request in
      fetcher.advance(by: request.limits.timeout.wholeMilliseconds)
      return .failure(.failed(.connection("the time is over")))
    }
    let verifier = try verifier()
    do throws(CallerFetchError) {
      _ = try verifier.verify(token, at: .now) {
        CallerFetch(fetcher, deadline: fetcher.milliseconds + milliseconds)
      }
    } catch {
      #expect(error.code == expected)
    }
    fetcher.answer(Issuer.set(issuer))
    let isNoted = expected == "fetch_timeout"
    #expect(try code(verifier) == (isNoted ? expected : nil) && fetcher.count == (isNoted ? 1 : 2))
  }

  /// A fetch that takes too long is replaced by a call that has the time of a fetch.
  @Test(arguments: [(4_499, false), (4_500, true)])
  func aFetchIsReplacedByACallThatHasTheTime(_ milliseconds: Int64, _ isReplaced: Bool) throws {
    let (verifier, token) = (try verifier(), try issuer.token())
    let (fetcher, keys) = (fetcher, Issuer.set(issuer))
    let within = Mutex<CallerFetchError?>(nil)
    fetcher.answer { _ in
      // After the limits of two documents, and the second after them.
      fetcher.advance(by: 11_000)
      fetcher.answer { _ in .success(ScriptedFetcher.response(keys)) }
      do throws(CallerFetchError) {
        _ = try verifier.verify(token, at: .now) {
          CallerFetch(fetcher, deadline: fetcher.milliseconds + milliseconds)
        }
      } catch {
        within.withLock { $0 = error }
      }
      return .failure(.failed(.connection("the time is over")))
    }
    #expect(try code(verifier) == (isReplaced ? nil : "fetch_timeout"))
    #expect(fetcher.count == (isReplaced ? 2 : 1))
    #expect(within.withLock { $0 } == (isReplaced ? nil : .timedOut))
  }

  @Test func aSearchThatIsGivenUpIsForgotten() throws {
    fetcher.answer(Issuer.set(issuer))
    let verifier = try verifier()
    #expect(try code(verifier) == nil)
    let new = try issuer.rotated(to: "two")
    fetcher.answer { _ in .failure(.cancelled) }
    #expect(try code(verifier, new) == "cancelled" && fetcher.count == 2)
    fetcher.answer(Issuer.set(issuer, new))
    #expect(try code(verifier, new) == nil && fetcher.count == 3)
    // One that has ended counts.
    clock.advance(by: .seconds(10))
    let unknown = try issuer.rotated(to: "three")
    #expect(try code(verifier, unknown) == "key_not_found" && fetcher.count == 4)
    clock.advance(by: .seconds(9))
    #expect(try code(verifier, unknown) == "key_not_found" && fetcher.count == 4)
  }

  /// Strangers send tokens with invented key ids, and each search is given up.
  @Test func searchesThatAreGivenUpAreBounded() throws {
    fetcher.answer(Issuer.set(issuer))
    let verifier = try verifier()
    #expect(try code(verifier) == nil)
    func searches() throws -> [Int64] {
      var times: [Int64] = []
      for second in Int64(0)..<50 {
        for number in 0..<5 {
          let before = fetcher.count
          let found = try code(verifier, issuer.rotated(to: "made up \(second) \(number)"))
          #expect(found == (fetcher.count == before ? "key_not_found" : "cancelled"))
          if fetcher.count > before { times.append(second) }
        }
        clock.advance(by: .seconds(1))
      }
      return times
    }
    fetcher.answer { _ in .failure(.cancelled) }
    #expect(try searches() == [0, 0, 1, 3, 7, 15, 25, 35, 45])
    // A search that ends, or a calm time, ends the series.
    clock.advance(by: .seconds(5))
    fetcher.answer(Issuer.set(issuer))
    #expect(try code(verifier, issuer.rotated(to: "another")) == "key_not_found")
    clock.advance(by: .seconds(10))
    fetcher.answer { _ in .failure(.cancelled) }
    #expect(try searches() == [0, 0, 1, 3, 7, 15, 25, 35, 45])
    clock.advance(by: .seconds(15))
    #expect(try searches() == [0, 0, 1, 3, 7, 15, 25, 35, 45])
  }

  @Test func aCallFromWithinAFetchIsRefused() throws {
    let verifier = try verifier()
    let (token, fetcher, keys) = (try issuer.token(), fetcher, Issuer.set(issuer))
    let fetch = fetch
    let within = Mutex<[CallerFetchError?]>([])
    fetcher.answer { _ in
      func note(_ body: () throws(CallerFetchError) -> Void) {
        var found: CallerFetchError?
        do throws(CallerFetchError) { try body() } catch { found = error }
        within.withLock { $0.append(found) }
      }
      note { () throws(CallerFetchError) in _ = try verifier.verify(token, at: .now) { fetch } }
      note { () throws(CallerFetchError) in try verifier.refresh(fetch) }
      return .success(ScriptedFetcher.response(keys))
    }
    #expect(try code(verifier) == nil && fetcher.count == 1)
    #expect(within.withLock { $0 } == [.reentered, .reentered])
  }

  @Test func explanationsFetchAndUseExpiredKeys() throws {
    fetcher.answer(Issuer.set(issuer), cacheControl: "max-age=100")
    let verifier = try verifier()
    let token = try issuer.token()
    #expect(throws: CallerFetchError.verification(.keysNotCached(issuer: issuer.name))) {
      try verifier.explain(token, at: .now) { nil }
    }
    let fetch = fetch
    guard case .success = try verifier.explain(token, at: .now, { fetch }).result else {
      Issue.record("the token was refused")
      return
    }
    clock.advance(by: .seconds(200))
    #expect(try verifier.explain(token, at: .now) { nil }.checks.count > 5 && fetcher.count == 1)
  }

  @Test func plainHTTPIsForLoopbackOnly() throws {
    let location = try KeySetLocation.address("http://127.0.0.1:8080/jwks")
    fetcher.answer(Issuer.set(issuer))
    #expect(try code(verifier(location)) == "fetch_not_secure" && fetcher.count == 0)
    #expect(try code(verifier(location) { $0.allowsPlainLoopback = true }) == nil)
    #expect(try code(verifier { $0.addresses = .publicAddressesOnly }) == nil)
    fetcher.answer { _ in .failure(.failed(.connection("refused"))) }
    // An address rule hides how an address responded.
    #expect(try code(verifier { $0.addresses = .publicAddressesOnly }) == "fetch_failed")
  }

  @Test func withGivenKeysNothingIsFetched() throws {
    let verifier = try CallerVerifier(
      [TrustedIssuer(policy: issuer.policy, keys: .fixed(JWKSet([issuer.key])))],
      configuration: RemoteKeySetConfiguration())
    #expect(try code(verifier) == nil && code(verifier, fetching: false) == nil)
    #expect(refreshCode(verifier) == nil && verifier.secondsUntilRefresh == .max && fetcher.count == 0)
  }
}

extension CallerFetchError {
  fileprivate var code: String {
    switch self {
    case .verification(let error): error.codeText
    case .timedOut: "timed out"
    case .reentered: "reentered"
    case .cancelled: "cancelled"
    }
  }
}

/// A transport for callers with scripted responses, and the clock of their time limits.
private final class CallerScript: CallerTransport {
  typealias Answer = @Sendable (TransportRequest) -> Result<TransportResponse, CallerTransportError>

  private struct State {
    var answer: Answer = { _ in .success(ScriptedFetcher.response("", status: 404)) }
    var requests: [TransportRequest] = []
    var milliseconds: Int64 = 1_000
  }

  private let state = Mutex(State())

  var requests: [TransportRequest] { state.withLock { $0.requests } }
  var count: Int { requests.count }
  var milliseconds: Int64 { state.withLock { $0.milliseconds } }
  func advance(by milliseconds: Int64) { state.withLock { $0.milliseconds += milliseconds } }

  func answer(_ answer: @escaping Answer) { state.withLock { $0.answer = answer } }

  func answer(_ set: String, cacheControl: String? = nil, tag: String? = nil) {
    answer { _ in .success(ScriptedFetcher.response(set, cacheControl: cacheControl, tag: tag)) }
  }

  func send(_ request: TransportRequest) throws(CallerTransportError) -> TransportResponse {
    let answer = state.withLock { state in
      state.requests.append(request)
      return state.answer
    }
    return try answer(request).get()
  }
}
