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
  }

  private enum Form: Sendable {
    case nothing
    case everything
    case exactly([UInt8])
    case beginning([UInt8])
    case automaton(WildcardAutomaton)
  }

  private let form: Form

  /// A pattern.
  init(_ symbols: PatternSymbols, colons: Colons = .ordinary) {
    form = Self.form(symbols, colons)
  }

  private static func form(_ symbols: PatternSymbols, _ colons: Colons) -> Form {
    let values = symbols.values
    let parts = 1 + values.count { $0 == UInt16(UInt8(ascii: ":")) }
    if colons == .ofARN, parts < 6 { return .nothing }
    guard let first = values.firstIndex(where: PatternSymbols.isWildcard) else {
      return .exactly(symbols.bytes)
    }
    // A `*` at the end of the whole pattern matches colons in each form: that of an ARN is in the sixth part here.
    if first == values.count - 1, values[first] == PatternSymbols.any {
      return first == 0 ? .everything : .beginning(Array(symbols.bytes.dropLast()))
    }
    return .automaton(WildcardAutomaton(values, colons: colons))
  }

  /// True if the pattern matches all of a text.
  func matches(_ text: borrowing Span<UInt8>) -> Bool {
    var steps = 0
    return matches(text, steps: &steps)
  }

  /// The same, and adds the number of words that were computed to `steps`.
  func matches(_ text: borrowing Span<UInt8>, steps: inout Int) -> Bool {
    switch form {
    case .nothing: return false
    case .everything: return true
    case .exactly(let bytes):
      return bytes.count == text.count && ByteWords.areEqual(text, from: 0, bytes.span)
    case .beginning(let bytes): return ByteWords.areEqual(text, from: 0, bytes.span)
    case .automaton(let automaton): return automaton.matches(text, steps: &steps)
    }
  }
}
