/// How a transport connects.
public struct TransportConfiguration: Sendable {
  /// The certificates that servers' certificates are verified with.
  public enum TrustRoots: Sendable, Hashable {
    /// The machine's trust store.
    case system
    /// Only those in a PEM file.
    case file(String)
  }

  /// Whether requests go through a proxy.
  public enum Proxy: Sendable, Hashable {
    /// Through the proxy in `HTTPS_PROXY` (or `https_proxy`), except to the hosts in `NO_PROXY` (or
    /// `no_proxy`) and to this machine. The variables are read once, when the transport is made.
    case environment
    /// Never.
    case none
  }

  /// The certificates that servers' certificates are verified with. Default: the machine's.
  public var trustRoots: TrustRoots
  /// Whether requests go through a proxy. Default: `environment`.
  public var proxy: Proxy
  /// The maximum time for connecting, within the limit of each request. Default: 5 seconds.
  public var connectTimeout: Duration
  /// Limits for all requests, besides each request's own; the lower limit applies. Default: none.
  public var limits: TransportLimits?
  /// Decides which URLs may be requested. It sees the URL, before a name is resolved; a proxy's own address
  /// is not checked. Default: any.
  public var addresses: AddressRule
  /// Maximum number of connections per host, of a transport that keeps them; further requests wait, within their time.
  /// Default: 8.
  public var connectionsPerHost: Int

  /// A configuration.
  ///
  /// - Parameters:
  ///   - trustRoots: the certificates that servers' certificates are verified with.
  ///   - proxy: whether requests go through a proxy.
  ///   - connectTimeout: the maximum time for connecting.
  ///   - limits: limits for all requests.
  ///   - addresses: which URLs may be requested.
  ///   - connectionsPerHost: the most connections to one host at a time.
  public init(
    trustRoots: TrustRoots = .system, proxy: Proxy = .environment, connectTimeout: Duration = .seconds(5),
    limits: TransportLimits? = nil, addresses: AddressRule = .any,
    connectionsPerHost: Int = 8
  ) {
    self.trustRoots = trustRoots
    self.proxy = proxy
    self.connectTimeout = connectTimeout
    self.limits = limits
    self.addresses = addresses
    self.connectionsPerHost = connectionsPerHost
  }
}
