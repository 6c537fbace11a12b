@testable internal import AccessPolicies
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityTesting
internal import TokenSecurityVectorFiles

/// Prepared texts: the same answers as one automaton for the whole pattern, and as comparisons that try nothing clever.
@Suite struct PreparedTextTests {
  private typealias Colons = WildcardPattern.Colons

  /// Random texts, and values that they match or nearly match.
  private struct Source {
    var random = SeededGenerator(seed: 41)

    /// Few letters, so that parts are often the same, and words that are longer than eight bytes.
    private static let pieces = [
      "a", "b", "A", ":", "/", "é", "😀", "s3:Get", "arn:aws:s3:::", "arn:aws:sqs:eu-west-1:123456789012:",
      "users/",
      "abcdefghabcdefgh",
    ]

    mutating func pick<Value>(_ values: [Value]) -> Value {
      values[Int.random(in: 0..<values.count, using: &random)]
    }

    mutating func text(_ extra: [String] = [], most: Int = 4) -> String {
      var text = ""
      for _ in 0..<Int.random(in: 0...most, using: &random) { text += pick(Self.pieces + extra) }
      return text
    }

    /// A value for a pattern: wildcards are replaced, and one character perhaps changed.
    mutating func value(for pattern: String) -> String {
      var value = ""
      for character in pattern.unicodeScalars {
        switch character {
        case "*": value += text(most: 2)
        case "?": value += pick(["a", "é", ":", ""])
        default: value.unicodeScalars.append(character)
        }
      }
      guard Int.random(in: 0..<3, using: &random) == 0 else { return value }
      var scalars = Array(value.unicodeScalars)
      guard let index = scalars.indices.randomElement(using: &random) else { return "b" }
      scalars[index] = "x"
      if Bool.random(using: &random) { scalars.remove(at: index) }
      return scalars.reduce(into: "") { $0.unicodeScalars.append($1) }
    }
  }

  /// The whole pattern as one automaton.
  private static func reference(_ symbols: PatternSymbols, _ value: String, _ colons: Colons) -> Bool {
    let parts = symbols.values.count { $0 == UInt16(UInt8(ascii: ":")) } + 1
    guard colons != .ofARN || parts >= 6 else { return false }
    return WildcardAutomaton(symbols.values, colons: colons).matches(value.utf8.span)
  }

  @Test func theSameAsOneAutomaton() {
    var source = Source()
    var found = [0, 0]
    for _ in 0..<TestScale.count(30_000) {
      let pattern = source.text(["*", "*", "?"], most: 6)
      let value = source.value(for: pattern)
      let symbols = PatternSymbols(pattern: pattern)
      for colons in [Colons.ordinary, .ofResource, .ofARN] {
        let expected = Self.reference(symbols, value, colons)
        let isMatch = WildcardPattern(symbols, colons: colons).matches(value.utf8.span)
        #expect(isMatch == expected, "\(pattern) \(value) \(colons)")
        found[expected ? 1 : 0] += 1
      }
    }
    #expect(found.allSatisfy { $0 > 500 }, "\(found)")
  }

  /// A list of texts is compared from one index up to another, and each has its own bytes.
  @Test func listsOfPatterns() {
    var source = Source()
    var found = [0, 0]
    for _ in 0..<TestScale.count(5_000) {
      let patterns = (0..<5).map { _ in source.text(["*", "?"], most: 5) }
      var table = PreparedTexts()
      for pattern in patterns { table.append(PatternSymbols(pattern: pattern), .pattern(.ofResource)) }
      let value = source.value(for: source.pick(patterns))
      let first = Int.random(in: 0...5, using: &source.random)
      let end = Int.random(in: first...5, using: &source.random)
      let expected = patterns[first..<end].contains {
        Self.reference(PatternSymbols(pattern: $0), value, .ofResource)
      }
      #expect(table.contains(value.utf8.span, first, end, in: [:]) == expected, "\(patterns) \(value)")
      found[expected ? 1 : 0] += 1
    }
    #expect(found.allSatisfy { $0 > 50 }, "\(found)")
  }

  /// Variables: the same as a pattern in which the values are literal, and no value where one is missing.
  @Test func theSameWithValuesPutIn() throws {
    var source = Source()
    let context: AccessContext = [
      "one": ["jane"], "star": ["*a?"], "colon": ["a:b"], "capital": ["ÉaB"], "empty": [""],
      "two": ["x", "y"],
    ]
    let values = [
      "${one}": "jane", "${STAR}": "*a?", "${colon}": "a:b", "${capital}": "ÉaB", "${none, 'aB'}": "aB",
      "${none, ''}": "", "${*}": "*",
    ]
    let names = values.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    let comparisons: [TextComparison] = [
      .exact, .ignoringCase, .pattern(.ordinary), .pattern(.ofResource), .pattern(.ofARN),
    ]
    var found = [0, 0]
    for _ in 0..<TestScale.count(30_000) {
      let missing = ["${none}", "${empty}", "${two}", "${two, 'a'}"]
      let lacks = Int.random(in: 0..<8, using: &source.random) == 0
      let text = source.text(names + names + ["*", "?"] + (lacks ? missing : []), most: 7)
      // What is matched most of the time: the text with its values.
      var filled = text
      for (name, value) in values { filled = filled.replacing(name, with: value) }
      var value = source.value(for: filled)
      if source.pick([true, false, false]) { value = value.uppercased() }
      let prepared = try PolicyText(text, hasVariables: true)
      let symbols = prepared.symbols(in: context)
      for comparison in comparisons {
        var table = PreparedTexts()
        table.append(prepared, comparison)
        let expected =
          switch (comparison, symbols) {
          case (_, nil): false
          case (.exact, let symbols?): symbols.bytes == Array(value.utf8)
          case (.ignoringCase, let symbols?): symbols.foldedBytes == value.utf8.map(\.lowercasedASCII)
          case (.pattern(let colons), let symbols?): Self.reference(symbols, value, colons)
          }
        #expect(
          table.contains(value.utf8.span, in: context) == expected, "\(text) \(value) \(comparison)")
        found[expected ? 1 : 0] += 1
      }
    }
    #expect(found.allSatisfy { $0 > 500 }, "\(found)")
  }

  /// Parts of ARNs by offsets are those of a text that is split.
  @Test func partsOfARNs() {
    var source = Source()
    var found = [0, 0]
    for _ in 0..<TestScale.count(5_000) {
      let text = source.text([":", "::", "iam", "root"], most: 9)
      let parts = text.parts(at: ":", most: 6)
      let arn = ARNParts(text)
      #expect((arn == nil) == (parts.count < 6), "\(text)")
      found[arn == nil ? 0 : 1] += 1
      guard let arn else { continue }
      for (index, part) in parts.enumerated() {
        #expect(arn[index] == part && arn.has(index, part) && !arn.has(index, part + "a"), "\(text)")
      }
      #expect(arn.lastBegins(String(parts[5].unicodeScalars.prefix(3))) && !arn.lastBegins(parts[5] + "a"))
    }
    #expect(found.allSatisfy { $0 > 50 }, "\(found)")
  }

  /// The role of a session, whatever its path.
  @Test(arguments: [
    ("arn:aws:iam::123456789012:role/app", true), ("arn:aws:iam::123456789012:role/team/app", true),
    ("arn:aws:iam::123456789012:role/a/b/app", true), ("arn:aws:iam::123456789012:role/", false),
    ("arn:aws:iam::123456789012:role/app/", false), ("arn:aws:iam::123456789012:role/xapp", false),
    ("arn:aws:iam::123456789012:role/team/ap", false), ("arn:aws:iam::123456789013:role/team/app", false),
    ("arn:aws:iam::123456789012:user/app", false), ("arn:aws:iam::123456789012:role", false),
    ("arn:aws:sts::123456789012:role/team/app", false), ("role/app", false), ("", false),
  ])
  func rolesOfSessions(_ name: String, _ isRole: Bool) {
    let session = AccessPrincipal.aws("arn:aws:sts::123456789012:assumed-role/app/jane")
    #expect(session.belongs(to: name) == isRole)
  }
}
