/// A text that is not the name of an AWS resource.
public struct AWSNameError: CodedError, Hashable {
  /// The stable code.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    /// The text does not have the form of the name.
    case identifierInvalid = "identifier_invalid"
  }

  /// The kind of name, for instance `region`.
  public let kind: String
  /// The text.
  public let value: String
  /// The rule that the text breaks.
  public let rule: String

  package init(kind: String, value: String, rule: String) {
    self.kind = kind
    self.value = value
    self.rule = rule
  }

  /// The code and the sentence.
  public var details: (code: Code, sentence: String) {
    (.identifierInvalid, "\(value.quoted(upTo: 200)) is not a valid \(kind): \(rule)")
  }
}
