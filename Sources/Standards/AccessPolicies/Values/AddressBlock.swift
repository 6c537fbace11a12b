internal import TokenSecurityBase
internal import TokenSecurityPlatform

/// An IP address or a range of addresses, such as `203.0.113.0/24` or `2001:db8::/32`.
///
/// An IPv4-mapped IPv6 address counts as its IPv4 address, so that the form in which a server sees a client's address does not matter.
struct AddressBlock: Sendable, Hashable {
  private let address: IPAddress
  /// The number of bits that the addresses of the range have in common.
  private let bits: Int

  /// Reads a range, or one address. Bits after the prefix are ignored.
  init?(_ text: String) {
    let parts = text.parts(at: "/", most: 2)
    guard let written = parts.first.flatMap(Self.read) else { return nil }
    let address = written.unmapped
    guard parts.count == 2 else {
      self.init(address, bits: address.bytes.count * 8)
      return
    }
    let digits = parts[1].utf8
    guard (1...3).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }),
      digits.count == 1 || digits.first != UInt8(ascii: "0"), let bits = Int(parts[1]),
      bits <= written.bytes.count * 8
    else { return nil }
    if address == written {
      self.init(address, bits: bits)
    } else if bits < 96 {
      // More than the mapped addresses: a range of IPv6.
      self.init(written, bits: bits)
    } else {
      self.init(address, bits: bits - 96)
    }
  }

  /// Reads one address.
  init?(address text: String) {
    guard let address = Self.read(text)?.unmapped else { return nil }
    self.init(address, bits: address.bytes.count * 8)
  }

  private init(_ address: IPAddress, bits: Int) {
    self.address = address
    self.bits = bits
  }

  /// True for an address in the range.
  func contains(_ other: AddressBlock) -> Bool {
    other.address.bytes.count == address.bytes.count && other.address.isIn(address.bytes, bits)
  }

  private static func read(_ text: String) -> IPAddress? {
    guard text.utf8.count <= 45,
      text.utf8.allSatisfy({ Hex.isDigit($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") })
    else { return nil }
    return IPAddress(version4: text[...]) ?? IPAddress(version6: text[...])
  }
}
