internal import AsyncHTTPClient
internal import TokenSecurityPlatform
package import HTTPExchange
internal import TokenSecurityEncodings

/// The proxy that the environment names, and the hosts that are reached without it.
package struct ProxySettings: Sendable {
  /// The proxy, or why the variable cannot be used. A proxy that cannot be read is not bypassed.
  let server: Result<HTTPClient.Configuration.Proxy, TransportError>
  private let exceptions: [Exception]

  /// Reads the variables.
  ///
  /// - Parameter variable: the value of an environment variable.
  /// - Returns: nil where no proxy is named.
  package init?(_ variable: (String) -> String?) {
    func value(_ name: String, _ lowerCase: String) -> String? {
      [variable(name), variable(lowerCase)].lazy.compactMap { $0 }.first { !$0.isEmpty }
    }
    guard let text = value("HTTPS_PROXY", "https_proxy") else { return nil }
    server = Self.server(text).map(Result.success) ?? .failure(.connection("HTTPS_PROXY names no HTTP proxy"))
    exceptions = (value("NO_PROXY", "no_proxy") ?? "").utf8.split(separator: UInt8(ascii: ","))
      .map { entry in
        let text = entry.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
        return Exception(String(decoding: text, as: UTF8.self).lowercasedASCII)
      }
  }

  /// A variable of this process.
  static func environment(_ name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }

  /// True where `url` is reached without the proxy: this machine, plain HTTP, and the hosts in `NO_PROXY`.
  package func excludes(_ url: HTTPURL) -> Bool {
    url.isLoopback || !url.isSecure || exceptions.contains { $0.matches(url) }
  }

  /// Reads `HOST:PORT` or `http://USER:PASSWORD@HOST:PORT`. Connections to the proxy itself are not
  /// encrypted, so that `https://` and `socks5://` are not accepted. The text is not repeated in errors: it
  /// may contain a password.
  private static func server(_ text: String) -> HTTPClient.Configuration.Proxy? {
    let isURL = text.lowercasedASCII.hasPrefix("http://")
    var place = (isURL ? text.dropFirst(7) : text[...]).utf8
    var authorization: HTTPClient.Authorization?
    if let at = place.lastIndex(of: UInt8(ascii: "@")) {
      guard let credentials = Self.unescaped(place[..<at]) else { return nil }
      authorization = .basic(credentials: Base64.string(credentials))
      place = place[place.index(after: at)...]
    }
    // The strict form of a host and a port is that of a URL. A proxy's default port is 80.
    guard let url = try? HTTPURL("http://" + String(Substring(place))), url.path == "/", url.query == nil
    else {
      return nil
    }
    let host = url.host.hasPrefix("[") ? String(url.host.dropFirst().dropLast()) : url.host
    return .server(host: host, port: url.port, authorization: authorization)
  }

  private static func unescaped(_ text: Substring.UTF8View) -> [UInt8]? {
    var result: [UInt8] = []
    var rest = text
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        result.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(Hex.value), let low = rest.popFirst().flatMap(Hex.value) else {
        return nil
      }
      result.append(high << 4 | low)
    }
    return result
  }

  /// One entry of `NO_PROXY`.
  private enum Exception: Sendable {
    /// `*`.
    case all
    /// `example.com`: the host and all below it. `.example.com`: all below it. With a port, that port only.
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
