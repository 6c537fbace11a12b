internal import TokenSecurityEncodings

/// The one form of an endpoint's address: `https://HOST` or `https://HOST:PORT`, byte for byte.
///
/// What two programs could read in two ways is refused: user information, paths, queries, numbers that some resolvers
/// take for an IPv4 address (`127.1`, `0x7f000001`), and octets with a leading zero, which some read as octal.
struct EndpointAddress {
  /// True for `http://`.
  let isPlain: Bool
  /// True for `127.0.0.1`, `[::1]` and `localhost`.
  let isLoopback: Bool

  /// The most bytes that an address may have: a name's 253, scheme and port.
  static let limit = 280

  /// nil for an address that is not of this form.
  init?(_ address: String) {
    guard address.utf8.count <= Self.limit else { return nil }
    let rest: Substring.UTF8View
    if address.hasPrefix("https://") {
      isPlain = false
      rest = address.utf8.dropFirst(8)
    } else if address.hasPrefix("http://") {
      isPlain = true
      rest = address.utf8.dropFirst(7)
    } else {
      return nil
    }
    let host: Substring.UTF8View
    let port: Substring.UTF8View
    if rest.first == UInt8(ascii: "[") {
      guard let end = rest.firstIndex(of: UInt8(ascii: "]")) else { return nil }
      host = rest[...end]
      port = rest[rest.index(after: end)...]
      guard Self.isIPv6(host.dropFirst().dropLast()) else { return nil }
    } else {
      let end = rest.firstIndex(of: UInt8(ascii: ":")) ?? rest.endIndex
      host = rest[..<end]
      port = rest[end...]
      guard Self.isName(host) || Self.isIPv4(host) else { return nil }
    }
    guard Self.isPort(port) else { return nil }
    isLoopback = ["127.0.0.1", "[::1]", "localhost"].contains { $0.utf8.elementsEqual(host) }
  }

  /// Nothing, or a colon and a number from 1 to 65535 without a leading zero.
  private static func isPort(_ text: Substring.UTF8View) -> Bool {
    guard let colon = text.first else { return true }
    return colon == UInt8(ascii: ":") && number(text.dropFirst(), 1...65_535) != nil
  }

  /// Labels of letters, digits, hyphens and underscores, the last of which does not begin with a digit.
  private static func isName(_ host: Substring.UTF8View) -> Bool {
    let labels = host.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard host.count <= 253, let last = labels.last?.first, !(0x30...0x39).contains(last) else {
      return false
    }
    return labels.allSatisfy { label in
      (1...63).contains(label.count) && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
        && label.allSatisfy {
          (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
            || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
        }
    }
  }

  /// Four decimal numbers up to 255, none with a leading zero.
  private static func isIPv4(_ host: Substring.UTF8View) -> Bool {
    let octets = host.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return octets.count == 4 && octets.allSatisfy { number($0, 0...255) != nil }
  }

  /// Hexadecimal digits and colons: whether they are an address is for the resolver to say. No zone, no IPv4 in it.
  private static func isIPv6(_ host: Substring.UTF8View) -> Bool {
    (2...39).contains(host.count) && host.contains(UInt8(ascii: ":"))
      && host.allSatisfy { Hex.value($0) != nil || $0 == UInt8(ascii: ":") }
  }

  private static func number(_ digits: Substring.UTF8View, _ range: ClosedRange<Int>) -> Int? {
    guard (1...5).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }),
      digits.count == 1 || digits.first != UInt8(ascii: "0")
    else { return nil }
    let number = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    return range.contains(number) ? number : nil
  }
}

/// Names of AWS that go into host names, scopes and requests.
enum AWSNames {
  /// True for small letters, digits and hyphens, at most 32.
  static func isRegionText(_ region: String) -> Bool {
    (1...32).contains(region.utf8.count)
      && region.utf8.allSatisfy {
        (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-")
      }
  }

  /// True for a region and an id behind a colon, at most 128 bytes of letters, digits and hyphens together.
  static func isPoolID(_ id: String, region: String) -> Bool {
    id.hasPrefix(region + ":") && id.utf8.count > region.utf8.count + 1 && isIdentity(id)
  }

  /// True for what a service may call an identity: at most 128 letters, digits, hyphens, underscores and colons.
  static func isIdentity(_ id: String) -> Bool {
    (1...128).contains(id.utf8.count)
      && id.utf8.allSatisfy {
        (0x30...0x3A).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
          || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
      }
  }
}
