internal import TokenSecurityBase

/// The symbols of a pattern: bytes of UTF-8, and the wildcards.
///
/// Bytes that come from the value of a variable are always literal.
struct PatternSymbols: Sendable, Hashable {
  /// 0 to 255 are literal bytes.
  private(set) var values: [UInt16] = []

  /// One character, `?`.
  static let one: UInt16 = 256
  /// Any number of characters, `*`.
  static let any: UInt16 = 257

  /// No symbols.
  init() {}

  /// The symbols of a text in which `*` and `?` are wildcards.
  init(pattern text: String) { append(pattern: text.utf8) }

  /// Appends a byte that stands for itself.
  mutating func append(literal byte: UInt8) { values.append(UInt16(byte)) }

  /// Appends bytes that stand for themselves.
  mutating func append(literal bytes: some Sequence<UInt8>) {
    for byte in bytes { append(literal: byte) }
  }

  /// Appends a text in which `*` and `?` are wildcards.
  mutating func append(pattern bytes: some Sequence<UInt8>) {
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "*"): values.append(Self.any)
      case UInt8(ascii: "?"): values.append(Self.one)
      default: append(literal: byte)
      }
    }
  }

  /// Appends other symbols.
  mutating func append(_ symbols: PatternSymbols) { values += symbols.values }

  /// The bytes, with `*` and `?` for the wildcards.
  var bytes: [UInt8] {
    values.map { symbol in
      switch symbol {
      case Self.any: UInt8(ascii: "*")
      case Self.one: UInt8(ascii: "?")
      default: UInt8(truncatingIfNeeded: symbol)
      }
    }
  }

  /// The bytes, with capital ASCII letters as small ones.
  var foldedBytes: [UInt8] { bytes.map(\.lowercasedASCII) }

  /// The symbols with capital ASCII letters as small ones.
  var folded: PatternSymbols {
    var folded = self
    for index in folded.values.indices where folded.values[index] < Self.one {
      folded.values[index] = UInt16(UInt8(truncatingIfNeeded: folded.values[index]).lowercasedASCII)
    }
    return folded
  }

  /// True for a symbol that is a wildcard.
  static func isWildcard(_ symbol: UInt16) -> Bool { symbol >= one }
}
