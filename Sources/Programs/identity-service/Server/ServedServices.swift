internal import CognitoIdentity
internal import CognitoSync
internal import CognitoUserPool
internal import ServiceHosting

extension ServedService {
  /// The services of the program: one entry for each declaration.
  ///
  /// Metrics name operations of a later service with the service's name where an earlier one has the same
  /// operation.
  static func all(_ services: PoolServices) -> [ServedService] {
    let operations = IdentityPoolOperations(services.identityPools)
    let ofIdentities = [identityPools, securityTokenService].map { declaration in
      ServedService(declaration) { (route, body, origin) throws(IdentityError) in
        let call = try await operations.call(route, body, by: origin.context.caller)
        return (call, origin.context)
      }
    }
    return ofIdentities + [
      ofUserPools(UserPoolOperations(services.userPools)), ofDataSets(SyncOperations(services.dataSets)),
    ]
  }

  private static func ofDataSets(_ operations: SyncOperations) -> ServedService {
    let admit: @Sendable (OperationRoute, SignedCallers.Caller) throws(CallRefusal) -> Void = {
      (route, caller) throws(CallRefusal) in
      do throws(SyncError) { try operations.authorize(caller, for: route) } catch { throw CallRefusal(error) }
    }
    return ServedService(dataSets, admit: admit) { (route, body, origin) throws(SyncError) in
      let call = try operations.call(route, body, by: origin.context.caller)
      return (call, origin.context)
    }
  }

  private static func ofUserPools(_ operations: UserPoolOperations) -> ServedService {
    ServedService(
      userPools, concerned: { $0.subject.texts }, warning: { $0.subject.warning },
      factor: { $0.subject.factorFailures }, closedCodes: { $0.subject.closedCodes },
      endedSessions: { $0.subject.hasEndedSignIns }
    ) {
      (route, body, origin) throws(UserPoolError) in
      let scope = try origin.context.caller.scope(for: route.declaration.access, UserPoolError.self)
      // A call that needs a signature has one: its scope was found.
      let call = try operations.call(route, body, isSigned: true)
      try scope.check(operations.pools(of: call), UserPoolError.self)
      var context = CallContext(address: origin.address)
      context.counted = origin.client
      return (call, context)
    }
  }
}

extension CallSubject {
  /// The pool and the user, a factor with wrong answers, codes that were closed, and whether sign-ins were ended, for audit logs.
  fileprivate var texts: [(name: String, value: String)] {
    let (failures, closed) = (factorFailures, closedCodes)
    let all: [(name: String, value: String?)] = [
      ("pool", poolID), ("sub", sub), ("factor", failures?.factor),
      ("failures", failures.map { "\($0.count)" }), ("codes", closed?.step.name),
      ("closed", closed?.bounds.map(\.name).sorted().joined(separator: " ")),
      ("sessions", hasEndedSignIns ? "ended" : nil),
    ]
    return all.compactMap { name, value in value.map { (name, $0) } }
  }
}

extension UserPoolError: AccessRefusal {}
