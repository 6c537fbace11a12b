internal import CognitoIdentityOperations
internal import HTTPExchange
internal import ServiceOperations
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

/// Ids within the declared bounds: a region, a colon and an id, at most 55 characters.
enum RequestIDs {
  /// True for the id of a pool in `region`.
  static func isPoolID(_ id: String, region: String) -> Bool {
    id.hasPrefix(region + ":") && isIdentity(id)
  }

  /// True for the id of an identity or pool.
  static func isIdentity(_ id: String) -> Bool { TextBounds.identityID.allows(id) }
}
