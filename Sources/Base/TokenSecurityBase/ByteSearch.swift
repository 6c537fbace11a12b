extension ArraySlice<UInt8> {
  /// The first range of these bytes; nil if they do not occur. The standard library's search links its regular expressions, a
  /// tenth of the C library.
  ///
  /// - Parameter pattern: the bytes. The time grows with their number, too.
  /// - Returns: the range, in this slice's indices.
  package func firstRange(ofBytes pattern: some Collection<UInt8>) -> Range<Int>? {
    let length = pattern.count
    guard length <= count else { return nil }
    for start in startIndex...(endIndex - length) where self[start..<start + length].elementsEqual(pattern) {
      return start..<start + length
    }
    return nil
  }

  /// The bytes with each occurrence of some replaced.
  ///
  /// - Parameters:
  ///   - pattern: the bytes to replace, at least one.
  ///   - replacement: what replaces them.
  /// - Returns: the new bytes.
  package func replacing(
    bytes pattern: some Collection<UInt8>, with replacement: some Collection<UInt8>
  ) -> [UInt8] {
    var result: [UInt8] = []
    var rest = self
    while !pattern.isEmpty, let found = rest.firstRange(ofBytes: pattern) {
      result += rest[..<found.lowerBound]
      result += replacement
      rest = rest[found.upperBound...]
    }
    return result + rest
  }
}
