internal import AsyncHTTPTransport
internal import PolicyDocuments
internal import Synchronization

/// The transport of a policy's fetches. Its client and the client's threads start when it is opened.
final class FetchingTransport: HTTPTransport {
  private let configuration: TransportConfiguration
  private let client = Mutex<HTTPClientTransport?>(nil)

  init(_ document: PolicyDocument) {
    configuration = TransportConfiguration(
      trustRoots: document.trustRoots.map { .file($0) } ?? .system, addresses: document.fetching.addresses)
  }

  /// Makes the client, unless there is one. It opens files and starts threads, so that it follows ``TaskRuntime/begin()``.
  func open() { client.withLock { $0 = $0 ?? HTTPClientTransport(configuration) } }

  func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    BackgroundWork.beginRequest()
    defer { BackgroundWork.endRequest() }
    guard let client = client.withLock({ $0 }) else { throw .connection("the verifier was not used yet") }
    return try await client.send(request)
  }
}
