internal import TokenSecurityBase

/// A text with variables, prepared for comparison.
///
/// Where no wildcard comes before the last variable, as in `arn:aws:s3:::files/users/${aws:username}/*`, the values are compared one
/// after the other, and nothing is put together for a request.
struct VariableText: Sendable {
  let text: PolicyText
  private let comparison: TextComparison
  private let pieces: Pieces?

  /// Bytes and variables in turn, and the rest.
  private struct Pieces: Sendable {
    let start: [UInt8]
    let variables: [(name: PolicyText.VariableName, then: [UInt8])]
    let rest: PreparedTexts
  }

  init(_ text: PolicyText, _ comparison: TextComparison) {
    self.text = text
    self.comparison = comparison
    pieces = Self.pieces(text, comparison)
  }

  private static func pieces(_ text: PolicyText, _ comparison: TextComparison) -> Pieces? {
    let symbols = text.symbolParts
    guard let rest = symbols.last, let start = symbols.first else { return nil }
    let before = symbols.dropLast()
    var ending = comparison
    if case .pattern(let colons) = comparison {
      guard !before.contains(where: { $0.values.contains(where: PatternSymbols.isWildcard) }) else {
        return nil
      }
      // Whether a wildcard of the rest matches a colon must not depend on the values.
      let count = before.reduce(0) { $0 + $1.values.count { $0 == UInt16(UInt8(ascii: ":")) } }
      guard colons.isPlain(part: count) else { return nil }
      ending = .pattern(.ordinary)
    }
    // The last variable is before the rest.
    let after = before.dropFirst().map(\.bytes) + [[]]
    var table = PreparedTexts()
    table.append(rest, ending)
    return Pieces(
      start: start.bytes, variables: zip(text.variableNames, after).map { ($0, $1) }, rest: table)
  }

  /// The bytes before the first variable, with their case, where all values that match begin with them.
  var start: [UInt8] { comparison == .ignoringCase ? [] : pieces?.start ?? [] }

  /// True if the text matches a value, whose first bytes are those of ``start``. A variable without value matches nothing.
  func matches(_ value: borrowing Span<UInt8>, from first: Int, in context: AccessContext) -> Bool {
    guard let pieces else {
      guard let symbols = text.symbols(in: context) else { return false }
      var table = PreparedTexts()
      table.append(symbols, comparison)
      return table.contains(value, in: context)
    }
    var offset = first
    if first == 0, !has(pieces.start.span, value, &offset) { return false }
    for (name, then) in pieces.variables {
      guard let actual = PolicyText.value(of: name, in: context), has(actual.utf8.span, value, &offset),
        has(then.span, value, &offset)
      else { return false }
    }
    return pieces.rest.contains(value.extracting(offset..<value.count), in: context)
  }

  /// True if a value has bytes at an offset, which is moved to their end.
  private func has(
    _ bytes: borrowing Span<UInt8>, _ value: borrowing Span<UInt8>, _ offset: inout Int
  ) -> Bool {
    let found =
      comparison == .ignoringCase
      ? value.isEqualIgnoringCase(to: bytes, at: offset) : ByteWords.areEqual(value, from: offset, bytes)
    offset += bytes.count
    return found
  }
}
