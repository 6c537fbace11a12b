internal import TokenSecurityBase

/// Texts of a policy that were prepared for comparison once, in one list of numbers and bytes.
///
/// A comparison allocates nothing and counts no references, where no variable comes after a wildcard.
struct PreparedTexts: Sendable {
  private var entries: [PreparedText] = []
  /// The bytes of all entries.
  private var bytes: [UInt8] = []
  private var automata: [WildcardAutomaton] = []
  private(set) var variables: [VariableText] = []

  /// The number of texts.
  var count: Int { entries.count }

  // MARK: Preparing

  /// Appends a text.
  mutating func append(_ text: PolicyText, _ comparison: TextComparison) {
    if let symbols = text.fixedSymbols { return append(symbols, comparison) }
    let prepared = VariableText(text, comparison)
    let start = prepared.start
    entries.append(PreparedText(start[...], at: bytes.count, form: .variables(variables.count)))
    bytes += start
    variables.append(prepared)
  }

  /// Appends a text without variables.
  mutating func append(_ symbols: PatternSymbols, _ comparison: TextComparison) {
    switch comparison {
    case .exact: append(symbols.bytes[...], .exact)
    case .ignoringCase:
      let folded = symbols.foldedBytes
      entries.append(
        PreparedText([], at: bytes.count, suffix: folded.count, form: .ignoringCase))
      bytes += folded
    case .pattern(let colons):
      let shape = PatternShape(symbols, colons)
      switch shape.middle {
      case .impossible: append([], .impossible)
      case .nothing: append(shape.prefix, .exact)
      case .anything: append(shape.prefix, .anything, shape.suffix)
      case .anythingInPart: append(shape.prefix, .anythingInPart, shape.suffix)
      case .automaton(let automaton):
        append(shape.prefix, .automaton(automata.count), shape.suffix)
        automata.append(automaton)
      }
    }
  }

  private mutating func append(
    _ prefix: ArraySlice<UInt8>, _ form: PreparedText.Form, _ suffix: ArraySlice<UInt8> = []
  ) {
    entries.append(PreparedText(prefix, at: bytes.count, suffix: suffix.count, form: form))
    bytes += prefix
    bytes += suffix
  }

  // MARK: Comparing

  /// True if a value matches one of the texts. A text with a variable without value matches nothing.
  func contains(_ value: borrowing Span<UInt8>, in context: AccessContext) -> Bool {
    contains(value, 0, count, in: context)
  }

  /// True if a value matches one of the texts from one index up to another.
  func contains(_ value: borrowing Span<UInt8>, _ first: Int, _ end: Int, in context: AccessContext) -> Bool {
    let entries = entries.span
    var index = first
    while index < end {
      if entries[index].canMatch(value), matches(entries[index], value, in: context) { return true }
      index &+= 1
    }
    return false
  }

  private func matches(_ entry: PreparedText, _ value: borrowing Span<UInt8>, in context: AccessContext)
    -> Bool
  {
    let count = value.count
    let suffix = entry.start + entry.prefix
    guard entry.isSettled(count) || has(entry.start, entry.prefix, value, at: 0) else { return false }
    switch entry.form {
    case .exact: return count == entry.prefix
    case .anything: return has(suffix, entry.suffix, value, at: count - entry.suffix)
    case .anythingInPart:
      guard has(suffix, entry.suffix, value, at: count - entry.suffix) else { return false }
      let colon = ByteSearch.firstIndex(of: UInt8(ascii: ":"), in: value, from: entry.prefix)
      return colon.map { $0 >= count - entry.suffix } ?? true
    case .automaton(let index):
      guard has(suffix, entry.suffix, value, at: count - entry.suffix) else { return false }
      return automata[index].matches(value.extracting(entry.prefix..<count - entry.suffix))
    case .ignoringCase:
      return count == entry.suffix
        && value.isEqualIgnoringCase(to: bytes.span.extracting(suffix..<suffix + entry.suffix), at: 0)
    case .variables(let index): return variables[index].matches(value, from: entry.prefix, in: context)
    case .impossible: return false
    }
  }

  /// True if a value has some of the bytes at an offset.
  private func has(_ start: Int, _ length: Int, _ value: borrowing Span<UInt8>, at offset: Int) -> Bool {
    length == 0
      || ByteWords.areEqual(value, from: offset, bytes.span.extracting(start..<start + length))
  }
}

extension Span<UInt8> {
  /// True if the span has other bytes at an offset, apart from the case of ASCII letters.
  func isEqualIgnoringCase(to other: borrowing Span<UInt8>, at offset: Int) -> Bool {
    guard count - offset >= other.count else { return false }
    for index in other.indices where self[offset + index] != other[index] {
      guard self[offset + index].lowercasedASCII == other[index].lowercasedASCII else { return false }
    }
    return true
  }
}
