internal import CoreMetrics
internal import InMemoryLogging
internal import JOSE
internal import Logging
internal import MetricsTestKit
internal import OpenIDConnect
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityTesting

/// Metrics and logs of key sets. They contain no key and no token.
@Suite struct KeySetMetricsTests {
  @Test func fetchesAreCountedAndLogged() async throws {
    let address = "https://issuer.example/jwks"
    let metrics = TestMetrics()
    let handler = InMemoryLogHandler()
    let (fetcher, clock) = (ScriptedFetcher(), SettableClock())
    let issuer = try Issuer("https://issuer.example", kid: "one")
    try await withMetricsFactory(metrics) {
      let set = RemoteKeySet(
        .address(try HTTPURL(address)), transport: fetcher, configuration: RemoteKeySetConfiguration(),
        logger: Logger(label: "test") { _ in handler }
      ) { clock.seconds }
      fetcher.answer(address, Issuer.set(issuer), cacheControl: "max-age=100", tag: "\"a\"")
      try await set.prefetch()
      // A search finds a new key.
      let new = try issuer.rotated(to: "two")
      fetcher.answer(address, Issuer.set(issuer, new), cacheControl: "max-age=100", tag: "\"b\"")
      _ = try await set.keys(for: UnverifiedToken(new.token()).header)
      // The set is unchanged.
      fetcher.answer(address) { _ in
        .success(ScriptedFetcher.response("", status: 304, cacheControl: "max-age=100"))
      }
      clock.advance(by: .seconds(100))
      try await set.prefetch()
      // A fetch fails, and the old keys are used.
      fetcher.fail(address, status: 503)
      clock.advance(by: .seconds(100))
      try await set.prefetch()
    }
    func count(_ label: String, _ outcome: String? = nil) -> Int64? {
      let counter = try? metrics.expectCounter(label, outcome.map { [("outcome", $0)] } ?? [])
      return counter.map { $0.values.reduce(0, +) }
    }
    #expect(count("openid_key_fetches_total", "fetched") == 2)
    #expect(count("openid_key_fetches_total", "unchanged") == 1)
    #expect(count("openid_key_fetches_total", "failed") == 1)
    #expect(count("openid_key_searches_total") == 1)
    #expect(count("openid_stale_keys_used_total") == 1)
    let entries = handler.entries
    #expect(
      entries.map { "\($0.message)" } == [
        "key set fetched", "a token names a key that is not cached; fetching the set",
        "the keys have changed",
        "key set not fetched",
      ])
    #expect(entries.last?.metadata["code"] == "fetch_status")
    #expect(entries.last?.metadata["cached"] == "older keys")
    #expect(entries.allSatisfy { $0.metadata["keys"] == "\(address)" })
    let secret = try #require(issuer.key.publicJWK?["x"]?.string)
    #expect(entries.allSatisfy { !"\($0.metadata)".contains(secret) })
  }
}
