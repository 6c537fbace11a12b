public import TokenSecurityBase

/// A request that policies do not allow.
public struct AccessRefusal: CodedError, Equatable {
  /// The stable codes are those of the reasons.
  public typealias Code = AccessDecision.Reason

  /// The decision.
  public let decision: AccessDecision

  init(_ decision: AccessDecision) { self.decision = decision }

  /// The code and one sentence.
  public var details: (code: Code, sentence: String) { (decision.reason, decision.sentence) }
}

extension AccessDecision {
  /// One sentence.
  public var sentence: String {
    let request = "\(action.visible(upTo: 128)) on \(resource.visible(upTo: 256))"
    return switch reason {
    case .allowed: "\(request) is allowed " + (statement.map { "by \($0)" } ?? "to the account's root user")
    case .deniedByStatement: "\(request) is denied" + (statement.map { " by \($0)" } ?? "")
    case .notAllowedByIdentity: "no identity policy allows \(request)"
    case .notAllowedByResource: "no resource policy allows \(request)"
    case .notAllowedByBoundary: "the permissions boundary does not allow \(request)"
    case .notAllowedBySession: "no session policy allows \(request)"
    case .sessionPolicyMissing:
      "the federated user's session has no session policy, so that nothing allows \(request)"
    }
  }
}
