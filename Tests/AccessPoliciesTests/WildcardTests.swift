@testable internal import AccessPolicies
internal import Testing
internal import TokenSecurityTesting
internal import TokenSecurityVectorFiles

/// Patterns: the same answers as a matcher that tries everything, and steps that grow with the text.
@Suite struct WildcardTests {
  private static func matches(_ pattern: String, _ text: String, _ colons: WildcardPattern.Colons = .ordinary)
    -> Bool
  {
    WildcardPattern(PatternSymbols(pattern: pattern), colons: colons).matches(text.utf8.span)
  }

  private static func automaton(_ pattern: String) -> WildcardAutomaton {
    WildcardAutomaton(PatternSymbols(pattern: pattern).values, colons: .ordinary)
  }

  /// A matcher that tries each length of each star, over characters.
  private static func tries(
    _ pattern: ArraySlice<Unicode.Scalar>, _ text: ArraySlice<Unicode.Scalar>, _ part: Int,
    _ colons: WildcardPattern.Colons
  ) -> Bool {
    guard let first = pattern.first else { return text.isEmpty }
    let rest = pattern.dropFirst()
    let isPlain = colons == .ordinary || part >= 5
    switch first {
    case "*":
      let crosses = isPlain || colons == .ofResource && (rest.isEmpty || rest.first == ":")
      var left = text
      while true {
        if tries(rest, left, part, colons) { return true }
        guard let next = left.first, crosses || next != ":" else { return false }
        left = left.dropFirst()
      }
    case "?":
      guard let next = text.first, isPlain || next != ":" else { return false }
      return tries(rest, text.dropFirst(), part, colons)
    default:
      guard text.first == first else { return false }
      return tries(rest, text.dropFirst(), part + (first == ":" ? 1 : 0), colons)
    }
  }

  @Test func theSameAsTryingEverything() {
    var random = SeededGenerator(seed: 40)
    let letters: [Unicode.Scalar] = ["a", "b", "é", "😀", ":"]
    var found = [0, 0]
    for round in 0..<TestScale.count(20_000) {
      // Long literal parts fill several words.
      let repeats = round % 4 == 0 ? Int.random(in: 10...40, using: &random) : 1
      func text(_ extra: [Unicode.Scalar], _ length: Int) -> String {
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...length, using: &random) {
          let next = (letters + extra).randomElement(using: &random) ?? "a"
          for _ in 0..<(next == "a" ? repeats : 1) { text.append(next) }
        }
        return String(text)
      }
      let pattern = text(["*", "?", "*"], 9)
      let subject = text([], 12)
      for colons in [WildcardPattern.Colons.ordinary, .ofResource, .ofARN] {
        let parts = pattern.unicodeScalars.count { $0 == ":" } + 1
        let expected =
          (colons != .ofARN || parts >= 6)
          && Self.tries(Array(pattern.unicodeScalars)[...], Array(subject.unicodeScalars)[...], 0, colons)
        #expect(Self.matches(pattern, subject, colons) == expected, "\(pattern) \(subject) \(colons)")
        found[expected ? 1 : 0] += 1
      }
    }
    #expect(found.allSatisfy { $0 > 100 })
  }

  /// Pairs that would take a matcher that goes back exponential or quadratic time.
  @Test(arguments: [
    (String(repeating: "*a", count: 30) + "*b", "a"), ("*" + String(repeating: "a?", count: 25) + "b", "a"),
    (String(repeating: "?*", count: 20) + "b", "ac"), ("*aaaaaaaaaaaaaaaab*c", "aaaaaaaaaaaaaaaa"),
  ])
  func stepsGrowWithTheText(_ pattern: String, _ piece: String) {
    let automaton = Self.automaton(pattern)
    func steps(_ count: Int) -> Int {
      var steps = 0
      let text = String(repeating: piece, count: count)
      #expect(!automaton.matches(text.utf8.span, steps: &steps))
      #expect((1...text.utf8.count).contains(steps))
      return steps
    }
    let counts = [1_000, 2_000, 4_000].map(steps)
    #expect(counts[1] <= 2 * counts[0] + 2 && counts[2] <= 2 * counts[1] + 2)
  }

  /// A long pattern costs a word for 64 of its characters at most.
  @Test func stepsOfLongPatterns() {
    for length in [64, 128, 256, 512] {
      let text = String(repeating: "a", count: 2_000)
      var steps = 0
      let pattern = Self.automaton("*" + String(repeating: "a", count: length) + "b")
      #expect(!pattern.matches(text.utf8.span, steps: &steps))
      #expect(steps <= text.utf8.count * ((length + 1) / 64 + 1))
    }
    // States that end are left behind: one of many characters costs about a word.
    for length in [1_000, 2_000, 4_000] {
      var steps = 0
      let pattern = Self.automaton(String(repeating: "?", count: length) + "*b")
      #expect(!pattern.matches(String(repeating: "a", count: 2 * length).utf8.span, steps: &steps))
      #expect((2 * length...4 * length).contains(steps))
    }
    // States before a later star are given up: many short parts cost about a word each.
    var steps = 0
    let parts = Self.automaton(String(repeating: "*abcdefg", count: 100))
    #expect(parts.matches(String(repeating: "abcdefg", count: 200).utf8.span, steps: &steps))
    #expect(steps <= 2 * 1_400 + 100)
  }

  @Test func wordBoundaries() {
    for length in 60...130 {
      let text = String(repeating: "x", count: length)
      #expect(Self.matches(text + "?", text + "y"))
      #expect(Self.matches("?" + text, "é" + text))
      #expect(!Self.matches(text + "?", text))
      #expect(Self.matches("*" + text, "yyy" + text))
      #expect(!Self.matches("*" + text + "*z", "yyy" + text))
      #expect(Self.matches(text + "*" + text, text + text))
      #expect(!Self.matches(text + "?*" + text, text + text))
    }
  }
}
