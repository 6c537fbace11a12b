internal import TokenSecurityBase

/// A text of a ``PreparedTexts``, as numbers.
struct PreparedText: Sendable {
  /// How the rest of a value is compared, after the bytes before the first wildcard.
  enum Form: Sendable {
    /// No bytes.
    case exact
    /// All of it, except for the case of ASCII letters.
    case ignoringCase
    /// Any bytes, and those after the wildcard.
    case anything
    /// The same without a colon.
    case anythingInPart
    /// With the automaton of an index, and the bytes after the last wildcard.
    case automaton(Int)
    /// With the text of an index, which has variables.
    case variables(Int)
    /// No value matches.
    case impossible
  }

  /// The index of the bytes before the first wildcard, which those after the last one follow, and the numbers of both.
  let start: Int
  let prefix: Int
  let suffix: Int
  let form: Form
  /// The last eight bytes of the prefix, and their offset. Bits that no byte of the prefix has are 0 in the mask.
  private let word: UInt64
  private let mask: UInt64
  private let offset: Int

  init(_ prefix: ArraySlice<UInt8>, at start: Int, suffix: Int = 0, form: Form) {
    self.start = start
    self.prefix = prefix.count
    self.suffix = suffix
    self.form = form
    var word: UInt64 = 0
    var mask: UInt64 = 0
    for byte in prefix.suffix(8).reversed() {
      word = word << 8 | UInt64(byte)
      mask = mask << 8 | 0xFF
    }
    self.word = word
    self.mask = mask
    offset = max(0, prefix.count - 8)
  }

  /// False for most of the values that the text does not match: ARNs of one service differ at the end of a prefix.
  @inline(__always)
  func canMatch(_ value: borrowing Span<UInt8>) -> Bool {
    guard value.count >= prefix &+ suffix else { return false }
    return value.count < 8 || ByteWords.load(value, at: offset) & mask == word
  }

  /// True where ``canMatch(_:)`` has compared all bytes before the first wildcard, for a value of a length.
  func isSettled(_ count: Int) -> Bool { prefix <= 8 && count >= 8 }
}
