/// Encoding and decoding for base64 and base64url: 64 characters of six bits each (RFC 4648 section 3).
///
/// Not constant time: table lookups depend on the text. Most input is public (tokens, public keys); for
/// private key files this is a documented limit, see `docs/threat-model.md`.
struct SixBitAlphabet: Sendable {
  private static let outside: UInt8 = 0xFF

  private let characters: [UInt8]
  private let values: [UInt8]
  /// For each place in a group of four characters and each character its bits where they belong in the three
  /// bytes of the group, the first byte lowest; all bits for a byte outside the alphabet.
  private let groupBits: [UInt32]

  static let standard = SixBitAlphabet(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
  static let url = SixBitAlphabet(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")

  private init(_ alphabet: String) {
    characters = [UInt8](alphabet.utf8)
    var values = [UInt8](repeating: Self.outside, count: 256)
    for (value, character) in characters.enumerated() {
      values[Int(character)] = UInt8(value)
    }
    self.values = values
    groupBits = (0..<4).flatMap { place in
      values.map { value in
        guard value != Self.outside else { return .max }
        return (UInt32(value) << UInt32(26 - 6 * place)).byteSwapped
      }
    }
  }

  func decode(
    _ text: borrowing Span<UInt8>, from start: Int, to end: Int
  ) throws(BaseEncodingError) -> [UInt8] {
    let count = end - start
    let tail = count % 4
    guard tail != 1 else {
      // An invalid character is a better error than the wrong length that it causes.
      for offset in start..<end where values[Int(text[offset])] == Self.outside {
        throw .outsideAlphabet(text[offset], at: offset - start)
      }
      throw .length(count)
    }

    let groups = count / 4
    let size = groups * 3 + (tail == 0 ? 0 : tail - 1)
    var output = [UInt8](zeros: size)
    let read = start + groups * 4
    let write = groups * 3
    guard decodeGroups(text, from: start, groups, into: &output) else {
      throw firstOutside(text, from: start, start: start)
    }
    guard tail > 0 else { return output }

    for offset in read..<end where values[Int(text[offset])] == Self.outside {
      throw .outsideAlphabet(text[offset], at: offset - start)
    }
    let a = values[Int(text[read])]
    let b = values[Int(text[read + 1])]
    output[write] = a << 2 | b >> 4
    guard tail == 3 else {
      guard b & 0x0F == 0 else { throw .trailingBits }
      return output
    }
    let c = values[Int(text[read + 2])]
    guard c & 0x03 == 0 else { throw .trailingBits }
    output[write + 1] = b << 4 | c >> 2
    return output
  }

  /// Decodes whole groups of four characters; false if one is outside the alphabet.
  ///
  /// The hot loop of every token: bounds are checked once, before it.
  private func decodeGroups(
    _ text: borrowing Span<UInt8>, from start: Int, _ groups: Int, into output: inout [UInt8]
  ) -> Bool {
    guard groups > 0 else { return true }
    let table = groupBits.span
    let input = text.extracting(start..<start + groups * 4)
    var bytes = output.mutableSpan
    precondition(table.count == 1_024 && bytes.count >= groups * 3)
    var seen: UInt32 = 0
    let last = groups &- 1
    // Each group writes four bytes; the next group overwrites the fourth. The last one must not.
    for group in 0..<last {
      let word = unsafe Self.group(input, group, table)
      seen |= word
      var raw = unsafe bytes.mutableBytes
      unsafe raw.storeBytes(of: word.littleEndian, toUncheckedByteOffset: group &* 3, as: UInt32.self)
    }
    let word = unsafe Self.group(input, last, table)
    for place in 0..<3 {
      bytes[last &* 3 &+ place] = UInt8(truncatingIfNeeded: word >> UInt32(8 &* place))
    }
    // Three bytes have 24 bits: the top bits are set only for a character outside the alphabet.
    return (seen | word) >> 24 == 0
  }

  /// The three bytes of a group of four characters. The caller has checked the sizes of `input` and `table`.
  @inline(__always)
  @unsafe
  private static func group(
    _ input: borrowing Span<UInt8>, _ group: Int, _ table: borrowing Span<UInt32>
  ) -> UInt32 {
    let read = group &* 4
    return unsafe table[unchecked: Int(input[unchecked: read])]
      | table[unchecked: 256 &+ Int(input[unchecked: read &+ 1])]
      | table[unchecked: 512 &+ Int(input[unchecked: read &+ 2])]
      | table[unchecked: 768 &+ Int(input[unchecked: read &+ 3])]
  }

  private func firstOutside(
    _ text: borrowing Span<UInt8>, from offset: Int, start: Int
  ) -> BaseEncodingError {
    var offset = offset
    while values[Int(text[offset])] != Self.outside { offset += 1 }
    return .outsideAlphabet(text[offset], at: offset - start)
  }

  func encode(_ bytes: borrowing Span<UInt8>) -> [UInt8] {
    let tail = bytes.count % 3
    let groups = bytes.count / 3
    var output = [UInt8](zeros: groups * 4 + (tail == 0 ? 0 : tail + 1))
    var text = output.mutableSpan
    let table = characters.span
    var read = 0
    var write = 0
    for _ in 0..<groups {
      let a = bytes[read]
      let b = bytes[read &+ 1]
      let c = bytes[read &+ 2]
      text[write] = table[Int(a >> 2)]
      text[write &+ 1] = table[Int((a << 4 | b >> 4) & 0x3F)]
      text[write &+ 2] = table[Int((b << 2 | c >> 6) & 0x3F)]
      text[write &+ 3] = table[Int(c & 0x3F)]
      read &+= 3
      write &+= 4
    }
    if tail > 0 {
      let a = bytes[read]
      let b = tail == 2 ? bytes[read + 1] : 0
      text[write] = table[Int(a >> 2)]
      text[write + 1] = table[Int((a << 4 | b >> 4) & 0x3F)]
      if tail == 2 { text[write + 2] = table[Int(b << 2 & 0x3F)] }
    }
    return output
  }
}
