internal import TokenSecurityBase

/// A pattern with `*` for any number of characters and `?` for one character, which may have several bytes.
struct WildcardPattern: Sendable {
  /// Which wildcards match a colon.
  enum Colons: Sendable, Hashable {
    /// All do.
    case ordinary
    /// Of a resource: those of the first five parts do not, except a `*` that ends its part.
    case ofResource
    /// Of an ARN operator, which compares six parts one by one: those of the first five parts do not. A pattern of fewer
    /// parts matches nothing.
    case ofARN

    /// True where each wildcard of a part matches a colon.
    func isPlain(part: Int) -> Bool { self == .ordinary || part >= 5 }

    /// True if the `*` at an index matches colons.
    func crosses(_ symbols: [UInt16], at index: Int, part: Int) -> Bool {
      let isLast = index + 1 == symbols.count || symbols[index + 1] == UInt16(UInt8(ascii: ":"))
      return isPlain(part: part) || self == .ofResource && isLast
    }
  }

  private let table: PreparedTexts

  /// A pattern.
  init(_ symbols: PatternSymbols, colons: Colons = .ordinary) {
    var table = PreparedTexts()
    table.append(symbols, .pattern(colons))
    self.table = table
  }

  /// True if the pattern matches all of a text.
  func matches(_ text: borrowing Span<UInt8>) -> Bool { table.contains(text, in: [:]) }
}
