internal import HTTPExchange
internal import JOSE
internal import OpenIDConnect
internal import Synchronization
internal import Testing
internal import TokenSecurityTesting

/// A watch learns of each fetch, from its request to its end.
@Suite struct FetchWatchTests {
  private final class Events: Sendable {
    private let state = Mutex<[FetchWatch.Event]>([])
    var all: [FetchWatch.Event] { state.withLock { $0 } }
    var watch: FetchWatch { FetchWatch { event in self.state.withLock { $0.append(event) } } }
  }

  /// Answers with a body, and notes what had begun then.
  private final class NotingTransport: HTTPTransport {
    let status: Int
    let body: String
    let events: Events
    let noted = Mutex<[[FetchWatch.Event]]>([])

    init(_ status: Int, _ body: String, _ events: Events) {
      self.status = status
      self.body = body
      self.events = events
    }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
      noted.withLock { $0.append(events.all) }
      return TransportResponse(status: status, body: Array(body.utf8))
    }
  }

  @Test(arguments: [true, false], [200, 304, 503])
  func eachFetchBeginsAndEnds(hasKeys: Bool, status: Int) async throws {
    let events = Events()
    let body = hasKeys ? JWKSet([try JWK.generate(for: .es256)]).publicJSON : "no keys"
    let transport = NotingTransport(status, body, events)
    let set = RemoteKeySet(
      try .address("https://issuer.example/keys"), transport: transport,
      configuration: RemoteKeySetConfiguration(), logger: .silent, watch: events.watch
    ) { 0 }
    for _ in 0..<2 { try? await set.prefetch() }
    #expect((set.cached != nil) == (hasKeys && status == 200))
    #expect(transport.noted.withLock { $0 } == [[.fetchBegan]])
    try await eventually { events.all.last == .fetchEnded }
    #expect(events.all == [.fetchBegan, .parsingBegan, .parsingEnded, .fetchEnded])
  }
}
