internal import TokenSecurityBase

/// An IP address or a range of addresses, such as `203.0.113.0/24` or `2001:db8::/32`.
///
/// An IPv4-mapped IPv6 address counts as its IPv4 address, so that the form in which a server sees a client's address does not matter.
struct AddressBlock: Sendable, Hashable {
  private let isVersion4: Bool
  private let prefix: UInt128
  /// The number of bits that the addresses of the range have in common.
  private let bits: Int

  /// Reads a range, or one address. Bits after the prefix are ignored.
  init?(_ text: String) {
    let parts = text.parts(at: "/", most: 2)
    guard let address = parts.first.flatMap(AddressBlock.init(address:)) else { return nil }
    guard parts.count == 2 else {
      self = address
      return
    }
    let digits = Array(parts[1].utf8)
    let isMapped = address.isVersion4 && parts[0].utf8.contains(UInt8(ascii: ":"))
    guard (1...3).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }),
      digits.count == 1 || digits[0] != 0x30, var bits = Int(parts[1])
    else { return nil }
    if isMapped, bits < 96 {
      // More than the mapped addresses: a range of IPv6.
      self.init(isVersion4: false, prefix: 0xFFFF << 32 | address.prefix, bits: bits)
      return
    }
    if isMapped { bits -= 96 }
    guard (0...(address.isVersion4 ? 32 : 128)).contains(bits) else { return nil }
    self.init(isVersion4: address.isVersion4, prefix: address.prefix, bits: bits)
  }

  /// Reads one address.
  init?(address text: String) {
    guard text.utf8.count <= 45 else { return nil }
    if let value = Self.version4(text) {
      self.init(isVersion4: true, prefix: UInt128(value), bits: 32)
    } else if let value = Self.version6(text) {
      // ::ffff:0:0/96
      let isMapped = value >> 32 == 0xFFFF
      self.init(
        isVersion4: isMapped, prefix: isMapped ? value & 0xFFFF_FFFF : value, bits: isMapped ? 32 : 128)
    } else {
      return nil
    }
  }

  private init(isVersion4: Bool, prefix: UInt128, bits: Int) {
    self.isVersion4 = isVersion4
    self.prefix = prefix
    self.bits = bits
  }

  /// True for an address in the range.
  func contains(_ address: AddressBlock) -> Bool {
    guard isVersion4 == address.isVersion4 else { return false }
    return (prefix ^ address.prefix) >> UInt128((isVersion4 ? 32 : 128) - bits) == 0
  }

  /// Four decimal numbers without leading zeros.
  private static func version4(_ text: String) -> UInt32? {
    let parts = text.parts(at: ".")
    guard parts.count == 4 else { return nil }
    var value: UInt32 = 0
    for part in parts {
      guard (1...3).contains(part.utf8.count), part.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
        part.utf8.count == 1 || !part.hasPrefix("0"), let number = UInt8(part)
      else { return nil }
      value = value << 8 | UInt32(number)
    }
    return value
  }

  /// Eight groups of hexadecimal digits (RFC 4291 section 2.2): `::` stands for groups of zero, and an IPv4 address for the last two.
  private static func version6(_ text: String) -> UInt128? {
    let bytes = Array(text.utf8)
    guard let gap = bytes[...].firstRange(ofBytes: "::".utf8) else {
      guard let groups = groups(bytes[...], mayEndWithVersion4: true), groups.count == 8 else { return nil }
      return value(groups)
    }
    guard let head = groups(bytes[..<gap.lowerBound], mayEndWithVersion4: false),
      let tail = groups(bytes[gap.upperBound...], mayEndWithVersion4: true), head.count + tail.count <= 7
    else { return nil }
    return value(head + [UInt16](repeating: 0, count: 8 - head.count - tail.count) + tail)
  }

  private static func groups(_ bytes: ArraySlice<UInt8>, mayEndWithVersion4: Bool) -> [UInt16]? {
    guard !bytes.isEmpty else { return [] }
    var groups: [UInt16] = []
    let parts = bytes.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    for (index, part) in parts.enumerated() {
      if mayEndWithVersion4, index == parts.count - 1, part.contains(UInt8(ascii: ".")) {
        guard let address = version4(String(decoding: part, as: UTF8.self)) else { return nil }
        groups += [UInt16(truncatingIfNeeded: address >> 16), UInt16(truncatingIfNeeded: address)]
      } else {
        guard (1...4).contains(part.count), part.allSatisfy(Hex.isDigit),
          let group = UInt16(String(decoding: part, as: UTF8.self), radix: 16)
        else { return nil }
        groups.append(group)
      }
    }
    return groups
  }

  private static func value(_ groups: [UInt16]) -> UInt128 { groups.reduce(0) { $0 << 16 | UInt128($1) } }
}
