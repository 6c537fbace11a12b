/// UUIDs as AWS and Microsoft write them: five groups of hexadecimal digits in lower case (RFC 9562 section 4).
enum UUIDText {
  /// True where `text` is written so.
  static func isUUID(_ text: some StringProtocol) -> Bool {
    let groups = Array(text.utf8).split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    return groups.map(\.count) == [8, 4, 4, 4, 12]
      && groups.allSatisfy { $0.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) } }
  }
}
