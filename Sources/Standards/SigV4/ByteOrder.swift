internal import TokenSecurityBase

/// Comparing and classifying bytes.
enum ByteOrder {
  /// Compares two ranges byte by byte: negative when the left one comes first, 0 when they are equal. To find
  /// only whether they are equal, `ByteWords.areEqual` is faster.
  @inline(__always)
  static func compare(
    _ a: borrowing Span<UInt8>, _ left: Range<Int>, _ b: borrowing Span<UInt8>, _ right: Range<Int>
  ) -> Int {
    let common = min(left.count, right.count)
    var index = 0
    if common >= 8 {
      // Eight bytes at a time, the first one highest. The last eight overlap the ones before.
      while true {
        let (mine, other) = (word(a, left.lowerBound &+ index), word(b, right.lowerBound &+ index))
        guard mine == other else { return mine < other ? -1 : 1 }
        guard index < common &- 8 else { break }
        index = min(index &+ 8, common &- 8)
      }
      return left.count &- right.count
    }
    while index < common {
      let difference = Int(a[left.lowerBound &+ index]) &- Int(b[right.lowerBound &+ index])
      guard difference == 0 else { return difference }
      index &+= 1
    }
    return left.count &- right.count
  }

  /// The eight bytes from `offset` on, the first in the highest position.
  @inline(__always)
  private static func word(_ bytes: borrowing Span<UInt8>, _ offset: Int) -> UInt64 {
    ByteWords.load(bytes, at: offset).byteSwapped
  }
}

extension ByteOrder {
  /// Whether the bit of an ASCII `byte` is set.
  @inline(__always)
  static func has(_ byte: UInt8, _ set: (low: UInt64, high: UInt64)) -> Bool {
    byte < 64 ? set.low >> UInt64(byte) & 1 == 1 : byte < 128 && set.high >> UInt64(byte & 63) & 1 == 1
  }

  /// Whether the bytes are those of `text`.
  @inline(__always)
  static func isEqual(_ bytes: borrowing Span<UInt8>, _ text: StaticString) -> Bool {
    guard bytes.count == text.utf8CodeUnitCount else { return false }
    // Safe: the buffer is valid until the closure returns, and the span of it does not leave the closure.
    return text.withUTF8Buffer { unsafe ByteWords.areEqual(bytes, from: 0, $0.span) }
  }
}
