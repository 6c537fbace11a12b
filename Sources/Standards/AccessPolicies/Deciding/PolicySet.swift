internal import TokenSecurityBase

/// The policies that apply to a request.
public struct PolicySet: Sendable {
  /// Those of the caller's user or role.
  public var identity: [AccessPolicy]
  /// Those of the resource.
  public var resource: [AccessPolicy]
  /// Those that bound what the policies of the user or role allow. An empty list is no boundary.
  public var boundary: [AccessPolicy]
  /// Those that the session was opened with. An empty list is none.
  public var session: [AccessPolicy]

  /// Policies.
  ///
  /// - Parameters:
  ///   - identity: those of the caller's user or role.
  ///   - resource: those of the resource.
  ///   - boundary: the permissions boundary.
  ///   - session: the session policies.
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
    for source in AccessDecision.Source.allCases {
      for policy in self[source] {
        for statement in policy.statements {
          guard !statement.isAllow || allowing.needs(source),
            case .applies(let grant) = statement.match(request, hasBoundary: !boundary.isEmpty)
          else { continue }
          let reference = StatementReference(source, policy, statement)
          guard statement.isAllow else { return AccessDecision(.deniedByStatement, request, reference) }
          allowing.note(reference, grant)
        }
      }
    }
    return decide(request, allowing)
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

  /// Decides a request that no statement denies.
  private func decide(_ request: AccessRequest, _ allowing: AllowingStatements) -> AccessDecision {
    func decision(_ reason: AccessDecision.Reason, _ statement: StatementReference? = nil) -> AccessDecision {
      AccessDecision(reason, request, statement)
    }
    let isCrossAccount = request.isCrossAccount
    if let (reference, grant) = allowing.resource, grant == .direct, !isCrossAccount {
      return decision(.allowed, reference)
    }
    // Other callers than those of AWS have no policies of their own.
    guard request.principal.kind == .aws else { return decision(.notAllowedByResource) }
    var base = allowing.identity
    if base == nil, !isCrossAccount, let (reference, grant) = allowing.resource, grant == .parent {
      base = reference
    }
    // The root user has full access to its account by default, and no boundary.
    let isRoot = request.principal.isRoot
    guard base != nil || isRoot else { return decision(.notAllowedByIdentity) }
    guard boundary.isEmpty || allowing.boundary || isRoot else { return decision(.notAllowedByBoundary) }
    if session.isEmpty {
      guard request.principal.type != "federated-user" else { return decision(.sessionPolicyMissing) }
    } else {
      guard allowing.session else { return decision(.notAllowedBySession) }
    }
    guard !isCrossAccount || allowing.resource != nil else { return decision(.notAllowedByResource) }
    return decision(.allowed, base)
  }
}

/// The statements that allow a request: the first one of the identity, and that of the resource whose grant is the widest.
private struct AllowingStatements {
  var identity: StatementReference? = nil
  var resource: (StatementReference, PrincipalElement.Grant)? = nil
  var boundary = false
  var session = false

  /// True where another statement of the source can change the decision.
  func needs(_ source: AccessDecision.Source) -> Bool {
    switch source {
    case .identity: identity == nil
    case .resource: resource.map { $0.1 < .direct } ?? true
    case .boundary: !boundary
    case .session: !session
    }
  }

  mutating func note(_ reference: StatementReference, _ grant: PrincipalElement.Grant) {
    switch reference.source {
    case .identity: identity = identity ?? reference
    case .resource: if resource.map({ $0.1 < grant }) ?? true { resource = (reference, grant) }
    case .boundary: boundary = true
    case .session: session = true
    }
  }
}

extension AccessPolicy {
  /// Compares this policy alone with a request, as a role's trust policy is.
  ///
  /// - Parameter request: the request.
  /// - Returns: true where a statement allows the request and none denies it.
  package func allows(_ request: AccessRequest) -> Bool {
    var isAllowed = false
    for statement in statements where statement.isAllow == false || !isAllowed {
      guard case .applies = statement.match(request, hasBoundary: false) else { continue }
      guard statement.isAllow else { return false }
      isAllowed = true
    }
    return isAllowed
  }
}
