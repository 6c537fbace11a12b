internal import CognitoIdentity
internal import CognitoUserPool
internal import ServiceOperations

/// Access of callers to user pools: the capabilities and pools of access keys.
enum UserPoolAccess {
  /// Checks that a caller may call an operation.
  ///
  /// - Returns: the scope whose pools ``check(_:_:)`` compares; nil for one without limits, and for unsigned
  ///   operations.
  /// - Throws: `signatureMissing`, `callerForbidden`.
  static func scope(
    of caller: SignedCallers.Caller, for access: OperationAccess
  ) throws(UserPoolError) -> AccessKeyScope? {
    guard case .signed(let signature) = access else { return nil }
    switch caller {
    case .unsigned: throw .signatureMissing
    case .session:
      throw .callerForbidden(rule: "credentials of an identity do not allow a developer's call")
    case .developer(_, let scope):
      guard signature.target != .caller else { return nil }
      guard let scope else { throw .callerForbidden(rule: "the access key was removed") }
      guard let capability = signature.developer, scope.capabilities.contains(capability) else {
        throw .callerForbidden(rule: "the access key may not \(signature.developer?.name ?? "call this")")
      }
      guard scope.isLimitedToPools else { return nil }
      guard signature.target != .all else {
        throw .callerForbidden(rule: "the access key is limited to pools, and the call is not")
      }
      return scope
    }
  }

  /// Checks that a limited scope covers the pools of a call.
  ///
  /// - Throws: `callerForbidden`, also for a call that does not name them.
  static func check(_ scope: AccessKeyScope, _ pools: [String]?) throws(UserPoolError) {
    guard let pools, !pools.isEmpty, pools.allSatisfy({ scope.covers(pool: $0) }) else {
      throw .callerForbidden(rule: "the access key is limited to other pools")
    }
  }
}
