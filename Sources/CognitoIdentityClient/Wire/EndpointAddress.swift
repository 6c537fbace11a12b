internal import HTTPExchange
internal import TokenSecurityEncodings

extension HTTPURL {
  /// Parses `https://HOST` or `https://HOST:PORT` (or `http://`), without a path and without leading zeros in
  /// the port. A name whose last label begins with a digit is refused: some resolvers read it as an IPv4
  /// address.
  init?(endpoint address: String) {
    // A name of 253 bytes, scheme and port.
    guard address.utf8.count <= 280, let url = try? HTTPURL(address) else { return nil }
    let scheme = url.isSecure ? "https://" : "http://"
    let place = String(address.dropFirst(scheme.utf8.count)).lowercasedASCII
    guard address.hasPrefix(scheme), place == url.host || place == "\(url.host):\(url.port)" else {
      return nil
    }
    let last = url.host.utf8.split(separator: UInt8(ascii: ".")).last?.first ?? 0
    guard url.ipAddress != nil || !(0x30...0x39).contains(last) else { return nil }
    self = url
  }

  /// True for `http://` with `127.0.0.1`, `[::1]` or `localhost`, in this spelling.
  var isLoopbackEndpoint: Bool {
    ["127.0.0.1", "[::1]", "localhost"].contains { description.hasPrefix("http://" + $0) && host == $0 }
  }
}

/// Syntax checks of ids that go into requests.
enum RequestIDs {
  /// True for `region`, a colon and an id, at most 128 bytes.
  static func isPoolID(_ id: String, region: String) -> Bool {
    id.hasPrefix(region + ":") && id.utf8.count > region.utf8.count + 1 && isIdentity(id)
  }

  /// True for 1 to 128 letters, digits, hyphens, underscores and colons.
  static func isIdentity(_ id: String) -> Bool {
    (1...128).contains(id.utf8.count)
      && id.utf8.allSatisfy {
        (0x30...0x3A).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
          || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
      }
  }
}
