internal import AsyncHTTPTransport
internal import PolicyDocuments
internal import Synchronization

/// The transport of a policy's fetches. Its client and the client's threads start with the first request.
final class FetchingTransport: HTTPTransport {
  private let configuration: TransportConfiguration
  private let client = Mutex<HTTPClientTransport?>(nil)

  init(_ document: PolicyDocument) {
    configuration = TransportConfiguration(
      trustRoots: document.trustRoots.map { .file($0) } ?? .system, addresses: document.fetching.addresses)
  }

  func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    BackgroundWork.beginRequest()
    defer { BackgroundWork.endRequest() }
    let client = client.withLock { client in
      if let client { return client }
      let new = HTTPClientTransport(configuration)
      client = new
      return new
    }
    return try await client.send(request)
  }
}
