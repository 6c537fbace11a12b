// Writing into memory of a known capacity: one capacity check for a text, and no check whether the memory is
// shared.
extension OutputSpan<UInt8> {
  /// Appends the bytes of `span`.
  @inlinable
  @inline(__always)
  package mutating func append(copying span: borrowing Span<UInt8>) {
    unsafe span.withUnsafeBufferPointer { unsafe append(copying: $0) }
  }

  /// Appends the UTF-8 of `text`.
  @inlinable
  @inline(__always)
  package mutating func append(_ text: String) { append(copying: text.utf8.span) }

  /// Appends a constant text.
  @inlinable
  @inline(__always)
  package mutating func append(_ text: StaticString) {
    text.withUTF8Buffer { unsafe append(copying: $0) }
  }

  /// Appends two lower-case digits for each of `bytes`.
  package mutating func append(hex bytes: borrowing Span<UInt8>) {
    unsafe withUnsafeMutableBufferPointer { output, count in
      precondition(bytes.count <= (output.count &- count) / 2)
      guard let start = output.baseAddress else { return }
      let target = unsafe UnsafeMutableRawPointer(start + count)
      // Safe: the precondition leaves room for two digits of each byte, and the conditions keep the reads
      // inside the span.
      var index = 0
      while index &+ 8 <= bytes.count {
        let word = unsafe bytes.bytes.unsafeLoadUnaligned(
          fromUncheckedByteOffset: index, as: UInt64.self)
        unsafe target.storeBytes(of: Hex.digits(word), toByteOffset: 2 &* index, as: SIMD8<UInt16>.self)
        index &+= 8
      }
      while index < bytes.count {
        let digits = Hex.eightDigits(UInt64(bytes[index]))
        unsafe target.storeBytes(
          of: UInt16(truncatingIfNeeded: digits).bigEndian, toByteOffset: 2 &* index, as: UInt16.self)
        index &+= 1
      }
      count &+= 2 &* bytes.count
    }
  }

  /// Appends the eight bytes of a word in the order of memory.
  @inline(__always)
  mutating func append(_ word: UInt64) {
    unsafe withUnsafeMutableBufferPointer { output, count in
      precondition(output.count &- count >= 8)
      guard let start = output.baseAddress else { return }
      // Safe: the precondition leaves room for eight bytes.
      unsafe UnsafeMutableRawPointer(start + count).storeBytes(of: word, as: UInt64.self)
      count &+= 8
    }
  }

  @inlinable
  @inline(__always)
  @unsafe
  mutating func append(copying bytes: UnsafeBufferPointer<UInt8>) {
    unsafe withUnsafeMutableBufferPointer { output, count in
      precondition(bytes.count <= output.count &- count)
      guard let source = bytes.baseAddress, let target = output.baseAddress else { return }
      // Safe: the precondition leaves room for all bytes.
      unsafe (target + count).initialize(from: source, count: bytes.count)
      count &+= bytes.count
    }
  }
}
