/// UUIDs as text: five groups of hexadecimal digits in lower case (RFC 9562 section 4).
package enum UUIDText {
  /// Returns whether `text` is a UUID in lower case.
  package static func isUUID(_ text: some StringProtocol) -> Bool {
    let groups = Array(text.utf8).split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    return groups.map(\.count) == [8, 4, 4, 4, 12]
      && groups.allSatisfy { $0.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) } }
  }

  /// A UUID of version 4 (RFC 9562 section 5.4).
  ///
  /// - Parameter random: 16 random bytes. The version and the variant replace 6 of their bits.
  /// - Returns: the UUID in lower case.
  package static func version4(_ random: [UInt8]) -> String {
    var digits: [UInt8] = []
    for (index, byte) in random.enumerated() {
      if [4, 6, 8, 10].contains(index) { digits.append(UInt8(ascii: "-")) }
      let value = index == 6 ? byte & 0x0F | 0x40 : index == 8 ? byte & 0x3F | 0x80 : byte
      digits.append(contentsOf: Hex.string([value]).utf8)
    }
    return String(decoding: digits, as: UTF8.self)
  }
}
