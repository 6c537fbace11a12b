public import CognitoIdentity
internal import TokenSecurityBase

/// The operations of data sets, as requests name them.
///
///     let router = OperationRouter(dataSets)
///     guard let route = try router.route(requestHead) else { return }
///     try operations.authorize(caller, for: route)
///     let call = try operations.call(route, body, by: caller)
///     let response = try await call.respond(IdentityPoolOperations.Context(caller: caller), requestID: requestID).response
///
/// A ``SyncError`` becomes a response by `EncodedResponse(error, route.binding, requestID: requestID)`.
public struct SyncOperations: Sendable {
  /// A call that its caller may make.
  public typealias Call = OperationCall<IdentityPoolOperations.Context, SyncError>

  private let table: OperationTable<IdentityPoolOperations.Context, SyncError>

  /// Makes the operations of a service.
  ///
  /// - Parameter service: the service.
  public init(_ service: SyncService) {
    var table = OperationTable<IdentityPoolOperations.Context, SyncError>()
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
    let scope = try caller.scope(for: route.declaration.access, SyncError.self)
    let pool = route.label("IdentityPoolId") ?? ""
    try scope.check([pool], SyncError.self)
    guard case .session(let session) = caller else { return }
    guard let identity = route.label("IdentityId"), pool == session.poolID, identity == session.identityID
    else {
      throw .callerForbidden(rule: "the path has another pool or identity than the credentials")
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

extension SyncError: AccessRefusal {
  package static var signatureMissing: SyncError { .identity(.signatureMissing) }
}
