public import ServiceOperations
internal import TokenSecurityBase

/// The handlers of user pools' operations.
typealias Handlers = OperationTable<CallContext, UserPoolError>

/// The operations of user pools, as requests name them.
///
///     let router = OperationRouter(userPools)
///     let operations = UserPoolOperations(service)
///     guard let route = try router.route(requestHead) else { return }
///     let call = try operations.call(route, body, isSigned: isSigned)
///     let response = try await call.respond(CallContext(), requestID: requestID).response
///
/// A `UserPoolError` becomes a response by `EncodedResponse(error, route.binding, requestID: requestID)`.
public struct UserPoolOperations: Sendable {
  /// A call whose members are valid.
  public typealias Call = OperationCall<CallContext, UserPoolError>

  private let table: Handlers

  /// Makes the operations of a service.
  ///
  /// - Parameter service: the service.
  public init(_ service: UserPoolService) {
    var table = Handlers()
    service.pools.addHandlers(to: &table)
    service.clients.addHandlers(to: &table)
    service.groups.addHandlers(to: &table)
    service.users.addHandlers(to: &table)
    service.signUps.addHandlers(to: &table)
    service.passwordRecovery.addHandlers(to: &table)
    service.ownAccounts.addHandlers(to: &table)
    service.signIns.addHandlers(to: &table)
    service.sessions.addHandlers(to: &table)
    service.factors.addHandlers(to: &table)
    service.devices.addHandlers(to: &table)
    self.table = table
  }

  /// Reads a call.
  ///
  /// The program decides on the rights of an access key: the capability that the operation's access names, and the
  /// pools of ``pools(of:)``.
  ///
  /// - Parameters:
  ///   - route: the operation, as selected by an `OperationRouter`.
  ///   - body: the request's body.
  ///   - isSigned: true where a developer's signature was verified. Default: false.
  /// - Returns: the call.
  /// - Throws: `signatureMissing` for an operation that needs a signature, `request` for members that are not
  ///   within their bounds.
  public func call(
    _ route: OperationRoute, _ body: consuming [UInt8], isSigned: Bool = false
  ) throws(UserPoolError) -> Call {
    if case .signed = route.declaration.access, !isSigned { throw .signatureMissing }
    return try table.call(route, body)
  }

  /// The ids of the pools that a signed call concerns, as its input names them. Nil for a call that names none, and for
  /// an ARN that is not a pool's.
  ///
  /// - Parameter call: the call.
  /// - Returns: the ids.
  public func pools(of call: Call) -> [String]? {
    guard case .signed(let signature) = call.declaration.access else { return nil }
    var pools: [String] = []
    switch signature.target {
    case .pool: pools = call.targets
    case .resource:
      for arn in call.targets {
        // arn:aws:cognito-idp:REGION:ACCOUNT:userpool/ID
        let parts = arn.parts(at: ":", most: 6)
        guard parts.count == 6, let id = parts[5].rest(after: "userpool/") else { return nil }
        pools.append(id)
      }
    case .all, .caller, .session, .role, .signingKey, .identity, .identities: return nil
    }
    return pools.isEmpty ? nil : pools
  }

  /// True where an operation is built.
  ///
  /// - Parameter operation: the operation.
  /// - Returns: true where it has a handler.
  public func handles(_ operation: any ServiceOperation.Type) -> Bool { table.handles(operation) }
}
