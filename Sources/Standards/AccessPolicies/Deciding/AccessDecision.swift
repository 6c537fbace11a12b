internal import TokenSecurityBase

/// The answer of policies to a request, with its reason.
public struct AccessDecision: Sendable, Hashable {
  /// The three outcomes of IAM.
  public enum Outcome: String, Sendable, Hashable, CaseIterable {
    /// The request is allowed.
    case allow
    /// A statement denies the request.
    case explicitDeny
    /// No statement denies the request, and one that would have to allow it is missing.
    case implicitDeny
  }

  /// Where a policy is attached.
  public enum Source: String, Sendable, Hashable, CaseIterable {
    /// To the caller's user or role.
    case identity
    /// To the resource.
    case resource
    /// To the caller's user or role, as its permissions boundary.
    case boundary
    /// To the caller's session.
    case session
  }

  /// The reasons, each with a stable code.
  @nonexhaustive public enum Reason: String, Sendable, Hashable, CaseIterable {
    /// All policies that must allow the request do.
    case allowed = "access_allowed"
    /// A statement denies the request.
    case deniedByStatement = "access_denied_by_statement"
    /// No policy of the caller's user or role allows the request, nor one of the resource.
    case notAllowedByIdentity = "access_not_allowed_by_identity"
    /// No policy of the resource allows the request, and the caller has no other one or belongs to another account.
    case notAllowedByResource = "access_not_allowed_by_resource"
    /// The permissions boundary does not allow the request.
    case notAllowedByBoundary = "access_not_allowed_by_boundary"
    /// The session policies do not allow the request.
    case notAllowedBySession = "access_not_allowed_by_session"
    /// The session of a federated user has no session policies, and no rights without them.
    case sessionPolicyMissing = "access_session_policy_missing"
  }

  /// The reason.
  public let reason: Reason
  /// The statement that denies or allows the request; nil where none does. An account's root user needs none.
  public let statement: StatementReference?
  /// The action of the request.
  public let action: String
  /// The resource of the request.
  public let resource: String

  init(_ reason: Reason, _ request: AccessRequest, _ statement: StatementReference?) {
    self.reason = reason
    self.statement = statement
    action = request.action
    resource = request.resource
  }

  /// True if the request is allowed.
  public var isAllowed: Bool { reason == .allowed }

  /// The outcome.
  public var outcome: Outcome {
    switch reason {
    case .allowed: .allow
    case .deniedByStatement: .explicitDeny
    default: .implicitDeny
    }
  }
}

/// A statement, by the name of its policy and its number.
public struct StatementReference: Sendable, Hashable, CustomStringConvertible {
  /// Where the policy is attached.
  public let source: AccessDecision.Source
  /// The name of the policy.
  public let policy: String
  /// The number of the statement in its document, from 1.
  public let number: Int
  /// The statement's `Sid`, if it has one.
  public let sid: String?

  init(_ source: AccessDecision.Source, policy: String, number: Int, sid: String?) {
    self.source = source
    self.policy = policy
    self.number = number
    self.sid = sid
  }

  /// `statement 2 (DenyS3Logs) of the identity policy "carlos"`.
  public var description: String {
    let sid = sid.map { $0.isEmpty ? "" : " (\($0.visible(upTo: 64)))" } ?? ""
    return "statement \(number)\(sid) of the \(source.rawValue) policy \(policy.quoted)"
  }
}
