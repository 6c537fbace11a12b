internal import AccessPolicies
internal import TokenLifetime
internal import TokenSecurityBase

/// The permissions of a caller by policies: those of its role and of its session, or those of its access key.
package struct CallPermissions: Sendable {
  /// The policies of the role or the access key. Without one, `scope(for:_:_:)` alone decides.
  private let policies: [PermissionPolicy]
  /// The session policies by name or ARN; nil for one that cannot be loaded, or that was removed.
  private let limits: [(name: String, document: String, loaded: AccessPolicy?)]
  /// The service's account.
  let account: String

  /// True where policies decide in place of the caller's kind and capabilities. A session policy alone limits these.
  package var replacesScope: Bool { !policies.isEmpty }

  /// False where a policy was removed or cannot be loaded: it may deny.
  var areLoaded: Bool { policies.allSatisfy { $0.loaded != nil } && limits.allSatisfy { $0.loaded != nil } }

  /// The policies that say what the caller may do, for an API that decides itself.
  var documents: [SessionPolicyDocument] { policies.map { .init($0.name, $0.document) } }

  /// The policies that limit this.
  var limitDocuments: [SessionPolicyDocument] { limits.map { .init($0.name, $0.document) } }

  /// Returns the permissions of a caller that has policies.
  ///
  /// - Parameters:
  ///   - caller: the caller, whose signature was verified.
  ///   - access: who may call the operation.
  ///   - store: the store of roles. Roles are read as other rows that are cached.
  ///   - account: the service's account.
  /// - Returns: the permissions; nil where `scope(for:_:_:)` alone decides: for callers without policies, and for a
  ///   question about the caller itself.
  /// - Throws: `callerForbidden` for a role that was removed, `storeFailed`.
  package nonisolated(nonsending) static func find(
    for caller: IdentityPoolOperations.Caller, _ access: OperationAccess, in store: any RecordStore,
    account: String
  ) async throws(IdentityError) -> CallPermissions? {
    guard case .signed(let signature) = access, !signature.hasOwnRules else { return nil }
    let found = try await find(for: caller, in: store, account: account)
    return found.flatMap { $0.policies.isEmpty && $0.limits.isEmpty ? nil : $0 }
  }

  /// Returns the permissions of a caller that signs, with or without policies.
  ///
  /// - Parameters:
  ///   - caller: the caller, whose signature was verified. A developer's scope must be given.
  ///   - store: the store of roles.
  ///   - account: the service's account.
  ///   - freshness: whether rows that other nodes have changed meanwhile are read again. Default: as other calls read them.
  /// - Returns: the permissions; nil for a caller without a signature, and for an access key that was removed.
  /// - Throws: `callerForbidden` for a role that was removed, `storeFailed`.
  nonisolated(nonsending) static func find(
    for caller: IdentityPoolOperations.Caller, in store: any RecordStore, account: String,
    _ freshness: ReadFreshness = .cached
  ) async throws(IdentityError) -> CallPermissions? {
    switch caller {
    case .unsigned: return nil
    case .developer(_, let scope, _):
      return scope.map { CallPermissions(policies: $0.policies, limits: [], account: account) }
    case .session(let session):
      let (role, managed) = try await store.read(at: .now, freshness) { rows throws(IdentityError) in
        var managed: [(name: String, document: String, loaded: AccessPolicy?)] = []
        for arn in session.policyARNs {
          let policy = try rows.managedPolicy(arn, ofAccount: account)
          managed.append((arn, policy?.document ?? "", policy?.loaded))
        }
        return (try rows.role(session.roleARN), managed)
      }
      guard let role else { throw .callerForbidden(rule: "the role of the credentials was removed") }
      let own = session.policy.map { [(SessionPolicy.name, $0, SessionPolicy.loaded($0))] } ?? []
      return CallPermissions(policies: role.policies, limits: own + managed, account: account)
    }
  }

  /// Checks that the policies allow an action on each of some resources.
  ///
  /// - Parameters:
  ///   - action: `cognito-sync:UpdateRecords` for instance.
  ///   - resources: ARNs; none for an action that has no resource.
  ///   - context: the caller, and when and from where the call is made.
  /// - Throws: `policyRefused`.
  package func check(
    _ action: String, on resources: [String], _ context: IdentityPoolOperations.Context
  ) throws(IdentityError) {
    let principal = context.caller.principal(account: account)
    let keys = context.conditionKeys(account: account)
    for resource in resources.isEmpty ? ["*"] : resources {
      try check(AccessRequest(principal: principal, action: action, resource: resource, context: keys))
    }
  }

  /// Checks that the policies, and one of the resource, allow a request.
  ///
  /// - Parameters:
  ///   - request: the request of the principal.
  ///   - resource: the policy of the resource. Default: none.
  ///   - rights: what a caller without policies may do. Default: everything that session policies do not refuse, since
  ///     `scope(for:_:_:)` decides as well.
  /// - Throws: `policyRefused`.
  func check(
    _ request: AccessRequest, resource: AccessPolicy? = nil,
    withoutPolicies rights: [AccessPolicy] = SessionPolicy.everything
  ) throws(IdentityError) {
    func refused(_ reason: String, _ explanation: String) -> IdentityError {
      .policyRefused(
        PolicyRefusal(
          caller: request.principal.name, action: request.action, resource: request.resource, reason: reason,
          explanation: explanation))
    }
    // A policy that cannot be read may deny.
    let damaged = policies.first { $0.loaded == nil }?.name ?? limits.first { $0.loaded == nil }?.name
    if let damaged {
      throw refused(
        IdentityError.Code.policyInvalid.rawValue,
        "the policy \(damaged.quoted) was removed or cannot be loaded")
    }
    let set = PolicySet(
      identity: policies.isEmpty ? rights : policies.compactMap(\.loaded),
      resource: [resource].compactMap { $0 }, session: limits.compactMap(\.loaded))
    var decision = set.decide(request)
    if decision.isAllowed, resource != nil, !set.session.isEmpty {
      // IAM: what a trust policy allows a session by its name, session policies do not limit. The caller chose the name.
      decision = PolicySet(identity: SessionPolicy.everything, session: set.session).decide(request)
    }
    guard !decision.isAllowed else { return }
    throw refused(decision.reason.rawValue, set.explain(request).line)
  }
}

extension SessionPolicyDocument {
  fileprivate init(_ name: String, _ document: String) {
    self.init()
    self.name = name
    self.document = document
  }
}
