internal import AccessPolicies
internal import TokenLifetime
internal import TokenSecurityBase

/// What the policies of a role and of its session allow an identity to call.
package struct RolePermissions: Sendable {
  private let session: SessionTokens.Session
  private let policies: [PermissionPolicy]

  /// True where the role has policies, which decide in place of `scope(for:_:)`. A session policy alone limits it.
  package var replacesScope: Bool { !policies.isEmpty }

  /// Returns the permissions of a caller whose role or session has policies.
  ///
  /// - Parameters:
  ///   - caller: the caller, whose signature was verified.
  ///   - access: who may call the operation.
  ///   - store: the store of roles. Roles are read as other rows that are cached.
  /// - Returns: the permissions; nil where `scope(for:_:)` alone decides: for other callers, without policies, and for a
  ///   question about the caller itself.
  /// - Throws: `callerForbidden` for a role that was removed, `storeFailed`.
  package nonisolated(nonsending) static func find(
    for caller: IdentityPoolOperations.Caller, _ access: OperationAccess, in store: any RecordStore
  ) async throws(IdentityError) -> RolePermissions? {
    guard case .session(let session) = caller, case .signed(let signature) = access,
      signature.target != .caller
    else { return nil }
    guard let role = try await store.read({ rows throws(IdentityError) in try rows.role(session.roleARN) })
    else { throw .callerForbidden(rule: "the role of the credentials was removed") }
    guard !role.policies.isEmpty || session.policy != nil else { return nil }
    return RolePermissions(session: session, policies: role.policies)
  }

  /// Checks that the policies allow an action on each of some resources.
  ///
  /// - Parameters:
  ///   - action: `cognito-sync:UpdateRecords` for instance.
  ///   - resources: ARNs; none for an action that has no resource.
  ///   - context: when and from where the call is made.
  /// - Throws: `policyRefused`.
  package func check(
    _ action: String, on resources: [String], _ context: IdentityPoolOperations.Context
  ) throws(IdentityError) {
    let caller = session.assumedRoleARN
    func refused(_ resource: String, _ reason: String, _ explanation: String) -> IdentityError {
      .policyRefused(
        PolicyRefusal(
          caller: caller, action: action, resource: resource, reason: reason, explanation: explanation))
    }
    let loaded = session.policy.map { SessionPolicy.loaded($0) }
    var damaged = policies.first { $0.loaded == nil }?.name
    if case .some(nil) = loaded { damaged = SessionPolicy.name }
    let set = PolicySet(
      identity: policies.isEmpty ? SessionPolicy.everything : policies.compactMap(\.loaded),
      session: [loaded ?? nil].compactMap { $0 })
    for resource in resources.isEmpty ? ["*"] : resources {
      if let damaged {
        // One that denies may be what cannot be read.
        throw refused(
          resource, IdentityError.Code.policyInvalid.rawValue, "the policy \(damaged.quoted) cannot be loaded"
        )
      }
      let request = AccessRequest(
        principal: .aws(caller, parent: session.roleARN), action: action, resource: resource,
        context: session.conditionKeys(context))
      let decision = set.decide(request)
      guard !decision.isAllowed else { continue }
      throw refused(resource, decision.reason.rawValue, set.explain(request).text)
    }
  }
}

extension AccessExplanation {
  /// Maximum number of statements in a log line.
  private static let statementLimit = 16

  /// The decision, and why other statements do not apply.
  fileprivate var text: String {
    guard decision.statement == nil else { return decision.sentence }
    var parts = [decision.sentence]
    for finding in statements.prefix(Self.statementLimit) where finding.isAllow {
      for mismatch in finding.mismatches {
        let element = mismatch.element.visible(upTo: 128)
        parts.append("\(finding.statement): \(element) [\(mismatch.code.rawValue)]")
      }
    }
    if statements.count > Self.statementLimit { parts.append("…") }
    return parts.joined(separator: "; ")
  }
}
