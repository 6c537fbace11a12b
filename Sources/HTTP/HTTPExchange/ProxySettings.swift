internal import TokenSecurityBase
internal import TokenSecurityPlatform

/// The environment's proxy, and the hosts that are reached without it.
package struct ProxySettings: Sendable {
  /// A proxy that is reached over plain HTTP.
  package struct Server: Sendable {
    /// The host; an IPv6 address has no brackets.
    package let host: String
    /// The port.
    package let port: Int
    /// User name and password in the form of RFC 7617: Base64 of both with a colon between; nil for none.
    package let credentials: String?
  }

  /// The proxy, or why the variable cannot be used. A malformed proxy is not bypassed.
  package let server: Result<Server, TransportError>
  private let exceptions: [Exception]

  /// Reads the variables; nil if no proxy is set.
  ///
  /// - Parameter variable: returns the value of an environment variable.
  package init?(_ variable: (String) -> String?) {
    func value(_ name: String, _ lowerCase: String) -> String? {
      [variable(name), variable(lowerCase)].lazy.compactMap { $0 }.first { !$0.isEmpty }
    }
    guard let text = value("HTTPS_PROXY", "https_proxy") else { return nil }
    server =
      Self.server(text).map(Result.success) ?? .failure(.connection("HTTPS_PROXY is not a valid HTTP proxy"))
    exceptions = (value("NO_PROXY", "no_proxy") ?? "").utf8.split(separator: UInt8(ascii: ","))
      .map { entry in
        let text = entry.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
        return Exception(String(decoding: text, as: UTF8.self).lowercasedASCII)
      }
  }

  /// True if `url` is reached without the proxy: this machine, plain HTTP, and the hosts in `NO_PROXY`.
  package func excludes(_ url: HTTPURL) -> Bool {
    url.isLoopback || !url.isSecure || exceptions.contains { $0.matches(url) }
  }

  /// Parses `HOST:PORT` or `http://USER:PASSWORD@HOST:PORT`. `https://` and `socks5://` are not supported.
  /// Errors do not contain the text, which may have a password.
  private static func server(_ text: String) -> Server? {
    let isURL = text.lowercasedASCII.hasPrefix("http://")
    var authority = (isURL ? text.dropFirst(7) : text[...]).utf8
    var encoded: String?
    if let at = authority.lastIndex(of: UInt8(ascii: "@")) {
      let credentials = Array(authority[..<at])
      guard PercentEncoding.firstMalformed(credentials.span) == nil else { return nil }
      encoded = Base64.string(PercentEncoding.decode(credentials.span))
      authority = authority[authority.index(after: at)...]
    }
    // Host and port are parsed as in a URL. A proxy's default port is 80.
    guard let url = try? HTTPURL("http://" + String(Substring(authority))), url.path == "/", url.query == nil
    else {
      return nil
    }
    let host = url.host.hasPrefix("[") ? String(url.host.dropFirst().dropLast()) : url.host
    return Server(host: host, port: url.port, credentials: encoded)
  }

  /// One entry of `NO_PROXY`.
  private enum Exception: Sendable {
    /// `*`.
    case all
    /// `example.com`: the host and its subdomains. `.example.com`: its subdomains. With a port, only that
    /// port.
    case host(String, port: Int?)
    /// `10.0.0.0/8`.
    case network(IPAddress, bits: Int)

    init(_ text: String) {
      if text == "*" {
        self = .all
        return
      }
      if let slash = text.utf8.lastIndex(of: UInt8(ascii: "/")),
        let bits = Int(text[text.index(after: slash)...]),
        let address = IPAddress(text[..<slash]), (0...address.bytes.count * 8).contains(bits)
      {
        self = .network(address, bits: bits)
        return
      }
      if let address = IPAddress(text[...]) {
        self = .network(address, bits: address.bytes.count * 8)
        return
      }
      guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")),
        let port = Int(text[text.index(after: colon)...])
      else {
        self = .host(text, port: nil)
        return
      }
      self = .host(String(text[..<colon]), port: port)
    }

    func matches(_ url: HTTPURL) -> Bool {
      switch self {
      case .all: return true
      case .network(let network, let bits):
        guard let address = url.ipAddress, address.bytes.count == network.bytes.count else { return false }
        return address.isIn(network.bytes, bits)
      case .host(let host, let port):
        guard !host.isEmpty, port == nil || port == url.port else { return false }
        if host.hasPrefix(".") { return url.host.hasSuffix(host) }
        return url.host == host || url.host.hasSuffix("." + host)
      }
    }
  }
}
