internal import TokenSecurityBase
package import TokenSecurityPlatform

/// An `https` or `http` URL (RFC 3986) in one strict form.
///
/// It has no user name and no fragment, and nothing that two parsers could read differently: no backslash, no
/// control character, nothing beyond ASCII. An IPv4 address has four decimal numbers without leading zeros;
/// other forms (`0127.0.0.1`, `0x7f.1`, `2130706433`) are refused, since resolvers read them differently.
///
/// A plain `http` URL can be read, and is refused when it is used, except for this machine (``isLoopback``).
public struct HTTPURL: Sendable, Hashable, CustomStringConvertible {
  /// The URL's text, with its scheme in lower case: programs compare a scheme by its bytes.
  public let description: String
  /// True for `https`.
  public let isSecure: Bool
  /// The host in lower case; an IPv6 address is in brackets.
  public let host: String
  /// The port, 443 or 80 by default.
  public let port: Int
  /// The path; `/` if the URL has none.
  public let path: String
  /// The text after the question mark, or nil.
  public let query: String?

  /// Reads a URL.
  ///
  /// - Parameter text: the URL.
  /// - Throws: `addressInvalid` for a text that is not in this form.
  public init(_ text: String) throws(TransportError) {
    func refuse(_ rule: String) -> TransportError {
      .addressInvalid(Self.withoutCredentials(text), rule: rule)
    }
    guard text.utf8.count <= 2_048 else { throw refuse("it has more than 2048 bytes") }
    guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !Self.forbidden.contains($0) }) else {
      throw refuse("it has a character that URLs do not have")
    }
    let scheme = String(text.prefix(8)).lowercasedASCII
    guard scheme == "https://" || scheme.hasPrefix("http://") else {
      throw refuse("it does not begin with https:// or http://")
    }
    isSecure = scheme == "https://"
    let rest = text.dropFirst(isSecure ? 8 : 7)
    guard !rest.utf8.contains(UInt8(ascii: "#")) else { throw refuse("it has a fragment") }
    let end = rest.utf8.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex
    guard let authority = Self.hostAndPort(rest[..<end]) else {
      throw refuse("it has no valid host, or more than host and port")
    }
    guard PercentEncoding.firstMalformed(Array(rest[end...].utf8).span) == nil else {
      throw refuse("a percent sign is not followed by two hexadecimal digits")
    }
    guard Self.isReadInOneWay(authority.host) else {
      throw refuse("its host is an IP address in a form that resolvers read differently")
    }
    description = (isSecure ? "https://" : "http://") + rest
    host = String(authority.host).lowercasedASCII
    port = authority.port ?? (isSecure ? 443 : 80)
    let parts = rest[end...].utf8.split(
      separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
    path = parts.first.flatMap { $0.isEmpty ? nil : String(Substring($0)) } ?? "/"
    query = parts.count == 2 ? String(Substring(parts[1])) : nil
  }

  /// The text without a user name and a password, which errors and logs must not repeat.
  private static func withoutCredentials(_ text: String) -> String {
    guard let at = text.utf8.lastIndex(of: UInt8(ascii: "@")) else { return text }
    let scheme = ["https://", "http://"].first { text.lowercasedASCII.hasPrefix($0) } ?? ""
    return String(text.prefix(scheme.utf8.count)) + "…" + String(Substring(text.utf8[at...]))
  }

  /// True if the host is this machine: `localhost`, 127.0.0.0/8 or ::1.
  public var isLoopback: Bool { host == "localhost" || ipAddress?.isLoopback == true }

  /// The host if it is a literal IP address.
  package var ipAddress: IPAddress? { IPAddress(host[...]) }

  // A host whose last label is a number is an IPv4 address for resolvers, whatever the other labels are.
  private static func isReadInOneWay(_ host: Substring) -> Bool {
    if host.hasPrefix("[") { return IPAddress(version6: host.dropFirst().dropLast()) != nil }
    let last =
      host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).last ?? host.utf8
    let isDecimal = last.allSatisfy { (0x30...0x39).contains($0) }
    let isHexadecimal =
      last.count >= 2 && String(Substring(last.prefix(2))).lowercasedASCII == "0x"
      && last.dropFirst(2).allSatisfy(Hex.isDigit)
    return !(isDecimal || isHexadecimal) || IPAddress(version4: host) != nil
  }

  /// The value of the header `Host`: host and port, without the scheme's usual port.
  package var authority: String { port == (isSecure ? 443 : 80) ? host : "\(host):\(port)" }

  /// Scheme, host and port. Two URLs of one server have the same origin.
  public var origin: String { "\(isSecure ? "https" : "http")://\(host):\(port)" }

  private static let forbidden: Set<UInt8> = Set("\"<>\\^`{|}".utf8)

  private static func hostAndPort(_ text: Substring) -> (host: Substring, port: Int?)? {
    guard !text.utf8.contains(UInt8(ascii: "@")) else { return nil }
    var host = text
    var port: Int? = nil
    let afterBracket = text.utf8.lastIndex(of: UInt8(ascii: "]")) ?? text.startIndex
    if let colon = text[afterBracket...].utf8.firstIndex(of: UInt8(ascii: ":")) {
      let digits = text[text.index(after: colon)...]
      guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(digits),
        (1...65_535).contains(number)
      else { return nil }
      port = number
      host = text[..<colon]
    }
    return isHost(host) ? (host, port) : nil
  }

  private static func isHost(_ host: Substring) -> Bool {
    if host.hasPrefix("["), host.hasSuffix("]"), host.utf8.count > 3 {
      return host.dropFirst().dropLast().utf8.allSatisfy { Hex.isDigit($0) || $0 == UInt8(ascii: ":") }
    }
    guard (1...253).contains(host.utf8.count) else { return false }
    let hyphen = UInt8(ascii: "-")
    return host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy {
      label in
      (1...63).contains(label.count) && label.first != hyphen && label.last != hyphen
        && label.allSatisfy { PercentEncoding.isUnreserved($0) && $0 != UInt8(ascii: "~") }
    }
  }
}
