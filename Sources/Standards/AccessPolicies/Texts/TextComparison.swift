/// The comparison of a policy's text with a value of the request.
enum TextComparison: Sendable, Hashable {
  /// All bytes are the same.
  case exact
  /// The same, except for the case of ASCII letters.
  case ignoringCase
  /// The text is a pattern.
  case pattern(WildcardPattern.Colons)
}
