internal import HTTPExchange
internal import OpenIDConnect
internal import Synchronization
internal import Testing

/// A watch learns of each fetch, from its request to its end.
@Suite struct FetchWatchTests {
  private final class Count: Sendable {
    private let state = Mutex((now: 0, all: 0))
    var now: Int { state.withLock { $0.now } }
    var all: Int { state.withLock { $0.all } }

    var watch: FetchWatch {
      FetchWatch(
        began: { self.state.withLock { $0 = ($0.now + 1, $0.all + 1) } },
        ended: { self.state.withLock { $0.now -= 1 } })
    }
  }

  /// Answers with a body, and notes how many fetches there were then.
  private final class NotingTransport: HTTPTransport {
    let body: String
    let count: Count
    let noted = Mutex<[Int]>([])

    init(_ body: String, _ count: Count) {
      self.body = body
      self.count = count
    }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
      noted.withLock { $0.append(count.now) }
      return TransportResponse(status: 200, body: Array(body.utf8))
    }
  }

  @Test(arguments: [#"{"keys":[{"kty":"oct"}]}"#, "no keys", #"{"keys":[]}"#])
  func eachFetchBeginsAndEnds(body: String) async throws {
    let count = Count()
    let transport = NotingTransport(body, count)
    let set = RemoteKeySet(
      try .address("https://issuer.example/keys"), transport: transport,
      configuration: RemoteKeySetConfiguration(), logger: .silent, watch: count.watch
    ) { 0 }
    for _ in 0..<2 { try? await set.prefetch() }
    #expect(transport.noted.withLock { $0 } == [1])
    #expect(count.all == 1)
    try await eventually { count.now == 0 }
  }
}
