/// Compares the header's `typ` as a media type (RFC 7515 section 4.1.9): case-insensitively, with an optional
/// `application/`.
enum HeaderType {
  /// Returns true if `type` is the media type `name`.
  static func matches(_ type: String, _ name: String) -> Bool {
    let (first, second) = (bare(type.utf8[...]), bare(name.utf8[...]))
    return first.count == second.count && zip(first, second).allSatisfy { folded($0) == folded($1) }
  }

  /// Returns true if `type` is one of `names`.
  static func isOne(_ type: String, of names: [String]) -> Bool {
    for name in names where matches(type, name) { return true }
    return false
  }

  /// The text without `application/`.
  private static func bare(_ type: Substring.UTF8View) -> Substring.UTF8View {
    let prefix = "application/".utf8
    let start = type.prefix(prefix.count)
    return start.count == prefix.count && zip(start, prefix).allSatisfy { folded($0) == $1 }
      ? type.dropFirst(prefix.count) : type
  }

  /// The byte, an ASCII letter in lower case.
  private static func folded(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte + 0x20 : byte }
}
