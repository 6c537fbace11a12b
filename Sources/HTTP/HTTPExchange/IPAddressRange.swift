internal import TokenSecurityBase
package import TokenSecurityPlatform

/// A range of IP addresses in CIDR notation: `10.0.0.0/8`, `2001:db8::/32`, or one address.
package struct IPAddressRange: Sendable, Hashable {
  private let prefix: [UInt8]
  private let bits: Int

  /// Parses a range. A range of IPv4-mapped IPv6 addresses is read as the range of the IPv4 addresses.
  ///
  /// The result is nil for a malformed text, for a range of all addresses, for an address with bits after the
  /// prefix, and for a range that contains mapped and other addresses.
  ///
  /// - Parameter text: the range.
  package init?(_ text: String) {
    let parts = text.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, first.count <= 45, first.allSatisfy(IPAddress.isAddressByte),
      let written = IPAddress(Substring(first))
    else { return nil }
    var length = written.bytes.count * 8
    if parts.count == 2 {
      guard (1...3).contains(parts[1].count), parts[1].allSatisfy({ (0x30...0x39).contains($0) }),
        parts[1].first != UInt8(ascii: "0"), let number = Int(Substring(parts[1])), number <= length
      else { return nil }
      length = number
    }
    let address = written.unmapped
    if address != written {
      guard length > 96 else { return nil }
      length -= 96
    }
    let bytes = address.bytes
    let isExact = (length..<bytes.count * 8).allSatisfy { bit in bytes[bit / 8] & (0x80 >> (bit % 8)) == 0 }
    guard isExact else { return nil }
    prefix = bytes
    bits = length
  }

  /// Returns true for an address in the range. An IPv4-mapped address is compared as IPv4.
  ///
  /// - Parameter address: the address.
  /// - Returns: whether the range contains the address.
  package func contains(_ address: IPAddress) -> Bool {
    let address = address.unmapped
    return address.bytes.count == prefix.count && address.isIn(prefix, bits)
  }
}

extension IPAddress {
  /// The address as text, an IPv6 address in the form of RFC 5952.
  package var text: String {
    if bytes.count == 4 { return bytes.map { "\($0)" }.joined(separator: ".") }
    var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let isWritten = unsafe bytes.withUnsafeBytes { address in
      // The buffer has the size that every IPv6 address fits in, its final zero included.
      unsafe inet_ntop(AF_INET6, address.baseAddress, &buffer, socklen_t(buffer.count)) != nil
    }
    guard isWritten else { return "" }
    return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Returns true for the characters of IPv4 and IPv6 addresses.
  static func isAddressByte(_ byte: UInt8) -> Bool {
    Hex.isDigit(byte) || byte == UInt8(ascii: ":") || byte == UInt8(ascii: ".")
  }
}
