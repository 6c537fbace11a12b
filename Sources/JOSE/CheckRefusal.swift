internal import TokenSecurityEncodings

/// Why a ``TokenCheck`` refused a token, with a code of its own.
public struct CheckRefusal: Sendable, Hashable {
  /// The stable code, for programs.
  public let code: String
  /// One sentence for people. Foreign text in it must be bounded and escaped.
  public let message: String

  /// A refusal with this code and message.
  public init(code: String, message: String) {
    self.code = code
    self.message = message
  }
}
