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
  /// True if the program gave the parent, which then counts with its path.
  let hasGivenParent: Bool
  /// The type of an AWS principal: `user`, `role`, `assumed-role`, `federated-user`, `root`.
  let type: String

  /// A caller that did not sign the request. Only `"Principal": "*"` names it.
  public static let anonymous = AccessPrincipal(kind: nil, name: "")

  /// A user, a role or a session.
  ///
  /// The role of `arn:aws:sts::ACCOUNT:assumed-role/NAME/SESSION` is taken to be
  /// `arn:aws:iam::ACCOUNT:role/NAME`, or the same with a path: a session's ARN has none, and names of roles are unique in an
  /// account. Pass `parent` where the path counts. A federated session chooses its name, which says nothing about the user: pass
  /// `parent` for the user's rights.
  ///
  /// - Parameters:
  ///   - arn: the ARN.
  ///   - parent: the ARN of the session's role or user. Default: that of the role, as the session's ARN has it.
  ///   - account: the account. Default: that of the ARN.
  /// - Returns: the caller.
  public static func aws(_ arn: String, parent: String? = nil, account: String? = nil) -> AccessPrincipal {
    let parts = arn.parts(at: ":", most: 6)
    guard parts.count == 6 else {
      return AccessPrincipal(kind: .aws, name: arn, parent: parent, account: account)
    }
    let words = parts[5].parts(at: "/")
    var known: String? = nil
    if parts[2] == "sts", words.count > 1, words[0] == "assumed-role" {
      known = "arn:\(parts[1]):iam::\(parts[4]):role/\(words[1])"
    }
    let own = account ?? (parts[4].isEmpty ? nil : parts[4])
    // Full access needs the whole ARN of a root user, and its own account.
    let isRoot =
      parts[0] == "arn" && parts[2] == "iam" && parts[5] == "root" && parts[4].isDigits(count: 12)
      && own == parts[4]
    return AccessPrincipal(
      kind: .aws, name: arn, parent: parent ?? known, account: own, hasGivenParent: parent != nil,
      type: words[0] != "root" || isRoot ? words[0] : "")
  }

  private init(
    kind: Kind?, name: String, parent: String? = nil, account: String? = nil, hasGivenParent: Bool = false,
    type: String = ""
  ) {
    self.kind = kind
    self.name = name
    self.parent = parent
    self.account = account
    self.hasGivenParent = hasGivenParent
    self.type = type
  }

  /// A principal of another kind than AWS, which has no identity-based policies.
  ///
  /// - Parameters:
  ///   - kind: the kind.
  ///   - name: the name.
  /// - Returns: the caller. For the kind ``Kind/aws`` the same as `aws(_:parent:account:)`.
  public static func other(_ kind: Kind, _ name: String) -> AccessPrincipal {
    kind == .aws ? .aws(name) : AccessPrincipal(kind: kind, name: name)
  }

  /// True for an account's root user.
  var isRoot: Bool { type == "root" }

  /// True for the ARN of the session's role, or of the user to whom a federated session belongs.
  func belongs(to name: String) -> Bool {
    guard let parent else { return false }
    guard parent != name, !hasGivenParent else { return parent == name }
    let parts = name.parts(at: ":", most: 6)
    guard parts.count == 6, parts[5].hasPrefix("role/"), let last = parts[5].parts(at: "/").last else {
      return false
    }
    return parent == parts[..<5].joined(separator: ":") + ":role/\(last)"
  }

  /// `AWS arn:…`, for explanations.
  package var text: String { kind.map { "\($0.name) \(name)" } ?? "anonymous" }
}
