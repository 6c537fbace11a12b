/// An error with a stable code for programs and one sentence for people.
///
/// Every public error type of this package conforms, so that a log needs no switch over types:
/// `(error as? any CodedError)?.codeText`.
public protocol CodedError: Error, CustomStringConvertible {
  /// The stable codes. A code never changes its meaning; new ones may come.
  associatedtype Code: RawRepresentable<String>, Hashable, Sendable

  /// The code and the sentence. The sentence names the rule and the value that broke it; text from outside is bounded
  /// and escaped in it, and it never has a secret.
  var details: (code: Code, sentence: String) { get }

  /// The stable code.
  var code: Code { get }

  /// The stable code as text. For an error that carries another one it is the carried error's code.
  var codeText: String { get }
}

extension CodedError {
  /// The stable code.
  public var code: Code { details.code }

  /// The stable code as text.
  public var codeText: String { code.rawValue }

  @available(*, deprecated, renamed: "codeText")
  public var codeName: String { codeText }

  /// One sentence that names the rule and the value that broke it.
  public var description: String { details.sentence }
}
