public import AsyncHTTPClient
public import HTTPExchange
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL
internal import TokenSecurityBase
internal import TokenSecurityPlatform

/// Sends requests with async-http-client.
///
///     let transport = HTTPClientTransport()      // make one and share it
///
/// It verifies certificates and names with TLS 1.2 or later, speaks HTTP/1.1, follows no redirect, sends each
/// request once, and enforces the limits of size and time of each request. Plain HTTP goes to this machine
/// only. Its connections are closed when the last reference to it is released.
public final class HTTPClientTransport: HTTPTransport {
  private let direct: HTTPClient
  private let proxy: ProxySettings?
  private let proxied: HTTPClient?
  private let ownsClients: Bool
  private let limits: TransportLimits?
  private let addresses: AddressRule
  /// The clock of time limits.
  private let timers: any Clock<Duration>

  /// A transport with its own connections.
  ///
  /// - Parameter configuration: how it connects.
  public convenience init(_ configuration: TransportConfiguration = TransportConfiguration()) {
    self.init(configuration, environment: { ProcessEnvironment[$0] })
  }

  /// The same with other environment variables, and the clock of time limits.
  package init(
    _ configuration: TransportConfiguration, environment: (String) -> String?,
    timers: any Clock<Duration> = ContinuousClock()
  ) {
    self.timers = timers
    proxy = configuration.proxy == .environment ? ProxySettings(environment) : nil
    direct = Self.client(configuration, proxy: nil)
    if case .success(let server)? = proxy?.server {
      let authorization = server.credentials.map { HTTPClient.Authorization.basic(credentials: $0) }
      proxied = Self.client(
        configuration, proxy: .server(host: server.host, port: server.port, authorization: authorization))
    } else {
      proxied = nil
    }
    ownsClients = true
    limits = configuration.limits
    addresses = configuration.addresses
  }

  /// A transport with its own connections, the given trust roots and defaults for all else.
  ///
  /// - Parameter trustRoots: the certificates that servers' certificates are verified with.
  public convenience init(trustRoots: TransportConfiguration.TrustRoots) {
    self.init(TransportConfiguration(trustRoots: trustRoots))
  }

  /// A transport over an existing client.
  ///
  /// The client's configuration decides about TLS, proxies, HTTP versions and retries. It must not follow
  /// redirects: a response after a redirect is refused, but the request was already sent again.
  /// async-http-client 1.37 stops the process when a server sends a status below 100; a transport with a
  /// client of its own refuses it.
  ///
  /// - Parameters:
  ///   - client: the client. It is not shut down.
  ///   - limits: limits for all requests, besides each request's own; the lower limit applies.
  ///   - addresses: which URLs may be requested.
  public init(client: HTTPClient, limits: TransportLimits? = nil, addresses: AddressRule = .any) {
    timers = ContinuousClock()
    direct = client
    proxy = nil
    proxied = nil
    ownsClients = false
    self.limits = limits
    self.addresses = addresses
  }

  deinit {
    guard ownsClients else { return }
    direct.shutdown { _ in }
    proxied?.shutdown { _ in }
  }

  private static func client(
    _ configuration: TransportConfiguration, proxy: HTTPClient.Configuration.Proxy?
  ) -> HTTPClient {
    var tls = TLSConfiguration.makeClientConfiguration()
    tls.minimumTLSVersion = .tlsv12
    tls.certificateVerification = .fullVerification
    if case .file(let path) = configuration.trustRoots { tls.trustRoots = .file(path) }
    var settings = HTTPClient.Configuration()
    settings.tlsConfiguration = tls
    settings.redirectConfiguration = .disallow
    settings.decompression = .disabled
    settings.httpVersion = .http1Only
    settings.http1_1ConnectionDebugInitializer = StatusFilter.add
    // Callers decide about retries, and learn at once that a server cannot be reached.
    settings.connectionPool.retryConnectionEstablishment = false
    settings.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = max(
      1, configuration.connectionsPerHost)
    settings.timeout.connect = TimeAmount(configuration.connectTimeout)
    settings.proxy = proxy
    return HTTPClient(eventLoopGroupProvider: .singleton, configuration: settings)
  }

  /// Sends one request.
  ///
  /// - Parameter request: the request.
  /// - Returns: the response with any status.
  /// - Throws: why there is no complete response.
  public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    let sent = try request.checked(limits, addresses)
    let client = try client(for: sent.url)
    // The client's own deadline ends with the head of the response. This one covers the body too.
    let timeout = sent.limits.timeout
    let late = Result<TransportResponse, TransportError>.failure(.timeout(timeout))
    return try await TimeLimit.run(within: timeout, else: late, timers: timers) {
      do {
        return .success(try await Self.response(to: sent, client))
      } catch {
        return .failure(Self.error(error, sent))
      }
    }.get()
  }

  private func client(for url: HTTPURL) throws(TransportError) -> HTTPClient {
    guard let proxy, !proxy.excludes(url) else { return direct }
    _ = try proxy.server.get()
    return proxied ?? direct
  }

  private static func response(
    to request: TransportRequest, _ client: HTTPClient
  ) async throws -> TransportResponse {
    var message = HTTPClientRequest(url: request.url.description)
    message.method = HTTPMethod(rawValue: request.method)
    message.headers = HTTPHeaders(request.headers.fields.map { ($0.name, $0.value) })
    // The client computes it from the body.
    message.headers.remove(name: "Content-Length")
    if !message.headers.contains(name: "User-Agent") {
      message.headers.add(name: "User-Agent", value: "token-security")
    }
    if !request.body.isEmpty { message.body = .bytes(ByteBuffer(bytes: request.body)) }
    let limit = request.limits.responseSize
    let response = try await client.execute(message, timeout: TimeAmount(request.limits.timeout))
    guard response.history.count <= 1 else {
      throw TransportError.connection("the HTTP client followed a redirect; configure it with .disallow")
    }
    // A response whose Content-Length is too large is not read.
    if let length = response.headers.first(name: "content-length").flatMap(Int.init), length > limit {
      throw TransportError.tooLarge(limit: limit)
    }
    var body: [UInt8] = []
    for try await part in response.body {
      guard body.count + part.readableBytes <= limit else { throw TransportError.tooLarge(limit: limit) }
      body.append(contentsOf: part.readableBytesView)
    }
    return TransportResponse(
      status: Int(response.status.code),
      headers: TransportHeaders(response.headers.map { ($0.name, $0.value) }),
      body: body)
  }

  private static func error(_ error: any Error, _ request: TransportRequest) -> TransportError {
    if let error = error as? TransportError { return error }
    if let error = error as? HTTPClientError {
      switch error {
      case .deadlineExceeded, .readTimeout, .connectTimeout, .cancelled:
        return .timeout(request.limits.timeout)
      case .remoteConnectionClosed: return .connection("the server closed the connection before the end")
      default: return .connection(error.shortDescription)
      }
    }
    let text = "\(error)"
    if text.contains("CERTIFICATE_VERIFY_FAILED") || error is NIOSSLExtraError {
      return .connection("the server's certificate is not trusted for this name")
    }
    if let error = error as? NIOConnectionError {
      return .connection("no connection to \(error.host):\(error.port)")
    }
    // For a host that is an address no name is resolved, and the error is the system's.
    if let error = error as? IOError, [ECONNREFUSED, EHOSTUNREACH, ENETUNREACH].contains(error.errnoCode) {
      return .connection("no connection to \(request.url.host):\(request.url.port)")
    }
    return .connection(text)
  }
}

extension TimeAmount {
  /// The same time, within the bounds of ``TimeLimit``.
  fileprivate init(_ duration: Duration) {
    let (seconds, attoseconds) = TimeLimit.bounded(duration).components
    self = .nanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
  }
}
