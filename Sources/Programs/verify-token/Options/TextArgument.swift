internal import ArgumentParser

/// A value of an option that is declared as text.
///
/// The argument parser inspects each type of property once per start, which takes longer than reading the
/// value. So the options of `verify` have few types: text with a value of another type is checked when the
/// command line is read, and converted where it is used.
protocol TextArgument: ExpressibleByArgument {
  /// The form of a value, for the message about an invalid one.
  static var form: String { get }
}

extension TextArgument {
  /// Returns `text` unchanged if it is valid: the `transform` of an option.
  static func checked(_ text: String) throws(InvalidText) -> String {
    guard Self(argument: text) != nil else { throw InvalidText(description: Self.form) }
    return text
  }

  /// The value of text that ``checked(_:)`` accepted.
  init?(_ text: String?) {
    guard let text else { return nil }
    self.init(argument: text)
  }
}

/// The reason why the text of an option is invalid.
struct InvalidText: Error, CustomStringConvertible {
  let description: String
}

extension Int: TextArgument {
  static var form: String { "expected a number" }
}
