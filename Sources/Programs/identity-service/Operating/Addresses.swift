internal import HTTPExchange
internal import ServiceHosting
internal import TokenSecurityBase

/// The paths of the management address.
enum ManagementPath: CaseIterable {
  case health, live, ready, version, metrics

  var text: String {
    switch self {
    case .health: "/health"
    case .live: "/health/live"
    case .ready: "/health/ready"
    case .version: "/version"
    case .metrics: "/metrics"
    }
  }

  /// True for the paths that load balancers and orchestrators request.
  var isHealth: Bool { self == .health || self == .live || self == .ready }

  /// Finds a path by its bytes.
  init?(_ text: String) {
    guard let path = Self.allCases.first(where: { $0.text == text }) else { return nil }
    self = path
  }

  static let list = allCases.map(\.text).joined(separator: ", ")
}

/// Addresses in the settings.
extension ServiceConfiguration {
  /// A host and port to listen on.
  struct Listener: Sendable {
    /// An IP address without brackets, or a host name.
    let host: String
    let port: Int

    /// `127.0.0.1:8008` or `[::1]:8008`.
    static func text(_ host: String, _ port: Int) -> String {
      host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
  }

  /// The listener of the management address; nil without one.
  ///
  /// - Throws: `OperatingError` for a text that is not `HOST:PORT`.
  func managementListener() throws -> Listener? {
    guard let managementAddress = self.managementAddress else { return nil }
    let colon = UInt8(ascii: ":")
    let text = managementAddress.utf8
    guard let separator = text.lastIndex(of: colon) else { throw Self.refused(management: managementAddress) }
    var host = text[..<separator]
    let digits = text[text.index(after: separator)...]
    if host.first == HostName.brackets[0], host.last == HostName.brackets[1] {
      host = host.dropFirst().dropLast()
    } else if host.contains(colon) {
      throw Self.refused(management: managementAddress)
    }
    guard HostName.isAddress(String(Substring(host))), (1...5).contains(digits.count),
      digits.allSatisfy({ (0x30...0x39).contains($0) }), let port = Int(Substring(digits)), port <= 65_535
    else { throw Self.refused(management: managementAddress) }
    return Listener(host: String(Substring(host)), port: port)
  }

  private static func refused(management text: String) -> OperatingError {
    OperatingError("the management address \(text.quoted) is not HOST:PORT, for instance 127.0.0.1:9008")
  }

  /// The service's URL for clients.
  struct PublicAddress: Sendable {
    /// The URL without a final slash.
    let url: String
    /// The host as clients send it: with the port if it is not the default.
    let host: String
  }

  /// The address of `--public-url`; nil without one.
  ///
  /// - Throws: `OperatingError` for a URL that is not https, or http on this machine, or has more than a host
  ///   and port.
  func publicAddress() throws -> PublicAddress? {
    guard let publicUrl = self.publicUrl else { return nil }
    let url: HTTPURL
    do throws(TransportError) { url = try HTTPURL(publicUrl) } catch {
      throw OperatingError("public-url: \(error)")
    }
    guard url.isSecure || url.isLoopback else {
      throw OperatingError("the public-url \(publicUrl.quoted) must be https, or http on this machine")
    }
    guard url.path == "/", url.query == nil else {
      throw OperatingError("the public-url \(publicUrl.quoted) must have no path and no query")
    }
    let host = url.authority
    return PublicAddress(url: "\(url.isSecure ? "https" : "http")://\(host)", host: host)
  }

  /// The trusted proxies.
  ///
  /// - Throws: `OperatingError` for a malformed range.
  func proxies() throws -> TrustedProxies {
    TrustedProxies(
      try self.trustedProxies.map { text in
        guard let range = IPAddressRange(text) else {
          throw OperatingError(
            "the trusted-proxy \(text.quoted) is not a range of IP addresses, for instance 10.0.0.0/8; all bits after the prefix must be zero, and a range of all addresses is refused"
          )
        }
        return range
      })
  }

  /// The hosts of signed calls; empty for any host.
  func acceptedHosts() throws -> [String] {
    guard let address = try publicAddress() else { return self.hosts }
    return [address.host] + self.hosts.filter { !($0 == address.host) }
  }

  /// The settings that belong to the data, as far as they are given.
  func dataSettings() throws -> DataSettings {
    var settings = DataSettings(
      region: self.region, account: self.account, issuer: self.issuer, userPoolIssuer: self.userPoolIssuer)
    if let url = try publicAddress()?.url {
      settings.defaultIssuer = url
      settings.defaultUserPoolIssuer = url
    }
    return settings
  }
}
