/// The header's `typ`, compared as a media type (RFC 7515 section 4.1.9): ASCII letters without regard to case, and
/// `application/` may be left out.
enum HeaderType {
  /// True where `type` names the media type `name`.
  static func matches(_ type: String, _ name: String) -> Bool {
    let (mine, theirs) = (bare(type.utf8[...]), bare(name.utf8[...]))
    return mine.count == theirs.count && zip(mine, theirs).allSatisfy { folded($0) == folded($1) }
  }

  /// True where `type` is one of `names`.
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

  /// The byte, in lower case where it is an ASCII letter. No other character has a case here.
  private static func folded(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte + 0x20 : byte }
}
