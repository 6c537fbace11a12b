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
  /// The type of an AWS principal, as the ARN has it.
  let type: Form

  /// The types of AWS principals that decisions tell apart.
  enum Form: Sendable, Hashable {
    case role
    case assumedRole
    case federatedUser
    /// The root user of its own account, by its whole ARN.
    case root
    /// Users, and texts other than ARNs.
    case other
  }

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
    guard let parts = ARNParts(arn) else {
      return AccessPrincipal(kind: .aws, name: arn, parent: parent, account: account)
    }
    let found = parts[4]
    let own = account ?? (found.isEmpty ? nil : found)
    // Full access needs the whole ARN of a root user, and its own account.
    let isRoot =
      parts.has(5, "root") && parts.has(0, "arn") && parts.has(2, "iam") && found.isDigits(count: 12)
      && own == found
    var known: String? = nil
    var type = isRoot ? Form.root : .other
    if parts.lastBegins("role/") || parts.has(5, "role") {
      type = .role
    } else if parts.lastBegins("federated-user/") || parts.has(5, "federated-user") {
      type = .federatedUser
    } else if parts.has(5, "assumed-role") {
      type = .assumedRole
    } else if parts.lastBegins("assumed-role/") {
      type = .assumedRole
      if parts.has(2, "sts") {
        known = "arn:\(parts[1]):iam::\(found):role/\(parts[5].parts(at: "/", most: 3)[1])"
      }
    }
    return AccessPrincipal(
      kind: .aws, name: arn, parent: parent ?? known, account: own, hasGivenParent: parent != nil, type: type)
  }

  private init(
    kind: Kind?, name: String, parent: String? = nil, account: String? = nil, hasGivenParent: Bool = false,
    type: Form = .other
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
  var isRoot: Bool { type == .root }

  /// True for the ARN of the session's role, or of the user to whom a federated session belongs.
  func belongs(to name: String) -> Bool {
    guard let parent else { return false }
    guard parent != name, !hasGivenParent else { return parent == name }
    let own = parent.utf8.span
    let bytes = name.utf8.span
    guard let start = ARNParts(name)?.lastStart, ByteSearch.has("role/", bytes, at: start) else {
      return false
    }
    // The role's ARN up to its path, and the last word of that.
    let slash = ByteSearch.lastIndex(of: UInt8(ascii: "/"), in: bytes) ?? start
    let word = bytes.extracting((slash + 1)..<bytes.count)
    let beginning = bytes.extracting(0..<start + 5)
    return own.count == beginning.count + word.count && ByteWords.areEqual(own, from: 0, beginning)
      && ByteWords.areEqual(own, from: beginning.count, word)
  }

  /// `AWS arn:…`, for explanations.
  package var text: String { kind.map { "\($0.name) \(name)" } ?? "anonymous" }
}
