/// A literal IP address.
package struct IPAddress: Sendable, Hashable {
  /// 4 or 16 bytes.
  package let bytes: [UInt8]

  /// Parses an address. An IPv6 address may be in brackets.
  package init?(_ text: Substring) {
    if text.utf8.first == UInt8(ascii: "["), text.utf8.last == UInt8(ascii: "]") {
      self.init(version6: text.dropFirst().dropLast())
    } else if let address = IPAddress(version4: text) ?? IPAddress(version6: text) {
      self = address
    } else {
      return nil
    }
  }

  /// Parses an IPv4 address: four decimal numbers of 0 to 255 without leading zeros. Octal and hexadecimal
  /// numbers and fewer than four numbers are refused, since resolvers read them differently.
  package init?(version4 text: Substring) {
    guard text.utf8.count <= 15 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(4)
    var number = 0
    var digits = 0
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "."):
        guard digits > 0, bytes.count < 3 else { return nil }
        bytes.append(UInt8(number))
        number = 0
        digits = 0
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        // No digit follows a zero that begins a number.
        guard digits == 0 || number > 0 else { return nil }
        number = number * 10 + Int(byte - UInt8(ascii: "0"))
        digits += 1
        guard number <= 255 else { return nil }
      default: return nil
      }
    }
    guard digits > 0, bytes.count == 3 else { return nil }
    bytes.append(UInt8(number))
    self.bytes = bytes
  }

  /// Parses an IPv6 address without brackets (RFC 4291 section 2.2).
  package init?(version6 text: Substring) {
    var address = in6_addr()
    guard unsafe inet_pton(AF_INET6, String(text), &address) == 1 else { return nil }
    bytes = unsafe withUnsafeBytes(of: &address) { unsafe Array($0) }
  }

  /// The IPv4 address of an IPv4-mapped IPv6 address (RFC 4291 section 2.5.5.2); other addresses unchanged.
  package var unmapped: IPAddress {
    guard bytes.count == 16, bytes[..<10].allSatisfy({ $0 == 0 }), bytes[10] == 0xFF, bytes[11] == 0xFF else {
      return self
    }
    return IPAddress(bytes[12...])
  }

  /// The IPv4 address embedded in an IPv6 address: mapped (RFC 4291 section 2.5.5), compatible,
  /// translated (RFC 6052), 6to4 (RFC 3056).
  var embedded: IPAddress? {
    guard bytes.count == 16 else { return nil }
    if bytes[..<10].allSatisfy({ $0 == 0 }), bytes[10..<12] == [0, 0] || bytes[10..<12] == [0xFF, 0xFF] {
      return IPAddress(bytes[12...])
    }
    // Only 64:ff9b::/96. The position of the IPv4 address in 64:ff9b:1::/48 (RFC 8215) depends on the network.
    if bytes.starts(with: [0, 0x64, 0xFF, 0x9B]), bytes[4..<12].allSatisfy({ $0 == 0 }) {
      return IPAddress(bytes[12...])
    }
    if bytes.starts(with: [0x20, 0x02]) { return IPAddress(bytes[2..<6]) }
    return nil
  }

  init(_ bytes: ArraySlice<UInt8>) { self.bytes = Array(bytes) }

  /// True for 127.0.0.0/8 and ::1.
  package var isLoopback: Bool {
    bytes.count == 4 ? bytes[0] == 127 : bytes[..<15].allSatisfy { $0 == 0 } && bytes[15] == 1
  }

  /// True for addresses outside the ranges of IANA's registries of special-purpose addresses.
  package var isPublic: Bool {
    if let embedded, !isLoopback { return embedded.isPublic }
    let ranges = bytes.count == 4 ? Self.special4 : Self.special6
    return !ranges.contains { range in isIn(range.prefix, range.bits) }
  }

  /// True if the first `bits` bits are those of `prefix`.
  package func isIn(_ prefix: [UInt8], _ bits: Int) -> Bool {
    for bit in 0..<bits {
      let mask: UInt8 = 0x80 >> UInt8(bit % 8)
      let expected = bit / 8 < prefix.count ? prefix[bit / 8] : 0
      if bytes[bit / 8] & mask != expected & mask { return false }
    }
    return true
  }

  private static let special4: [(prefix: [UInt8], bits: Int)] = [
    ([0], 8), ([10], 8), ([100, 64], 10), ([127], 8), ([169, 254], 16), ([172, 16], 12), ([192, 0, 0], 24),
    ([192, 0, 2], 24), ([192, 88, 99], 24), ([192, 168], 16), ([198, 18], 15), ([198, 51, 100], 24),
    ([203, 0, 113], 24), ([224], 4), ([240], 4),
  ]

  // Everything outside 2000::/3, and the special ranges within it.
  private static let special6: [(prefix: [UInt8], bits: Int)] = [
    ([0], 3), ([0x40], 2), ([0x80], 1), ([0x20, 0x01, 0x00], 23), ([0x20, 0x01, 0x0D, 0xB8], 32),
    ([0x3F, 0xFF, 0x00], 20),
  ]
}
