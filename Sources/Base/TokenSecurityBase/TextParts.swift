/// Text split by bytes: a combining character after a separator does not hide it.
extension String {
  /// The parts between separators, at most `most`. Empty parts are included.
  package func parts(at separator: Unicode.Scalar, most: Int = .max) -> [String] {
    utf8.split(separator: UInt8(ascii: separator), maxSplits: most - 1, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// The last part that is not empty, or an empty string: the name of an exception after its namespace.
  package func lastPart(at separator: Unicode.Scalar) -> String {
    utf8.split(separator: UInt8(ascii: separator)).last.map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// The text after a prefix; nil where the text does not begin with it.
  package func rest(after prefix: String) -> String? {
    utf8.starts(with: prefix.utf8)
      ? String(decoding: utf8.dropFirst(prefix.utf8.count), as: UTF8.self) : nil
  }

  /// True for `count` ASCII digits: an AWS account id has 12.
  package func isDigits(count: Int) -> Bool {
    utf8.count == count && utf8.allSatisfy { (0x30...0x39).contains($0) }
  }
}

extension UInt8 {
  /// True for ASCII letters and digits.
  package var isLetterOrDigit: Bool {
    (0x30...0x39).contains(self) || (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self)
  }
}
