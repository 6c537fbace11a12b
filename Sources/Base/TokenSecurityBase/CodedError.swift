/// An error with a stable code for programs and one sentence for people.
///
/// Every public error type of this package conforms, so logging needs no switch over types:
/// `(error as? any CodedError)?.codeText`.
public protocol CodedError: Error, CustomStringConvertible {
  /// The stable codes. Codes keep their meaning; new ones may be added.
  associatedtype Code: RawRepresentable<String>, Hashable, Sendable

  /// The code and the sentence. The sentence names the rule and the value that broke it. Text from outside in
  /// it is bounded and escaped, and it never contains a secret.
  var details: (code: Code, sentence: String) { get }

  /// The stable code.
  var code: Code { get }

  /// The stable code as text. For an error that wraps another one, the code of that one.
  var codeText: String { get }
}

extension CodedError {
  /// The stable code.
  public var code: Code { details.code }

  /// The stable code as text.
  public var codeText: String { code.rawValue }

  /// The former name of `codeText`.
  @available(*, deprecated, renamed: "codeText")
  public var codeName: String { codeText }

  /// One sentence that names the rule and the value that broke it.
  public var description: String { details.sentence }
}
