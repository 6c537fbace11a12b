/// Encoding and decoding for base64 and base64url: 64 characters of six bits each (RFC 4648 section 3).
///
/// Not constant time: table lookups depend on the text. Most input is public (tokens, public keys); for
/// private key files this is a documented limit, see `docs/threat-model.md`.
struct SixBitAlphabet: Sendable {
  private static let outside: UInt8 = 0xFF

  private let characters: [UInt8]
  private let values: [UInt8]
  /// Lookup table of 4 × 256 entries: a character's six bits, shifted to their position in the group's 24 bits,
  /// first byte lowest; `UInt32.max` outside the alphabet.
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
    groupBits = (0..<4).flatMap { position in
      values.map { value in
        guard value != Self.outside else { return .max }
        return (UInt32(value) << UInt32(26 - 6 * position)).byteSwapped
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

    let input = text.extracting(start..<end)
    // Borrowed before the closure, which would otherwise count references for which threads contend.
    let values = values.span
    let groupBits = groupBits.span
    let wholeCount = count - tail
    let size = wholeCount / 4 * 3 + (tail == 0 ? 0 : tail - 1)
    var bytes: [UInt8] = []
    // `init(capacity:initializingWith:)` looks up the type of the storage at each call.
    try bytes.append(addingCapacity: size + Self.slack) { output throws(BaseEncodingError) in
      guard Self.decodeGroups(input.extracting(first: wholeCount), groupBits, into: &output) else {
        throw Self.firstOutside(input, values)
      }
      if tail > 0 { try Self.decodeTail(input.extracting(wholeCount...), at: wholeCount, values, &output) }
    }
    return bytes
  }

  /// Bytes after the decoded ones into which the last group's store of four bytes may reach.
  private static let slack = 1

  /// Decodes whole groups of four characters; false if one is outside the alphabet.
  ///
  /// The hot loop of every token: bounds are checked once, before it.
  private static func decodeGroups(
    _ input: borrowing Span<UInt8>, _ table: borrowing Span<UInt32>, into output: inout OutputSpan<UInt8>
  ) -> Bool {
    let groups = input.count / 4
    precondition(table.count == 1_024 && output.freeCapacity >= groups * 3 + slack)
    return unsafe output.withUnsafeMutableBufferPointer { output, count in
      guard let start = output.baseAddress else { return groups == 0 }
      let target = unsafe UnsafeMutableRawPointer(start + count)
      var seen: UInt32 = 0
      // Safe: each group reads four of the characters and stores four bytes, of which the next group
      // overwrites the fourth. The precondition leaves room for the fourth byte of the last group.
      for group in 0..<groups {
        let word = unsafe Self.group(input, group, table)
        seen |= word
        unsafe target.storeBytes(of: word.littleEndian, toByteOffset: group &* 3, as: UInt32.self)
      }
      count &+= groups &* 3
      // Three bytes have 24 bits: the top bits are set only for a character outside the alphabet.
      return seen &>> 24 == 0
    }
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

  /// Decodes the last two or three characters, which begin at `position` of the text.
  private static func decodeTail(
    _ input: borrowing Span<UInt8>, at position: Int, _ values: borrowing Span<UInt8>,
    _ output: inout OutputSpan<UInt8>
  ) throws(BaseEncodingError) {
    for offset in input.indices where values[Int(input[offset])] == outside {
      throw .outsideAlphabet(input[offset], at: position + offset)
    }
    let a = values[Int(input[0])]
    let b = values[Int(input[1])]
    output.append(a << 2 | b >> 4)
    guard input.count == 3 else {
      guard b & 0x0F == 0 else { throw .trailingBits }
      return
    }
    let c = values[Int(input[2])]
    guard c & 0x03 == 0 else { throw .trailingBits }
    output.append(b << 4 | c >> 2)
  }

  private static func firstOutside(
    _ text: borrowing Span<UInt8>, _ values: borrowing Span<UInt8>
  ) -> BaseEncodingError {
    var offset = 0
    while values[Int(text[offset])] != outside { offset += 1 }
    return .outsideAlphabet(text[offset], at: offset)
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
