public import TokenSecurityBase

/// The kinds of policies, which have different elements.
public enum AccessPolicyKind: ExactString, Sendable, Hashable, CaseIterable {
  /// Of a user or a role, also a permissions boundary or a session policy: without `Principal`, with `Resource`.
  case identity
  /// Of a resource: with `Principal`. Without `Resource` it is about the resource that has it.
  case resource
  /// Of a role, about who may assume it: with `Principal`, without `Resource`.
  case trust
}
