extension [UInt8] {
  /// Zeros. `init(repeating:count:)` of the standard library looks up the type of the storage at each call.
  package init(zeros count: Int) {
    self.init()
    append(addingCapacity: count) { $0.append(repeating: 0, count: count) }
  }
}

/// Operations on eight bytes at a time, with one bounds check for each eight.
package enum ByteWords {
  /// The byte repeated in all eight positions.
  @inline(__always)
  static func repeated(_ byte: UInt8) -> UInt64 { 0x0101_0101_0101_0101 &* UInt64(byte) }

  private static let tops = repeated(0x80)

  /// The eight bytes from `offset` on, the first in the lowest position.
  @inlinable
  @inline(__always)
  package static func load(_ bytes: borrowing Span<UInt8>, at offset: Int) -> UInt64 {
    precondition(offset >= 0 && offset <= bytes.count &- 8)
    // Safe: the precondition keeps the eight bytes inside the span.
    return unsafe load(bytes, atUnchecked: offset)
  }

  /// The same, for a caller that has checked that the eight bytes are inside the span.
  @inlinable
  @inline(__always)
  @unsafe
  static func load(_ bytes: borrowing Span<UInt8>, atUnchecked offset: Int) -> UInt64 {
    UInt64(
      littleEndian: unsafe bytes.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self))
  }

  /// True if `bytes` has `text` at `start`.
  package static func areEqual(
    _ bytes: borrowing Span<UInt8>, from start: Int, _ text: borrowing Span<UInt8>
  ) -> Bool {
    guard start >= 0, bytes.count - start >= text.count else { return false }
    // Safe: the guard above and the conditions below keep the eight bytes inside both spans.
    @inline(__always)
    func difference(_ offset: Int) -> UInt64 {
      unsafe load(bytes, atUnchecked: start &+ offset) ^ load(text, atUnchecked: offset)
    }
    var offset = 0
    while offset &+ 16 <= text.count {
      guard difference(offset) | difference(offset &+ 8) == 0 else { return false }
      offset &+= 16
    }
    if text.count >= 8 {
      // The last eight bytes, some of them for the second time.
      guard offset &+ 8 > text.count || difference(offset) == 0 else { return false }
      return difference(text.count &- 8) == 0
    }
    while offset < text.count {
      guard bytes[start &+ offset] == text[offset] else { return false }
      offset &+= 1
    }
    return true
  }

  /// A mark in the top bit of each byte that equals `byte`. Marks above the lowest one may be wrong.
  @inline(__always)
  static func equal(_ word: UInt64, _ byte: UInt8) -> UInt64 {
    let zeroWhereEqual = word ^ repeated(byte)
    return (zeroWhereEqual &- repeated(1)) & ~zeroWhereEqual & tops
  }

  /// A mark in the top bit of each byte that needs attention in a JSON string: quotes, backslashes, control
  /// characters and bytes that are not ASCII. Marks above the lowest one may be wrong.
  @inline(__always)
  static func notPlainInString(_ word: UInt64) -> UInt64 {
    return equal(word, UInt8(ascii: "\"")) | equal(word, UInt8(ascii: "\\")) | control(word)
      | (word & tops)
  }

  /// A mark in the top bit of each byte below 0x20. Marks above the lowest one may be wrong.
  @inline(__always)
  static func control(_ word: UInt64) -> UInt64 { (word &- repeated(0x20)) & ~word & tops }

  /// The number of bytes from `offset` on, at most 16, before the first one that ``notPlainInString(_:)``
  /// marks, or before the first 0x7F.
  @inline(__always)
  static func plainPrefix(
    _ bytes: borrowing Span<UInt8>, at offset: Int, excludesDelete: Bool = false
  ) -> Int {
    precondition(offset >= 0 && offset <= bytes.count &- 16)
    // Safe: the precondition keeps the sixteen bytes inside the span.
    let block = unsafe bytes.bytes.unsafeLoadUnaligned(
      fromUncheckedByteOffset: offset, as: SIMD16<UInt8>.self)
    // Each difference sets the top bit of an ASCII byte that is marked. Non-ASCII bytes have the top bit set
    // already.
    let one = SIMD16<UInt8>(repeating: 1)
    let quote = (block ^ SIMD16(repeating: UInt8(ascii: "\""))) &- one
    let backslash = (block ^ SIMD16(repeating: UInt8(ascii: "\\"))) &- one
    let control = block &- SIMD16(repeating: 0x20)
    let delete = excludesDelete ? (block ^ SIMD16(repeating: 0x7F)) &- one : SIMD16(repeating: 0)
    let words = unsafe unsafeBitCast(
      block | quote | backslash | control | delete, to: SIMD2<UInt64>.self)
    let low = UInt64(littleEndian: words[0]) & tops
    guard low == 0 else { return plainCount(low) }
    return 8 &+ plainCount(UInt64(littleEndian: words[1]) & tops)
  }

  /// The index of the first byte from `start` on that a JSON string may need to escape, or the end: quotes,
  /// backslashes, control characters and bytes that are not ASCII.
  static func afterPlain(_ bytes: borrowing Span<UInt8>, from start: Int) -> Int {
    var position = start
    while position &+ 16 <= bytes.count {
      let count = plainPrefix(bytes, at: position, excludesDelete: true)
      position &+= count
      if count < 16 { return position }
    }
    while position < bytes.count {
      let byte = bytes[position]
      guard byte >= 0x20, byte < 0x7F, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") else { break }
      position &+= 1
    }
    return position
  }

  /// The number of bytes below the lowest mark.
  @inline(__always)
  static func plainCount(_ marks: UInt64) -> Int { marks.trailingZeroBitCount / 8 }
}

/// Searches for bytes.
package enum ByteSearch {
  /// True if `bytes` has the UTF-8 of `text` at `start`.
  package static func has(_ text: String, _ bytes: borrowing Span<UInt8>, at start: Int) -> Bool {
    ByteWords.areEqual(bytes, from: start, text.utf8.span)
  }

  /// The first index from `start` on at which `bytes` has the UTF-8 of `text`, or nil.
  package static func firstIndex(
    of text: String, in bytes: borrowing Span<UInt8>, from start: Int = 0
  ) -> Int? {
    guard let first = text.utf8.first else { return start }
    var position = start
    while let index = firstIndex(of: first, in: bytes, from: position) {
      if has(text, bytes, at: index) { return index }
      position = index + 1
    }
    return nil
  }

  /// True if `bytes` contains a control character: below 0x20, or 0x7F.
  package static func hasControl(_ bytes: borrowing Span<UInt8>) -> Bool {
    var position = 0
    while position &+ 8 <= bytes.count {
      let word = ByteWords.load(bytes, at: position)
      guard ByteWords.control(word) | ByteWords.equal(word, 0x7F) == 0 else { return true }
      position &+= 8
    }
    while position < bytes.count {
      if bytes[position] < 0x20 || bytes[position] == 0x7F { return true }
      position &+= 1
    }
    return false
  }

  /// The first index of `byte` from `start` on, or nil.
  package static func firstIndex(
    of byte: UInt8, in bytes: borrowing Span<UInt8>, from start: Int
  ) -> Int? {
    var position = start
    while position &+ 8 <= bytes.count {
      let marks = ByteWords.equal(ByteWords.load(bytes, at: position), byte)
      if marks != 0 { return position &+ ByteWords.plainCount(marks) }
      position &+= 8
    }
    while position < bytes.count {
      if bytes[position] == byte { return position }
      position &+= 1
    }
    return nil
  }

  /// The first index of a space or tab from `start` on, or nil.
  package static func firstBlank(in bytes: borrowing Span<UInt8>, from start: Int) -> Int? {
    var position = start
    while position &+ 8 <= bytes.count {
      let word = ByteWords.load(bytes, at: position)
      let marks = ByteWords.equal(word, 0x20) | ByteWords.equal(word, 0x09)
      // The lowest mark of each byte is right, and so is the lower one of both.
      if marks != 0 { return position &+ ByteWords.plainCount(marks) }
      position &+= 8
    }
    while position < bytes.count {
      if bytes[position] == 0x20 || bytes[position] == 0x09 { return position }
      position &+= 1
    }
    return nil
  }

  /// The last index of `byte`, or nil.
  package static func lastIndex(of byte: UInt8, in bytes: borrowing Span<UInt8>) -> Int? {
    var position = bytes.count
    while position >= 8 {
      let word = ByteWords.load(bytes, at: position &- 8)
      if ByteWords.equal(word, byte) != 0 { break }
      position &-= 8
    }
    while position > 0 {
      position &-= 1
      if bytes[position] == byte { return position }
    }
    return nil
  }
}
