internal import TokenSecurityBase

/// A text that was prepared for comparison once, where no variable changes it.
struct PreparedText: Sendable {
  /// The comparison of a text with a value of the request.
  enum Comparison: Sendable, Hashable {
    /// All bytes are the same.
    case exact
    /// The same, except for the case of ASCII letters.
    case ignoringCase
    /// The text is a pattern.
    case pattern(WildcardPattern.Colons)
  }

  let text: PolicyText
  let comparison: Comparison
  private let prepared: Prepared?

  private enum Prepared: Sendable {
    case bytes([UInt8])
    case pattern(WildcardPattern)
  }

  init(_ text: PolicyText, _ comparison: Comparison) {
    self.text = text
    self.comparison = comparison
    prepared = text.fixedSymbols.map { Self.prepare($0, comparison) }
  }

  private static func prepare(_ symbols: PatternSymbols, _ comparison: Comparison) -> Prepared {
    switch comparison {
    case .exact: .bytes(symbols.bytes)
    case .ignoringCase: .bytes(symbols.foldedBytes)
    case .pattern(let colons): .pattern(WildcardPattern(symbols, colons: colons))
    }
  }

  /// True if a value matches the text. A text with a variable without value matches nothing.
  func matches(_ value: borrowing Span<UInt8>, in context: AccessContext) -> Bool {
    guard let prepared = prepared ?? text.symbols(in: context).map({ Self.prepare($0, comparison) }) else {
      return false
    }
    switch prepared {
    case .pattern(let pattern): return pattern.matches(value)
    case .bytes(let bytes):
      guard bytes.count == value.count else { return false }
      if comparison == .exact { return ByteWords.areEqual(value, from: 0, bytes.span) }
      return bytes.indices.allSatisfy { bytes[$0] == value[$0].lowercasedASCII }
    }
  }
}
