internal import TokenSecurityBase

/// A refusal of a caller, as each service reports it.
package protocol CallerRefusal: Error {
  /// The call has no signature.
  static var signatureMissing: Self { get }
  /// The credentials are valid but do not allow the call.
  static func callerForbidden(rule: String) -> Self
}

extension IdentityError: CallerRefusal {}

extension IdentityPoolOperations.Caller {
  /// The scope in which the caller may call an operation: all pools for calls without a signature, for credentials of an
  /// identity, and for a question about the caller itself.
  ///
  /// - Parameters:
  ///   - access: who may call the operation.
  ///   - permissions: the policies of a session's role, which decide in place of its kind; nil for none. Those of an access key are
  ///     in its scope.
  ///   - refusal: the type of the error.
  /// - Returns: the scope, which ``AccessKeyScope/check(_:_:)`` compares with the pools that the call concerns.
  /// - Throws: `signatureMissing`, `callerForbidden`; also for an access key without a scope, which was removed.
  package func scope<Refusal: CallerRefusal>(
    for access: OperationAccess, _ permissions: CallPermissions?, _ refusal: Refusal.Type
  ) throws(Refusal) -> AccessKeyScope {
    guard case .signed(let signature) = access else { return .everything }
    switch self {
    case .unsigned: throw .signatureMissing
    case .session:
      guard signature.identity || permissions?.replacesScope == true else {
        throw .callerForbidden(rule: "credentials of a role without policies do not allow a developer's call")
      }
      return .everything
    case .developer(_, let scope, _):
      guard let capability = signature.developer else {
        throw .callerForbidden(rule: "a developer's access key does not allow an identity's call")
      }
      guard !signature.hasOwnRules else { return .everything }
      guard let scope else { throw .callerForbidden(rule: "the access key was removed") }
      guard !scope.policies.isEmpty || scope.capabilities.contains(capability) else {
        throw .callerForbidden(rule: "the access key may not \(capability.name)")
      }
      guard !scope.isLimitedToPools || signature.target != .all else {
        throw .callerForbidden(rule: "the access key is limited to pools, and the call is not")
      }
      return scope
    }
  }
}

extension AccessKeyScope {
  /// Checks that the scope includes pools.
  ///
  /// - Parameters:
  ///   - pools: the pools' ids; nil where a call does not name them.
  ///   - refusal: the type of the error.
  /// - Throws: `callerForbidden`.
  package func check<Refusal: CallerRefusal>(_ pools: [String]?, _ refusal: Refusal.Type) throws(Refusal) {
    guard !isLimitedToPools || pools?.allSatisfy({ covers(pool: $0) }) == true else {
      throw .callerForbidden(rule: "the access key is limited to other pools")
    }
  }
}
