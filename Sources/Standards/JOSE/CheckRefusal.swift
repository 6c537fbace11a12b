internal import TokenSecurityBase

/// Why a ``TokenCheck`` refused a token.
public struct CheckRefusal: Sendable, Hashable {
  /// The stable code, for programs.
  public let code: String
  /// One sentence for people. Text of the token in it must be bounded and escaped.
  public let message: String

  /// A refusal with this code and message.
  ///
  /// - Parameters:
  ///   - code: the stable code.
  ///   - message: one sentence.
  public init(code: String, message: String) {
    self.code = code
    self.message = message
  }
}
