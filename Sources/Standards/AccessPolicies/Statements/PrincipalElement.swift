internal import TokenSecurityBase

/// `Principal` or `NotPrincipal`.
package struct PrincipalElement: Sendable {
  package let isNegated: Bool
  package let entries: [Entry]

  /// A name in the element.
  package enum Entry: Sendable, Hashable {
    /// `*`
    case everyone
    /// An account: its 12 digits, or the ARN of its root.
    case account(String)
    /// Another name.
    case named(AccessPrincipal.Kind, String)

    /// The entry as text.
    package var text: String {
      switch self {
      case .everyone: "*"
      case .account(let account): "AWS \(account)"
      case .named(let kind, let name): "\(kind.name) \(name)"
      }
    }
  }

  /// How a resource-based policy names the caller, which decides whether other policies limit what it allows.
  enum Grant: Int, Sendable, Comparable {
    /// By the account: the account's own policies must allow the request, too.
    case account
    /// By the role, or by the user of a federated session: boundaries and session policies must allow the request, too.
    case parent
    /// By the user or session itself, or everyone.
    case direct

    static func < (left: Grant, right: Grant) -> Bool { left.rawValue < right.rawValue }
  }

  /// How the element names the caller; nil if it does not.
  func grant(_ caller: AccessPrincipal, isDeny: Bool, hasBoundary: Bool) -> Grant? {
    guard isNegated else { return entries.compactMap { Self.grant($0, caller) }.max() }
    // IAM: a Deny with NotPrincipal denies every caller with a permissions boundary.
    if isDeny, hasBoundary, caller.kind == .aws { return .direct }
    let isExcepted = entries.contains { entry in
      guard let grant = Self.grant(entry, caller) else { return false }
      // An account in a Deny excepts the account itself, and no users or roles of it.
      return grant > .account || !isDeny
    }
    return isExcepted ? nil : .direct
  }

  private static func grant(_ entry: Entry, _ caller: AccessPrincipal) -> Grant? {
    switch entry {
    case .everyone: return .direct
    case .account(let account):
      guard caller.kind == .aws, let own = caller.account, own == account else { return nil }
      return caller.isRoot ? .direct : .account
    case .named(let kind, let name):
      guard caller.kind == kind else { return nil }
      if caller.name == name { return caller.type == "role" ? .parent : .direct }
      guard kind == .aws, let parent = caller.parent, parent == name else { return nil }
      return .parent
    }
  }
}
