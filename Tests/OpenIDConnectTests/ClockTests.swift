internal import JOSE
@testable internal import OpenIDConnect
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityTesting
internal import TokenSecurityVectorFiles

/// Clocks that jump, and extreme limits.
@Suite struct ClockTests {
  static let address = "https://issuer.example/jwks.json"

  private static let places: [Int64] = [
    0, 1, -1, 10, 60, 3_600, -3_600, 86_400, 86_400 * 365, -86_400 * 365, .max, .min, .max - 1, .min + 1,
  ]

  private func code(_ set: RemoteKeySet, _ header: JOSEHeader? = nil) async -> String? {
    do throws(OpenIDError) {
      guard let header else {
        try await set.prefetch()
        return nil
      }
      return try await set.keys(for: header).knows(header) ? nil : "unknown"
    } catch { return error.codeText }
  }

  /// After any jumps and failed fetches, a working server is tried again after the longest back-off.
  @Test(arguments: 0..<20)
  func noFailureLocksLongerThanTheLongestBackOff(_ seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let (clock, fetcher) = (SettableClock(), ScriptedFetcher())
    let issuer = try Issuer("https://issuer.example", kid: "one")
    let configuration = RemoteKeySetConfiguration()
    let set = RemoteKeySet(
      .address(try HTTPURL(Self.address)), transport: fetcher, configuration: configuration, logger: .silent
    ) { clock.seconds }
    fetcher.fail(Self.address, status: 500)
    for _ in 0..<40 {
      clock.set(Self.places.randomElement(using: &random) ?? 0)
      _ = await code(set)
    }
    // One reading now, and one after the wait.
    clock.set(Int64.random(in: -1_000_000...1_000_000, using: &random))
    _ = await code(set)
    fetcher.answer(Self.address, Issuer.set(issuer))
    clock.set(clock.seconds + configuration.longestBackOff.wholeSeconds)
    #expect(await code(set) == nil)
  }

  /// After any jumps, a new key is found after one cool-down, and a removed key is dropped after its lifetime
  /// and grace.
  @Test(arguments: 0..<20)
  func searchesAndLifetimesAreNotLongerThanConfigured(_ seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let (clock, fetcher) = (SettableClock(), ScriptedFetcher())
    let issuer = try Issuer("https://issuer.example", kid: "one")
    let next = try issuer.rotated(to: "two")
    let configuration = RemoteKeySetConfiguration()
    let set = RemoteKeySet(
      .address(try HTTPURL(Self.address)), transport: fetcher, configuration: configuration, logger: .silent
    ) { clock.seconds }
    fetcher.answer(Self.address, Issuer.set(issuer), cacheControl: "max-age=100")
    let made = try UnverifiedToken(Issuer(issuer.name, kid: "made up").token()).header
    for _ in 0..<40 {
      clock.set(Self.places.randomElement(using: &random) ?? 0)
      _ = await code(set, made)
    }
    clock.set(Int64.random(in: -1_000_000...1_000_000, using: &random))
    _ = await code(set, made)
    fetcher.answer(Self.address, Issuer.set(next), cacheControl: "max-age=100")
    clock.set(clock.seconds + configuration.coolDown.wholeSeconds)
    #expect(await code(set, try UnverifiedToken(next.token()).header) == nil)
    fetcher.fail(Self.address, status: 500)
    clock.set(clock.seconds + 100 + configuration.grace.wholeSeconds)
    #expect(set.cached == nil)
  }

  /// A load balancer's key is found two cool-downs after the clock has stopped jumping.
  @Test(arguments: 0..<10)
  func searchesForNamesGoOn(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var (search, time) = (NameSearch(coolDown: 10), ElapsedTime())
    for number in 0..<200 {
      let now = time.advance(to: Self.places.randomElement(using: &random) ?? 0)
      _ = search.allows(ExactString("made up \(number % 50)"), running: 0, at: now)
      search.noteMissing(ExactString("made up \(number % 50)"), at: now)
    }
    _ = time.advance(to: 500)
    let isAdmitted = search.allows("real", running: 0, at: time.advance(to: 510))
    #expect(isAdmitted)
  }

  @Test func limitsOfAnySizeDoNotOverflow() async throws {
    let numbers: [Duration] = [
      .seconds(Int64.max), .seconds(Int64.min), .zero, .seconds(Int64.max / 2), Duration(attoseconds: .max),
      Duration(attoseconds: .min),
    ]
    for number in numbers {
      var configuration = RemoteKeySetConfiguration()
      (configuration.defaultLifetime, configuration.shortestLifetime, configuration.longestLifetime) = (
        number, number, number
      )
      (
        configuration.grace, configuration.coolDown, configuration.firstBackOff, configuration.longestBackOff
      ) = (
        number, number, number, number
      )
      for time: Int64 in [.max, .min, 0] {
        let (clock, fetcher) = (SettableClock(), ScriptedFetcher())
        clock.set(time)
        let set = RemoteKeySet(
          .address(try HTTPURL(Self.address)), transport: fetcher, configuration: configuration,
          logger: .silent
        ) { clock.seconds }
        _ = await code(set)
        fetcher.answer(Self.address, Issuer.set(try Issuer("https://issuer.example", kid: "one")))
        for next in Self.places {
          clock.set(next)
          _ = await code(set)
          _ = set.cached
        }
      }
    }
  }

  @Test func timeNeverGoesBack() {
    var (time, last) = (ElapsedTime(), Int64(0))
    for place in Self.places + Self.places.reversed() {
      let now = time.advance(to: place)
      #expect(now >= last)
      last = now
    }
    var steady = ElapsedTime()
    let seen = ([5, 7, 3, 4, 10] as [Int64]).map { steady.advance(to: $0) }
    #expect(seen == [0, 2, 2, 3, 9])
  }
}
