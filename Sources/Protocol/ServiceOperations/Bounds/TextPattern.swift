internal import TokenSecurityBase

/// A pattern: the text that messages print, and a check that takes linear time.
///
/// A literal of one bracket expression is its own check: `#"[\w._-]+"#`. Other patterns get a function.
public struct TextPattern: Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  /// The pattern as messages print it.
  public let description: String
  /// A text that matches, where the pattern is not one bracket expression.
  public let example: String?
  /// The characters, where the pattern is one bracket expression.
  let characters: CharacterClass?
  private let isEmptyAllowed: Bool
  private let function: (@Sendable (borrowing Span<UInt8>) -> Bool)?

  /// A pattern that is one bracket expression, repeated with `+` or `*`. Any other pattern matches nothing.
  ///
  /// - Parameter value: the pattern.
  public init(stringLiteral value: String) {
    description = value
    characters = CharacterClass(pattern: value)
    isEmptyAllowed = value.hasSuffix("*")
    function = nil
    example = nil
  }

  /// A pattern that a function checks.
  ///
  /// - Parameters:
  ///   - printed: the pattern as messages print it.
  ///   - example: a text that matches.
  ///   - matches: returns true for the UTF-8 of a text that matches, in linear time.
  public init(
    _ printed: String, example: String, matches: @escaping @Sendable (borrowing Span<UInt8>) -> Bool
  ) {
    description = printed
    characters = nil
    isEmptyAllowed = false
    function = matches
    self.example = example
  }

  /// A pattern that these texts match and no others.
  ///
  /// - Parameters:
  ///   - printed: the pattern as messages print it.
  ///   - texts: the texts, at least one.
  public init(_ printed: String, texts: [String]) {
    self.init(printed, example: texts.first ?? "") { text in
      texts.contains { $0.utf8.count == text.count && ByteSearch.has($0, text, at: 0) }
    }
  }

  /// True if the whole text matches.
  ///
  /// - Parameter text: UTF-8.
  /// - Returns: true if it matches.
  public func matches(_ text: borrowing Span<UInt8>) -> Bool {
    if let function { return function(text) }
    guard let characters else { return false }
    return (!text.isEmpty || isEmptyAllowed) && characters.containsAll(text)
  }

  /// True if the whole text matches.
  ///
  /// - Parameter text: a text.
  /// - Returns: true if it matches.
  public func matches(_ text: String) -> Bool { matches(text.utf8.span) }
}
