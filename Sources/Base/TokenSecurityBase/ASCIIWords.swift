/// Operations on names in ASCII, eight characters at a time.
package enum ASCIIWords {
  /// Calls `body` with eight bytes at a time, the first one lowest, and their offset, until it returns false.
  /// The last word may overlap the one before; a text of fewer than eight bytes is padded with zeros.
  @inline(__always)
  private static func forEach(_ bytes: borrowing Span<UInt8>, _ body: (UInt64, Int) -> Bool) {
    let count = bytes.count
    guard count >= 8 else {
      if count > 0 { _ = body(short(bytes), 0) }
      return
    }
    var offset = 0
    while offset < count &- 8 {
      guard body(ByteWords.load(bytes, at: offset), offset) else { return }
      offset &+= 8
    }
    _ = body(ByteWords.load(bytes, at: count &- 8), count &- 8)
  }

  /// One to seven bytes, then zeros. Reads of the same byte give the same bits.
  @inline(__always)
  private static func short(_ bytes: borrowing Span<UInt8>) -> UInt64 {
    let last = bytes.count &- 1
    func byte(_ index: Int) -> UInt64 { UInt64(bytes[index]) &<< UInt64(8 &* index) }
    let word = byte(0) | byte(last / 2) | byte(last)
    guard last > 2 else { return word }
    return word | byte(1) | byte(2) | byte(last &- 1) | byte(last &- 2)
  }

  /// Marks in the top bits of the bytes from `low` to `high`. The top bits of `word` are ignored.
  @inline(__always)
  private static func marks(_ word: UInt64, from low: UInt8, to high: UInt8) -> UInt64 {
    let ascii = word & ByteWords.repeated(0x7F)
    return (ascii &+ ByteWords.repeated(0x80 &- low)) & ~(ascii &+ ByteWords.repeated(0x7F &- high))
  }

  /// True if all bytes are ASCII letters, digits and hyphens; without `capitals`, small letters only.
  package static func areNameCharacters(_ bytes: borrowing Span<UInt8>, capitals: Bool) -> Bool {
    let tops = ByteWords.repeated(0x80)
    let fold = capitals ? ByteWords.repeated(0x20) : 0
    // The zeros after a short text.
    let missing = bytes.count < 8 ? tops &<< UInt64(8 &* (bytes.count & 7)) : 0
    var all = true
    forEach(bytes) { word, _ in
      let letters = marks(word | fold, from: UInt8(ascii: "a"), to: UInt8(ascii: "z"))
      let digits = marks(word, from: UInt8(ascii: "0"), to: UInt8(ascii: "9"))
      let hyphens = marks(word, from: UInt8(ascii: "-"), to: UInt8(ascii: "-"))
      all = ((letters | digits | hyphens) & ~word | missing) & tops == tops
      return all
    }
    return all
  }

  /// Appends an ASCII name with its capitals as small letters, and returns its first eight bytes, the first
  /// one highest. `output` must have room for the name and eight bytes more.
  package static func append(
    lowerCase name: borrowing Span<UInt8>, to output: inout OutputSpan<UInt8>
  ) -> UInt64 {
    var beginning: UInt64 = 0
    unsafe output.withUnsafeMutableBufferPointer { output, count in
      precondition(name.count &+ 8 <= output.count &- count)
      guard let start = output.baseAddress else { return }
      let target = unsafe UnsafeMutableRawPointer(start + count)
      forEach(name) { word, offset in
        let capitals =
          marks(word, from: UInt8(ascii: "A"), to: UInt8(ascii: "Z")) & ~word & ByteWords.repeated(0x80)
        let lower = word | capitals &>> 2
        // Safe: a short name writes eight bytes, for which there is room; others write their own size.
        unsafe target.storeBytes(of: lower.littleEndian, toByteOffset: offset, as: UInt64.self)
        if offset == 0 { beginning = lower.byteSwapped }
        return true
      }
      count &+= name.count
    }
    return beginning
  }
}
