public import CognitoIdentity
internal import TokenSecurityBase

/// The operations of data sets, as requests name them.
///
///     let router = OperationRouter(dataSets)
///     guard let route = try router.route(requestHead) else { return }
///     try operations.authorize(caller, for: route)
///     let call = try operations.call(route, body, by: caller)
///     let response = try await call.respond(SyncContext(caller: caller), requestID: requestID).response
///
/// A ``SyncError`` becomes a response by `EncodedResponse(error, route.binding, requestID: requestID)`.
public struct SyncOperations: Sendable {
  /// A call that its caller may make.
  public typealias Call = OperationCall<SyncContext, SyncError>

  private let table: OperationTable<SyncContext, SyncError>

  /// Makes the operations of a service.
  ///
  /// - Parameter service: the service.
  public init(_ service: SyncService) {
    var table = OperationTable<SyncContext, SyncError>()
    service.addDatasetHandlers(to: &table)
    service.addDeviceHandlers(to: &table)
    service.addConfigurationHandlers(to: &table)
    self.table = table
  }

  /// Checks that a caller may call an operation with this path: credentials of an identity for its own path alone, an
  /// access key within its scope. It needs no body, so that a large one is read only for those who may send it.
  ///
  /// - Parameters:
  ///   - caller: the caller. A developer's scope must be given.
  ///   - route: the operation, as selected by an `OperationRouter`.
  /// - Throws: the refusal `signatureMissing` of an `IdentityError`; `callerForbidden`.
  public func authorize(
    _ caller: IdentityPoolOperations.Caller, for route: OperationRoute
  ) throws(SyncError) {
    guard case .signed(let signature) = route.declaration.access else { return }
    switch caller {
    case .unsigned: throw .identity(.signatureMissing)
    case .session(let session):
      guard signature.identity else {
        throw .callerForbidden(rule: "credentials of an identity do not allow a developer's call")
      }
      guard let pool = route.label("IdentityPoolId"), let identity = route.label("IdentityId"),
        pool == session.poolID, identity == session.identityID
      else { throw .callerForbidden(rule: "the path has another pool or identity than the credentials") }
    case .developer(_, let scope):
      guard let capability = signature.developer else {
        throw .callerForbidden(rule: "a developer's access key does not allow an identity's call")
      }
      guard let scope else { throw .callerForbidden(rule: "the access key was removed") }
      guard scope.capabilities.contains(capability) else {
        throw .callerForbidden(rule: "the access key may not \(capability.name)")
      }
      guard scope.covers(pool: route.label("IdentityPoolId") ?? "") else {
        throw .callerForbidden(rule: "the access key is limited to other pools")
      }
    }
  }

  /// Checks that the caller may make a call, and reads it.
  ///
  /// - Parameters:
  ///   - route: the operation, as selected by an `OperationRouter`.
  ///   - body: the request's body.
  ///   - caller: the caller, whose signature was verified.
  /// - Returns: the call.
  /// - Throws: those of ``authorize(_:for:)``; `request` for members that are not within their bounds.
  public func call(
    _ route: OperationRoute, _ body: consuming [UInt8], by caller: IdentityPoolOperations.Caller
  ) throws(SyncError) -> Call {
    try authorize(caller, for: route)
    return try table.call(route, body)
  }
}
