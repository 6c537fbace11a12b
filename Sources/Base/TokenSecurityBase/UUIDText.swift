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
    var bytes = random
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    var text = Array(Hex.string(bytes).utf8)
    for position in [20, 16, 12, 8] { text.insert(UInt8(ascii: "-"), at: position) }
    return String(decoding: text, as: UTF8.self)
  }
}
