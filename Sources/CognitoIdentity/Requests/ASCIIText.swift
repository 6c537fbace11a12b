/// Text split by bytes: a combining character after a separator does not hide it.
extension String {
  /// The parts between separators, at most `most`. Empty parts are included.
  func parts(_ separator: Unicode.Scalar, most: Int = .max) -> [String] {
    let byte = UInt8(truncatingIfNeeded: separator.value)
    return utf8.split(separator: byte, maxSplits: most - 1, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// The text after a prefix; nil where the text does not begin with it.
  func rest(after prefix: String) -> String? {
    utf8.starts(with: prefix.utf8)
      ? String(decoding: utf8.dropFirst(prefix.utf8.count), as: UTF8.self) : nil
  }

  /// True for 12 digits.
  var isAccount: Bool { utf8.count == 12 && utf8.allSatisfy { (0x30...0x39).contains($0) } }
}
