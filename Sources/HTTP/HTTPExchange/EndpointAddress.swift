internal import TokenSecurityBase

extension HTTPURL {
  /// Parses `https://HOST` or `https://HOST:PORT` (or `http://`), without a path and without leading zeros in
  /// the port. A name whose last label begins with a digit is refused: some resolvers read it as an IPv4
  /// address.
  package init?(endpoint address: String) {
    // A name of 253 bytes, scheme and port.
    guard address.utf8.count <= 280, let url = try? HTTPURL(address) else { return nil }
    let scheme = url.isSecure ? "https://" : "http://"
    let authority = String(address.dropFirst(scheme.utf8.count)).lowercasedASCII
    guard address.hasPrefix(scheme), authority == url.host || authority == "\(url.host):\(url.port)" else {
      return nil
    }
    let last = url.host.utf8.split(separator: UInt8(ascii: ".")).last?.first ?? 0
    guard url.ipAddress != nil || !(0x30...0x39).contains(last) else { return nil }
    self = url
  }

  /// The rule that the address of a service breaks; nil for an address that can be used.
  package static func brokenRule(ofEndpoint address: String) -> String? {
    guard let url = HTTPURL(endpoint: address) else {
      return "the endpoint \(address.quoted) is not of the form https://HOST or https://HOST:PORT"
    }
    guard url.isSecure || url.isLoopbackEndpoint else {
      return
        "the endpoint \(address.quoted) must use https:// (http:// is for 127.0.0.1, [::1] and localhost)"
    }
    return nil
  }

  /// True for `http://` with `127.0.0.1`, `[::1]` or `localhost`, in this spelling.
  private var isLoopbackEndpoint: Bool {
    ["127.0.0.1", "[::1]", "localhost"].contains { description.hasPrefix("http://" + $0) && host == $0 }
  }
}
