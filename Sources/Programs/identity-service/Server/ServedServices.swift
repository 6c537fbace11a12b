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
    let ofIdentities = [identityPools, securityTokenService, signingKeyService].map { declaration in
      ServedService(declaration) { (route, body, origin) throws(CallRefusal) in
        do throws(IdentityError) {
          return (try await operations.call(route, body, in: origin.context), origin.context)
        } catch {
          throw CallRefusal(error)
        }
      }
    }
    return ofIdentities + [
      ofUserPools(UserPoolOperations(services.userPools), services.identityPools),
      ofDataSets(SyncOperations(services.dataSets)),
    ]
  }

  private static func ofDataSets(_ operations: SyncOperations) -> ServedService {
    let admit: @Sendable (OperationRoute, SignedCallers.Caller) throws(CallRefusal) -> Void = {
      (route, caller) throws(CallRefusal) in
      do throws(SyncError) { try operations.authorize(caller, for: route) } catch { throw CallRefusal(error) }
    }
    return ServedService(dataSets, admit: admit) { (route, body, origin) throws(CallRefusal) in
      do throws(SyncError) {
        return (try await operations.call(route, body, in: origin.context), origin.context)
      } catch {
        throw CallRefusal(error)
      }
    }
  }

  private static func ofUserPools(
    _ operations: UserPoolOperations, _ identityPools: IdentityPoolService
  ) -> ServedService {
    ServedService(
      userPools, concerned: { $0.subject.texts }, warning: { $0.subject.warning },
      factor: { $0.subject.factorFailures }, closedCodes: { $0.subject.closedCodes },
      endedSessions: { $0.subject.hasEndedSignIns }
    ) {
      (route, body, origin) throws(CallRefusal) in
      let access = route.declaration.access
      let permissions: CallPermissions?
      do throws(IdentityError) {
        permissions = try await CallPermissions.find(
          for: origin.context.caller, access, in: identityPools.store,
          account: identityPools.settings.account)
      } catch {
        throw CallRefusal(error)
      }
      let call: UserPoolOperations.Call
      do throws(UserPoolError) {
        let scope = try origin.context.caller.scope(for: access, permissions, UserPoolError.self)
        // A call that needs a signature has one: its scope or its role's policies were found.
        call = try operations.call(route, body, isSigned: true)
        try scope.check(operations.pools(of: call), UserPoolError.self)
      } catch {
        throw CallRefusal(error)
      }
      if let permissions {
        let prefix = "arn:aws:cognito-idp:\(identityPools.settings.region):\(identityPools.settings.account)"
        do throws(IdentityError) {
          try permissions.check(
            "cognito-idp:\(route.declaration.name.text)",
            on: (operations.pools(of: call) ?? []).map { "\(prefix):userpool/\($0)" }, origin.context)
        } catch {
          throw CallRefusal(error)
        }
      }
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

extension UserPoolError: CallerRefusal {}
