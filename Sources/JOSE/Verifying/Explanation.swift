internal import TokenSecurityEncodings

/// How a token fared, check by check.
public struct Explanation: Sendable {
  /// The checks in the order in which they were made.
  public let checks: [Check]
  /// The verdict: the token, or the first rule that it broke.
  public let result: Result<VerifiedToken, JOSEError>
  /// The header, where it could be read. It is what the token says of itself.
  public let header: JOSEHeader?
  /// The instant that the token was judged at.
  public let checkedAt: NumericDate

  /// One check.
  public struct Check: Sendable {
    /// A short name, stable for programs: `signature`, `exp`, `aud`.
    public let name: String
    /// The section of the standard that the rule comes from, where there is one.
    public let reference: String?
    /// What the policy expects.
    public let expected: String
    /// What the token has; nil where the check was not reached. Text from outside is bounded and escaped in it.
    public let actual: String?
    /// How it ended.
    public let outcome: Outcome
  }

  /// How a check ended.
  public enum Outcome: Sendable, Equatable {
    /// The token satisfies the rule.
    case passed
    /// The rule was broken.
    case failed(JOSEError)
    /// The policy does not ask; the reason is the policy's.
    case unchecked(because: String)
    /// An earlier check failed, and nothing was said about this one.
    case notReached

    /// A stable word for programs.
    public var word: String {
      switch self {
      case .passed: "passed"
      case .failed: "failed"
      case .unchecked: "unchecked"
      case .notReached: "not_reached"
      }
    }
  }
}

extension Explanation {
  /// A verdict without its checks.
  package init(
    result: Result<VerifiedToken, JOSEError>, header: JOSEHeader?, at now: NumericDate
  ) {
    self.init(checks: [], result: result, header: header, checkedAt: now)
  }
}
