/// A value in DER: its tag and the range of its contents.
struct DERValue {
  static let integer: UInt8 = 0x02
  static let bitString: UInt8 = 0x03
  static let octetString: UInt8 = 0x04
  static let objectIdentifier: UInt8 = 0x06
  static let sequence: UInt8 = 0x30
  private static let set: UInt8 = 0x31

  let tag: UInt8
  let contents: Range<Int>

  /// The encoding rules of lengths.
  enum Rules {
    /// DER (ITU-T X.690 section 10.1).
    case der
    /// BER, to recognise bytes that look like a key. An indefinite length extends to the end.
    case ber
  }

  /// Reads the value at `start`. Throws `malformedKey` if it extends beyond `end`, `notDER` for BER lengths.
  init(_ bytes: borrowing Span<UInt8>, at start: Int, before end: Int, _ rules: Rules = .der)
    throws(CryptoError)
  {
    guard end - start >= 2, bytes[start] & 0x1F != 0x1F, bytes[start] != 0 else { throw .malformedKey }
    tag = bytes[start]
    let first = bytes[start + 1]
    var begin = start + 2
    var length = Int(first)
    if first == 0x80 {
      guard rules == .ber else { throw .notDER(rule: "a length is indefinite") }
      length = end - begin
    } else if first > 0x80 {
      let count = Int(first & 0x7F)
      guard count <= end - begin else { throw .malformedKey }
      length = 0
      for offset in 0..<count {
        guard length <= 0xFF_FFFF else { throw .malformedKey }
        length = length << 8 | Int(bytes[begin + offset])
      }
      guard rules == .ber || (bytes[begin] != 0 && length >= 0x80) else {
        throw .notDER(rule: "a length is not in its shortest form")
      }
      begin += count
    }
    guard length <= end - begin else { throw .malformedKey }
    contents = begin..<begin + length
  }

  /// The values inside a constructed one. `.ber` stops at the end mark of an indefinite length.
  func children(_ bytes: borrowing Span<UInt8>, _ rules: Rules = .der) throws(CryptoError) -> [DERValue] {
    var values: [DERValue] = []
    var offset = contents.lowerBound
    while offset < contents.upperBound {
      if rules == .ber, bytes[offset] == 0 { break }
      let value = try DERValue(bytes, at: offset, before: contents.upperBound, rules)
      values.append(value)
      offset = value.contents.upperBound
    }
    return values
  }

  /// The maximum nesting. Keys and certificates in use have up to ten levels.
  private static let deepest = 24

  /// Checks this value and all inside it for violations of DER (ITU-T X.690 sections 8, 10 and 11) that occur
  /// in keys. Linear time.
  func check(_ bytes: borrowing Span<UInt8>, depth: Int = 0) throws(CryptoError) {
    guard depth < Self.deepest else { throw .malformedKey }
    let isConstructed = tag & 0x20 != 0
    let isUniversal = tag & 0xC0 == 0
    if isUniversal, isConstructed != (tag | 0x20 == Self.sequence || tag | 0x20 == Self.set) {
      guard isConstructed else { throw .malformedKey }
      throw .notDER(rule: "a string is constructed")
    }
    if isConstructed {
      for child in try children(bytes) { try child.check(bytes, depth: depth + 1) }
    } else if tag == Self.integer {
      try checkInteger(bytes)
    } else if tag == Self.bitString {
      try checkBitString(bytes)
    }
  }

  private func checkInteger(_ bytes: borrowing Span<UInt8>) throws(CryptoError) {
    guard let first = contents.first else { throw .malformedKey }
    guard contents.count > 1 else { return }
    let next = bytes[first + 1]
    guard !(bytes[first] == 0 && next < 0x80), !(bytes[first] == 0xFF && next >= 0x80) else {
      throw .notDER(rule: "a number is not in its shortest form")
    }
  }

  private func checkBitString(_ bytes: borrowing Span<UInt8>) throws(CryptoError) {
    guard let first = contents.first, bytes[first] < 8 else { throw .malformedKey }
    let unused = bytes[first]
    guard unused > 0 else { return }
    guard contents.count > 1 else { throw .malformedKey }
    guard bytes[contents.upperBound - 1] & ((1 << unused) - 1) == 0 else {
      throw .notDER(rule: "a bit string has unused bits that are not zero")
    }
  }
}
