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

  /// How the element names the caller; nil if it does not. `NotPrincipal` is in statements that deny alone.
  func grant(_ caller: AccessPrincipal, hasBoundary: Bool) -> Grant? {
    guard isNegated else {
      var widest: Grant? = nil
      for entry in entries {
        guard let grant = Self.grant(entry, caller) else { continue }
        widest = widest.map { max($0, grant) } ?? grant
      }
      return widest
    }
    // IAM: a Deny with NotPrincipal denies every caller with a permissions boundary.
    if hasBoundary, caller.kind == .aws { return .direct }
    return excepts(caller) ? nil : .direct
  }

  /// True if a `NotPrincipal` excepts the caller: it names the caller, its account and the role of its session. IAM may compare
  /// them one after the other, so that each must be named.
  private func excepts(_ caller: AccessPrincipal) -> Bool {
    guard !entries.contains(.everyone) else { return true }
    guard caller.kind == .aws, let account = caller.account else {
      return entries.contains { Self.grant($0, caller) != nil }
    }
    guard entries.contains(.account(account)) else { return false }
    guard !caller.isRoot else { return true }
    guard entries.contains(.named(.aws, caller.name)) else { return false }
    guard caller.type == .assumedRole else { return true }
    return entries.contains {
      if case .named(.aws, let name) = $0 { caller.belongs(to: name) } else { false }
    }
  }

  private static func grant(_ entry: Entry, _ caller: AccessPrincipal) -> Grant? {
    switch entry {
    case .everyone: return .direct
    case .account(let account):
      guard caller.kind == .aws, let own = caller.account, own == account else { return nil }
      return caller.isRoot ? .direct : .account
    case .named(let kind, let name):
      guard caller.kind == kind else { return nil }
      if caller.name == name { return caller.type == .role ? .parent : .direct }
      return kind == .aws && caller.belongs(to: name) ? .parent : nil
    }
  }
}
