internal import JOSE
internal import OpenIDConnect
internal import Testing
internal import TokenSecurityTesting

/// Several callers wait for one fetch.
@Suite struct KeySetWaitingTests {
  static let address = "https://issuer.example/jwks.json"

  @Test func aCancelledCallerStopsWaitingAndTheOthersDoNot() async throws {
    let fetcher = ScriptedFetcher()
    let issuer = try Issuer("https://issuer.example", kid: "one")
    let gate = AsyncStream<Void>.makeStream()
    let keys = Issuer.set(issuer)
    fetcher.answer(Self.address) { _ in
      for await _ in gate.stream { break }
      return .success(ScriptedFetcher.response(keys))
    }
    var configuration = RemoteKeySetConfiguration()
    // A fetch that ends late on a busy machine would be followed by another.
    configuration.timeout = .seconds(60)
    let set = RemoteKeySet(
      .address(try HTTPURL(Self.address)), transport: fetcher, configuration: configuration)
    // The first caller starts the fetch; its cancellation must not end it.
    let first = Task { await Self.error(set) }
    try await eventually { fetcher.count == 1 }
    // It runs at once until it waits. A task that starts after the fetch would fetch again.
    let second = Task.immediate { await Self.error(set) }
    first.cancel()
    #expect(await first.value == .keysNotCached(issuer: Self.address))
    #expect(set.cached == nil)
    gate.continuation.yield()
    #expect(await second.value == nil)
    #expect(set.cached?.keys.map(\.keyID) == ["one"])
    #expect(fetcher.count == 1)
  }

  private static func error(_ set: RemoteKeySet) async -> OpenIDError? {
    do throws(OpenIDError) { try await set.prefetch() } catch { return error }
    return nil
  }
}
