/// A statement of a set of policies, by its indices.
struct StatementIndex: Sendable, Hashable {
  let source: AccessDecision.Source
  /// The index of the policy among those of its source, and of the statement in the policy.
  let policy: Int
  let statement: Int
}

/// The statements that allow a request: the first one of the identity, and that of the resource whose grant is the widest.
struct AllowingStatements {
  private(set) var identity: StatementIndex? = nil
  private(set) var resource: (StatementIndex, PrincipalElement.Grant)? = nil
  private(set) var boundary = false
  private(set) var session = false

  /// True where another statement of the source can change the decision.
  func needs(_ source: AccessDecision.Source) -> Bool {
    switch source {
    case .identity: identity == nil
    case .resource: resource.map { $0.1 < .direct } ?? true
    case .boundary: !boundary
    case .session: !session
    }
  }

  /// Notes a statement that allows the request.
  mutating func note(_ index: StatementIndex, _ grant: PrincipalElement.Grant) {
    switch index.source {
    case .identity: identity = identity ?? index
    case .resource: if resource.map({ $0.1 < grant }) ?? true { resource = (index, grant) }
    case .boundary: boundary = true
    case .session: session = true
    }
  }
}
