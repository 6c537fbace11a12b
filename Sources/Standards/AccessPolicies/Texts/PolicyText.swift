internal import TokenSecurityBase

/// A text of a policy with wildcards and variables.
struct PolicyText: Sendable, Hashable {
  /// The text as the document has it.
  let source: String
  private let parts: [Part]

  private enum Part: Sendable, Hashable {
    case symbols(PatternSymbols)
    /// A key in lower case, as ``VariableName`` has it, and the default.
    case variable(VariableName)
  }

  /// A variable.
  struct VariableName: Sendable, Hashable {
    let key: ExactString
    let standard: ExactString?
  }

  /// A variable that is not of the documented form.
  struct Malformed: Error {}

  /// Reads a text. Without variables, `${` is literal text.
  init(_ source: String, hasVariables: Bool) throws(Malformed) {
    self.source = source
    var parts: [Part] = []
    var symbols = PatternSymbols()
    var rest = Array(source.utf8)[...]
    while hasVariables, let start = rest.firstRange(ofBytes: "${".utf8) {
      symbols.append(pattern: rest[..<start.lowerBound])
      rest = rest[start.upperBound...]
      if let special = rest.first, rest.dropFirst().first == UInt8(ascii: "}"), "*?$".utf8.contains(special) {
        symbols.append(literal: special)
        rest = rest.dropFirst(2)
        continue
      }
      parts.append(.symbols(symbols))
      symbols = PatternSymbols()
      parts.append(.variable(try Self.variable(&rest)))
    }
    symbols.append(pattern: rest)
    self.parts = parts + [.symbols(symbols)]
  }

  /// Reads `key}` or `key, 'default'}`.
  private static func variable(_ rest: inout ArraySlice<UInt8>) throws(Malformed) -> VariableName {
    guard let end = rest.firstIndex(where: { $0 == UInt8(ascii: "}") || $0 == UInt8(ascii: ",") }) else {
      throw Malformed()
    }
    let key = rest[..<end]
    guard !key.isEmpty, !key.contains(where: { "${*?'".utf8.contains($0) }) else { throw Malformed() }
    let name = ExactString(String(decoding: key, as: UTF8.self).lowercasedASCII)
    let isLast = rest[end] == UInt8(ascii: "}")
    rest = rest[(end + 1)...]
    guard !isLast else { return VariableName(key: name, standard: nil) }
    rest = rest.drop { $0 == UInt8(ascii: " ") }
    guard rest.first == UInt8(ascii: "'") else { throw Malformed() }
    rest = rest.dropFirst()
    guard let quote = rest.firstIndex(of: UInt8(ascii: "'")),
      rest[quote...].dropFirst().first == UInt8(ascii: "}")
    else { throw Malformed() }
    let standard = ExactString(String(decoding: rest[..<quote], as: UTF8.self))
    rest = rest[(quote + 2)...]
    return VariableName(key: name, standard: standard)
  }

  /// True if the text has a variable whose value depends on the request.
  var hasVariables: Bool { parts.count > 1 }

  /// True if the text has a variable without a default.
  var canLackValue: Bool {
    parts.contains { if case .variable(let name) = $0 { name.standard == nil } else { false } }
  }

  /// What is before, between and after the variables: one more than there are variables.
  var symbolParts: [PatternSymbols] {
    parts.compactMap { if case .symbols(let symbols) = $0 { symbols } else { nil } }
  }

  /// The variables.
  var variableNames: [VariableName] {
    parts.compactMap { if case .variable(let name) = $0 { name } else { nil } }
  }

  /// The colons before the first variable.
  var colonsBeforeVariables: Int {
    guard case .symbols(let symbols)? = parts.first else { return 0 }
    return symbols.values.count { $0 == UInt16(UInt8(ascii: ":")) }
  }

  /// The symbols with the values of variables as literal text; nil where a variable has no value.
  func symbols(in context: AccessContext) -> PatternSymbols? {
    var result = PatternSymbols()
    for part in parts {
      switch part {
      case .symbols(let symbols): result.append(symbols)
      case .variable(let name):
        guard let value = Self.value(of: name, in: context) else { return nil }
        result.append(literal: value.utf8)
      }
    }
    return result
  }

  /// The symbols of a text without variables.
  var fixedSymbols: PatternSymbols? { hasVariables ? nil : symbols(in: [:]) }

  /// The keys of the variables that have no value.
  func missing(in context: AccessContext) -> [String] {
    variableNames.filter { Self.value(of: $0, in: context) == nil }.map(\.key.text)
  }

  /// The variables with the values that a request gives them.
  func values(in context: AccessContext) -> [(key: String, value: String)] {
    variableNames.compactMap { name in Self.value(of: name, in: context).map { (name.key.text, $0) } }
  }

  /// The value of a key, or the default where the request lacks the key. A key with several values has none.
  static func value(of name: VariableName, in context: AccessContext) -> String? {
    context.variable(name.key) ?? (context.values(of: name.key).count > 1 ? nil : name.standard?.text)
  }
}
