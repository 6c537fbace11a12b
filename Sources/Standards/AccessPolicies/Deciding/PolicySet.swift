internal import TokenSecurityBase

/// The policies that apply to a request: those of its caller, of its session and of its resource.
///
/// Make a set for each pair of caller and resource, which copies no document. A set is a value: many tasks can use it, and a change of
/// policies is a new set. The order of policies decides only which statement a decision names.
///
/// **An empty list has no policy, not one that denies.** Without ``identity`` and ``resource`` only an account's root user is allowed, but
/// without ``boundary`` and ``session`` nothing is limited: where a caller's boundary cannot be read, refuse the request. Give each
/// policy to the list of its kind: ``resource`` takes those of the kind ``AccessPolicyKind/resource``, the others ``AccessPolicyKind/identity``. A
/// policy without `Principal` among those of a resource would name every caller.
public struct PolicySet: Sendable {
  /// Those of the caller's user or role.
  public var identity: [AccessPolicy]
  /// Those of the resource.
  public var resource: [AccessPolicy]
  /// Those that bound what the policies of the user or role allow. Empty: no boundary.
  public var boundary: [AccessPolicy]
  /// Those that the session was opened with. Empty: none.
  public var session: [AccessPolicy]

  /// Policies. Statements of one list add up: one that allows is enough in each list that must allow, and one that denies in any.
  ///
  /// - Parameters:
  ///   - identity: those of the caller's user or role, also those of groups.
  ///   - resource: those of the resource.
  ///   - boundary: the permissions boundary. Empty: none.
  ///   - session: the session policies. Empty: none.
  public init(
    identity: [AccessPolicy] = [], resource: [AccessPolicy] = [], boundary: [AccessPolicy] = [],
    session: [AccessPolicy] = []
  ) {
    self.identity = identity
    self.resource = resource
    self.boundary = boundary
    self.session = session
  }

  /// Decides a request by IAM's evaluation logic.
  ///
  /// A statement that denies is final. Otherwise a policy of the user or role must allow the request, or one of the resource; a
  /// boundary and session policies must allow it, too, except where the resource's policy names the caller itself. A caller of
  /// another account needs both a policy of the resource and one of its own. An account's root user needs no policy of its own.
  ///
  /// - Parameter request: the request.
  /// - Returns: the decision with its reason.
  public func decide(_ request: AccessRequest) -> AccessDecision {
    var allowing = AllowingStatements()
    let hasBoundary = !boundary.isEmpty
    let denial =
      identity.firstDenial(.identity, request, hasBoundary, &allowing)
      ?? resource.firstDenial(.resource, request, hasBoundary, &allowing)
      ?? boundary.firstDenial(.boundary, request, hasBoundary, &allowing)
      ?? session.firstDenial(.session, request, hasBoundary, &allowing)
    return decide(request, denial, allowing)
  }

  /// Checks that a request is allowed.
  ///
  /// - Parameter request: the request.
  /// - Returns: the decision.
  /// - Throws: `AccessRefusal`.
  @discardableResult
  public func check(_ request: AccessRequest) throws(AccessRefusal) -> AccessDecision {
    let decision = decide(request)
    guard decision.isAllowed else { throw AccessRefusal(decision) }
    return decision
  }

  /// The policies of one source.
  subscript(source: AccessDecision.Source) -> [AccessPolicy] {
    switch source {
    case .identity: identity
    case .resource: resource
    case .boundary: boundary
    case .session: session
    }
  }

  /// Decides a request by the first statement that denies it, and by those that allow it.
  func decide(
    _ request: AccessRequest, _ denial: StatementIndex?, _ allowing: AllowingStatements
  ) -> AccessDecision {
    func decision(_ reason: AccessDecision.Reason, _ statement: StatementIndex? = nil) -> AccessDecision {
      AccessDecision(reason, request, statement.map { reference($0) })
    }
    if let denial { return decision(.deniedByStatement, denial) }
    let isCrossAccount = request.isCrossAccount
    if let (index, grant) = allowing.resource, grant == .direct, !isCrossAccount {
      return decision(.allowed, index)
    }
    // Other callers than those of AWS have no policies of their own.
    guard request.principal.kind == .aws else { return decision(.notAllowedByResource) }
    var base = allowing.identity
    if base == nil, !isCrossAccount, let (index, grant) = allowing.resource, grant == .parent {
      base = index
    }
    // The root user has full access to its account by default, and no boundary.
    let isRoot = request.principal.isRoot
    guard base != nil || isRoot else { return decision(.notAllowedByIdentity) }
    guard boundary.isEmpty || allowing.boundary || isRoot else { return decision(.notAllowedByBoundary) }
    if session.isEmpty {
      guard request.principal.type != .federatedUser else { return decision(.sessionPolicyMissing) }
    } else {
      guard allowing.session else { return decision(.notAllowedBySession) }
    }
    guard !isCrossAccount || allowing.resource != nil else { return decision(.notAllowedByResource) }
    return decision(.allowed, base)
  }

  /// A statement.
  func reference(_ index: StatementIndex) -> StatementReference {
    let policies = self[index.source]
    let policy = policies.span
    return StatementReference(
      index.source, policy: policy[index.policy].name,
      number: index.statement + 1, sid: policy[index.policy].prepared.table.sid(index.statement))
  }
}

extension [AccessPolicy] {
  /// The first statement that denies a request; notes the statements before it that allow it.
  fileprivate func firstDenial(
    _ source: AccessDecision.Source, _ request: AccessRequest, _ hasBoundary: Bool,
    _ allowing: inout AllowingStatements
  ) -> StatementIndex? {
    guard !isEmpty else { return nil }
    let policies = span
    for policy in policies.indices {
      if let statement = policies[policy].prepared.firstDenial(
        source, policy, request, hasBoundary, &allowing)
      {
        return StatementIndex(source: source, policy: policy, statement: statement)
      }
    }
    return nil
  }
}

extension SharedStatements {
  /// The index of the first statement that denies a request; notes the statements before it that allow it.
  fileprivate func firstDenial(
    _ source: AccessDecision.Source, _ policy: Int, _ request: AccessRequest, _ hasBoundary: Bool,
    _ allowing: inout AllowingStatements
  ) -> Int? {
    let action = request.foldedAction.span
    let resource = request.resource.utf8.span
    var next = 0
    while let index = table.firstNaming(action, of: request, from: next, denying: !allowing.needs(source)) {
      next = index + 1
      guard let grant = table.grant(index, request, resource, hasBoundary: hasBoundary) else { continue }
      guard table.isAllow(index) else { return index }
      allowing.note(StatementIndex(source: source, policy: policy, statement: index), grant)
    }
    return nil
  }
}

extension AccessPolicy {
  /// Compares this policy alone with a request, as a role's trust policy is.
  ///
  /// - Parameter request: the request.
  /// - Returns: true where a statement allows the request and none denies it.
  package func allows(_ request: AccessRequest) -> Bool {
    var allowing = AllowingStatements()
    return prepared.firstDenial(.identity, 0, request, false, &allowing) == nil && allowing.identity != nil
  }
}
