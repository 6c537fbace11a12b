internal import AsyncHTTPClient
internal import TokenSecurityEncodings
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL
public import OpenIDConnect

/// Fetches key sets over HTTPS with async-http-client.
///
/// It follows no redirect, speaks TLS 1.2 or later, checks certificate and name, and keeps to the limits of size and time of
/// each request. Make one and share it. Its connections are closed when the last reference to it is released.
public final class AsyncHTTPFetcher: HTTPFetching {
  private let client: HTTPClient

  /// Whom servers' certificates are traced back to.
  public enum TrustRoots: Sendable, Hashable {
    /// Those that the machine trusts.
    case system
    /// Those in a PEM file, and no others.
    case file(String)
  }

  /// A fetcher.
  ///
  /// - Parameters:
  ///   - trustRoots: whom certificates are traced back to.
  ///   - connectTimeout: how long connecting may take; each fetch has a limit of its own besides.
  public init(trustRoots: TrustRoots = .system, connectTimeout: Duration = .seconds(5)) {
    var tls = TLSConfiguration.makeClientConfiguration()
    tls.minimumTLSVersion = .tlsv12
    tls.certificateVerification = .fullVerification
    if case .file(let path) = trustRoots { tls.trustRoots = .file(path) }
    var configuration = HTTPClient.Configuration()
    configuration.tlsConfiguration = tls
    configuration.redirectConfiguration = .disallow
    configuration.decompression = .disabled
    configuration.httpVersion = .http1Only
    // Whoever asks decides when to ask again; a server that is not there is told at once.
    configuration.connectionPool.retryConnectionEstablishment = false
    configuration.timeout.connect = TimeAmount(connectTimeout)
    client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
  }

  deinit { client.shutdown { _ in } }

  public func fetch(_ request: FetchRequest) async throws(FetchFault) -> FetchResponse {
    let client = self.client
    // The client's own deadline ends with the head of the response. This one covers the body too.
    let late = Result<FetchResponse, FetchFault>.failure(.timeout(request.timeout))
    return try await Deadline.run(within: request.timeout, else: late) {
      do {
        return .success(try await Self.response(to: request, client))
      } catch {
        return .failure(Self.fault(error, request))
      }
    }.get()
  }

  private static func response(to request: FetchRequest, _ client: HTTPClient) async throws -> FetchResponse {
    var message = HTTPClientRequest(url: request.address.description)
    message.headers = HTTPHeaders(
      request.fields.sorted { $0.key < $1.key }.map { ($0.key.text, $0.value) })
    message.headers.add(name: "User-Agent", value: "token-security")
    let response = try await client.execute(message, timeout: TimeAmount(request.timeout))
    // What announces itself as too large is not read at all.
    if let length = response.headers.first(name: "content-length").flatMap(Int.init),
      length > request.sizeLimit
    {
      throw FetchFault.tooLarge(limit: request.sizeLimit)
    }
    var body: [UInt8] = []
    for try await part in response.body {
      guard body.count + part.readableBytes <= request.sizeLimit else {
        throw FetchFault.tooLarge(limit: request.sizeLimit)
      }
      body.append(contentsOf: part.readableBytesView)
    }
    return FetchResponse(
      status: Int(response.status.code), fields: response.headers.map { ($0.name, $0.value) }, body: body)
  }

  private static func fault(_ error: any Error, _ request: FetchRequest) -> FetchFault {
    if let fault = error as? FetchFault { return fault }
    if let error = error as? HTTPClientError {
      switch error {
      case .deadlineExceeded, .readTimeout, .connectTimeout, .cancelled: return .timeout(request.timeout)
      case .remoteConnectionClosed: return .connection("the server closed the connection before the end")
      default: return .connection(error.shortDescription)
      }
    }
    let text = "\(error)"
    if text.contains("CERTIFICATE_VERIFY_FAILED") || error is NIOSSLExtraError {
      return .connection("the server's certificate is not one that is trusted for this name")
    }
    if error is NIOConnectionError {
      return .connection("no connection to \(request.address.host):\(request.address.port)")
    }
    return .connection(text)
  }
}

extension TimeAmount {
  /// The same time, up to the longest that can be written.
  fileprivate init(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    let limit: Int64 = 9_000_000_000
    self = .nanoseconds(min(max(seconds, -limit), limit) * 1_000_000_000 + attoseconds / 1_000_000_000)
  }
}
