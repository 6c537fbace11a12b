public import HTTPExchange
internal import TokenSecurityPlatform

/// Sends requests with libcurl, the one of the system. It needs no package.
///
///     let transport = CurlHTTPTransport()
///
/// It verifies certificates and names with TLS 1.2 or later, speaks HTTP/1.1, follows no redirect, sends each request
/// once, and enforces the limits of size and time of each request. Plain HTTP goes to this machine only. It has no
/// cookies, no cache and no stored credentials.
///
/// Each request has a connection and a thread of its own, which end with it. A service that sends many requests takes
/// `HTTPClientTransport`, which keeps connections.
public struct CurlHTTPTransport: HTTPTransport {
  private let trustRoots: TransportConfiguration.TrustRoots
  private let proxy: ProxySettings?
  private let connectTimeout: Duration
  private let limits: TransportLimits?
  private let addresses: AddressRule
  /// The clock of time limits.
  private let timers: any Clock<Duration>

  /// A transport.
  ///
  /// - Parameters:
  ///   - trustRoots: the certificates that servers' certificates are verified with.
  ///   - proxy: whether requests go through a proxy.
  ///   - connectTimeout: the maximum time for connecting, within the limit of each request.
  ///   - limits: limits for all requests, besides each request's own; the lower limit applies.
  ///   - addresses: decides which URLs may be requested.
  public init(
    trustRoots: TransportConfiguration.TrustRoots = .system,
    proxy: TransportConfiguration.Proxy = .environment, connectTimeout: Duration = .seconds(5),
    limits: TransportLimits? = nil, addresses: AddressRule = .any
  ) {
    self.init(
      TransportConfiguration(
        trustRoots: trustRoots, proxy: proxy, connectTimeout: connectTimeout, limits: limits,
        addresses: addresses), environment: { ProcessEnvironment[$0] })
  }

  /// The same with other environment variables, and the clock of time limits.
  package init(
    _ configuration: TransportConfiguration, environment: (String) -> String?,
    timers: any Clock<Duration> = ContinuousClock()
  ) {
    trustRoots = configuration.trustRoots
    proxy = configuration.proxy == .environment ? ProxySettings(environment) : nil
    connectTimeout = configuration.connectTimeout
    limits = configuration.limits
    addresses = configuration.addresses
    self.timers = timers
  }

  /// Sends one request.
  ///
  /// - Parameter request: the request.
  /// - Returns: the response with any status.
  /// - Throws: why there is no complete response.
  public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    let sent = try request.checked(limits, addresses)
    var server: ProxySettings.Server?
    if let proxy, !proxy.excludes(sent.url) { server = try proxy.server.get() }
    let transfer = Transfer(sent, trustRoots: trustRoots, proxy: server, connectTimeout: connectTimeout)
    let timeout = sent.limits.timeout
    let late = Result<TransportResponse, TransportError>.failure(.timeout(timeout))
    return try await TimeLimit.run(within: timeout, else: late, timers: timers) {
      await transfer.result()
    }.get()
  }
}
