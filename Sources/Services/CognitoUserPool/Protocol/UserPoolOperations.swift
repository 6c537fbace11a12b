public import ServiceOperations
internal import TokenSecurityBase

/// The handlers of user pools' operations.
typealias Handlers = OperationTable<CallContext, UserPoolError>

/// The operations of user pools, as requests name them.
///
///     let router = OperationRouter(userPools)
///     let operations = UserPoolOperations(service)
///     guard let route = try router.route(requestHead) else { return }
///     let call = try operations.call(route, body, by: caller)
///     let response = try await call.respond(CallContext(caller: caller), requestID: requestID).response
///
/// A `UserPoolError` becomes a response by `EncodedResponse(error, route.binding, requestID: requestID)`.
public struct UserPoolOperations: Sendable {
  /// A call whose members are valid.
  public typealias Call = OperationCall<CallContext, UserPoolError>

  private let service: UserPoolService
  private let table: Handlers

  /// Makes the operations of a service.
  ///
  /// - Parameter service: the service.
  public init(_ service: UserPoolService) {
    self.service = service
    var table = Handlers()
    service.addPoolHandlers(to: &table)
    service.addClientHandlers(to: &table)
    service.addGroupHandlers(to: &table)
    service.addUserHandlers(to: &table)
    service.signUps.addHandlers(to: &table)
    service.passwordRecovery.addHandlers(to: &table)
    service.ownAccounts.addHandlers(to: &table)
    service.addSignInHandlers(to: &table)
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
  ///   - caller: the caller, whose signature was verified.
  /// - Returns: the call.
  /// - Throws: `signatureMissing` for an operation that needs a signature, `request` for members that are not
  ///   within their bounds.
  public func call(
    _ route: OperationRoute, _ body: consuming [UInt8], by caller: CallContext.Caller
  ) throws(UserPoolError) -> Call {
    if case .signed = route.declaration.access, caller == .unsigned { throw .signatureMissing }
    return try table.call(route, body)
  }

  /// The ids of the pools that a signed call concerns, as its input names them. Nil for a call that is not
  /// limited to pools, and for an ARN that is not a pool's.
  ///
  /// - Parameter call: the call.
  /// - Returns: the ids.
  public func pools(of call: Call) -> [String]? {
    guard case .signed(let signature) = call.declaration.access else { return nil }
    switch signature.target {
    case .pool: return call.targets
    case .resource:
      var pools: [String] = []
      for arn in call.targets {
        // arn:aws:cognito-idp:REGION:ACCOUNT:userpool/ID
        let parts = arn.parts(at: ":", most: 6)
        guard parts.count == 6, let id = parts[5].rest(after: "userpool/") else { return nil }
        pools.append(id)
      }
      return pools
    case .all, .caller, .identity, .identities: return nil
    }
  }

  /// Names what a call that changes something concerns, as far as its input says: a pool or a client, and a user.
  /// Other calls, such as those with access tokens, are named by their rules.
  ///
  /// - Parameters:
  ///   - call: the call.
  ///   - context: gets the subject. Where the store fails it stays unknown.
  public nonisolated(nonsending) func nameSubject(of call: Call, _ context: CallContext) async {
    let poolID = call.texts(of: "UserPoolId").first
    let clientID = call.texts(of: "ClientId").first
    guard call.declaration.changes != nil, poolID != nil || clientID != nil else { return }
    // Who signs calls may know who exists. Others learn it from no read that their own call does not do.
    var name: String?
    if case .signed = call.declaration.access { name = call.texts(of: "Username").first }
    let named = name
    let subject = context.subject
    try? await service.store.read(at: context.time) { rows throws(UserPoolError) in
      var pool: UserPool?
      if let poolID {
        pool = try rows.userPool(poolID)
      } else if let clientID {
        pool = try rows.existingClient(clientID).pool
      }
      guard let pool else { return }
      subject.isPool(pool.id)
      if let named, let user = try rows.user(named: named, in: pool) { subject.isUser(user) }
    }
  }

  /// True where an operation is built.
  ///
  /// - Parameter operation: the operation.
  /// - Returns: true where it has a handler.
  public func handles(_ operation: any ServiceOperation.Type) -> Bool { table.handles(operation) }
}
