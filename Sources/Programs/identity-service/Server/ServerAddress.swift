internal import HTTPExchange
internal import NIOCore
internal import TokenSecurityBase
internal import TokenSecurityPlatform

extension IdentityServer {
  /// The addresses of a running server.
  struct Address: Sendable {
    /// The URL of the public address as it is bound.
    let url: String
    /// The URL of the public address on this machine.
    let local: String
    /// The URL that clients use: `--public-url`, or the one on this machine.
    let client: String
    /// True for plain HTTP on an address that other machines reach.
    let isExposed: Bool
    /// The URL of the management address as it is bound; nil without one.
    let management: String?
    /// The URL for health checks from this machine.
    let health: String
    /// The URL of the metrics; nil where none is served.
    let metrics: String?

    /// - Parameters:
    ///   - configuration: the settings.
    ///   - channel: the public listener.
    ///   - management: the bound management address; nil without one.
    init(_ configuration: ServiceConfiguration, _ channel: any Channel, _ management: String?) {
      typealias Listener = ServiceConfiguration.Listener
      let port = channel.localAddress?.port ?? 0
      let scheme = configuration.scheme
      let local = "\(scheme)://" + Listener.text(Self.reachable(configuration.address), port)
      let ip = channel.localAddress?.ipAddress.flatMap { IPAddress($0[...]) }
      url = "\(scheme)://" + Listener.text(configuration.address, port)
      self.local = local
      client = (try? configuration.publicAddress())?.url ?? local
      isExposed = scheme == "http" && ip?.isLoopback != true
      self.management = management.map { "http://\($0)" }
      let managed = management.map { "http://" + Self.reachable(in: $0) }
      health = managed.map { $0 + "/health/ready" } ?? local + "/health"
      let isServed = PublicPaths(configuration).contains(.metrics, isLocal: true)
      metrics = managed.map { $0 + "/metrics" } ?? (isServed ? local + "/metrics" : nil)
    }

    /// A host that clients on this machine can connect to, also where the server listens on all interfaces.
    private static func reachable(_ host: String) -> String {
      switch host {
      case "0.0.0.0": "127.0.0.1"
      case "::": "::1"
      default: host
      }
    }

    private static func reachable(in address: String) -> String {
      for (all, local) in [("0.0.0.0:", "127.0.0.1:"), ("[::]:", "[::1]:")] {
        if let rest = address.rest(after: all) { return local + rest }
      }
      return address
    }
  }
}
