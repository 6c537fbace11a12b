public import TokenSecurityBase

/// A caller, by the names that a `Principal` element can have.
public struct AccessPrincipal: Sendable, Hashable {
  /// The kinds of principals in policies.
  public enum Kind: ExactString, Sendable, Hashable, CaseIterable {
    /// An account, a user, a role or a session, by its ARN.
    case aws = "AWS"
    /// A provider of identities: `cognito-identity.amazonaws.com` for instance.
    case federated = "Federated"
    /// A service: `cognito-sync.amazonaws.com` for instance.
    case service = "Service"
    /// An account, by the id that S3 has for it.
    case canonicalUser = "CanonicalUser"
  }

  /// The kind; nil for a caller without a name.
  public let kind: Kind?
  /// The name: an ARN for the kind ``Kind/aws``.
  public let name: String
  /// The ARN of the role of a session, or of the user to whom a federated session belongs.
  public let parent: String?
  /// The account, 12 digits.
  public let account: String?
  /// The type of an AWS principal: `user`, `role`, `assumed-role`, `federated-user`, `root`.
  let type: String

  /// A caller that did not sign the request. Only `"Principal": "*"` names it.
  public static let anonymous = AccessPrincipal(kind: nil, name: "", parent: nil, account: nil, type: "")

  /// A user, a role or a session.
  ///
  /// The role of `arn:aws:sts::ACCOUNT:assumed-role/NAME/SESSION` is taken to be
  /// `arn:aws:iam::ACCOUNT:role/NAME`. Pass `parent` where the role has a path, which the session's ARN lacks.
  ///
  /// - Parameters:
  ///   - arn: the ARN.
  ///   - parent: the ARN of the session's role or user. Default: as the session's ARN has it.
  ///   - account: the account. Default: that of the ARN.
  /// - Returns: the caller.
  public static func aws(_ arn: String, parent: String? = nil, account: String? = nil) -> AccessPrincipal {
    let parts = arn.parts(at: ":", most: 6)
    guard parts.count == 6 else {
      return AccessPrincipal(kind: .aws, name: arn, parent: parent, account: account, type: "")
    }
    let words = parts[5].parts(at: "/")
    var known: String? = nil
    if parts[2] == "sts", words.count > 1 {
      let prefix = "arn:\(parts[1]):iam::\(parts[4]):"
      if words[0] == "assumed-role" { known = prefix + "role/\(words[1])" }
      if words[0] == "federated-user" { known = prefix + "user/\(words[1])" }
    }
    return AccessPrincipal(
      kind: .aws, name: arn, parent: parent ?? known, account: account ?? (parts[4].isEmpty ? nil : parts[4]),
      type: words.first ?? "")
  }

  /// A principal of another kind than AWS, which has no identity-based policies.
  ///
  /// - Parameters:
  ///   - kind: the kind.
  ///   - name: the name.
  /// - Returns: the caller. For the kind ``Kind/aws`` the same as `aws(_:parent:account:)`.
  public static func other(_ kind: Kind, _ name: String) -> AccessPrincipal {
    kind == .aws ? .aws(name) : AccessPrincipal(kind: kind, name: name, parent: nil, account: nil, type: "")
  }

  /// True for an account's root user.
  var isRoot: Bool { type == "root" }

  /// `AWS arn:…`, for explanations.
  package var text: String { kind.map { "\($0.name) \(name)" } ?? "anonymous" }
}
