public import CognitoIdentity
internal import TokenSecurityBase

/// The operations of data sets, as requests name them.
///
///     let router = OperationRouter(dataSets)
///     guard let route = try router.route(requestHead) else { return }
///     try operations.authorize(caller, for: route)
///     let context = IdentityPoolOperations.Context(caller: caller, from: address)
///     let call = try await operations.call(route, body, in: context)
///     let response = try await call.respond(context, requestID: requestID).response
///
/// A ``SyncError`` becomes a response by `EncodedResponse(error, route.binding, requestID: requestID)`.
public struct SyncOperations: Sendable {
  /// A call that its caller may make.
  public typealias Call = OperationCall<IdentityPoolOperations.Context, SyncError>

  private let service: SyncService
  private let table: OperationTable<IdentityPoolOperations.Context, SyncError>

  /// Makes the operations of a service.
  ///
  /// - Parameter service: the service.
  public init(_ service: SyncService) {
    var table = OperationTable<IdentityPoolOperations.Context, SyncError>()
    service.addDatasetHandlers(to: &table)
    service.addDeviceHandlers(to: &table)
    service.addConfigurationHandlers(to: &table)
    self.service = service
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
    let scope = try caller.scope(for: route.declaration.access, nil, SyncError.self)
    let pool = route.label("IdentityPoolId") ?? ""
    try scope.check([pool], SyncError.self)
    guard case .session(let session) = caller else { return }
    guard let identity = route.label("IdentityId"), pool == session.poolID, identity == session.identityID
    else {
      throw .callerForbidden(rule: "the path has another pool or identity than the credentials")
    }
  }

  /// Checks that the caller may make a call, and reads it. The policies of an identity's role limit what its credentials
  /// may do with its own data sets.
  ///
  /// - Parameters:
  ///   - route: the operation, as selected by an `OperationRouter`.
  ///   - body: the request's body.
  ///   - context: the caller, whose signature was verified, the time and the address.
  /// - Returns: the call.
  /// - Throws: those of ``authorize(_:for:)``; `request` for members that are not within their bounds; the refusals
  ///   `policyRefused` and `callerForbidden` of an `IdentityError` by the role.
  public nonisolated(nonsending) func call(
    _ route: OperationRoute, _ body: consuming [UInt8], in context: IdentityPoolOperations.Context
  ) async throws(SyncError) -> Call {
    try authorize(context.caller, for: route)
    let call = try table.call(route, body)
    do throws(IdentityError) {
      let account = service.settings.account
      let permissions = try await CallPermissions.find(
        for: context.caller, route.declaration.access, in: service.store, account: account)
      try permissions?.check(
        "cognito-sync:\(route.declaration.name.text)", on: [route.resource(account: account)], context)
    } catch {
      throw .identity(error)
    }
    return call
  }
}

extension OperationRoute {
  /// The ARN of the pool, the identity or the data set in the path, as policies name it. The members were validated.
  fileprivate func resource(account: String) -> String {
    let pool = label("IdentityPoolId") ?? ""
    var parts = ["identitypool/\(pool)"]
    if let identity = label("IdentityId") { parts.append("identity/\(identity)") }
    if let name = label("DatasetName") { parts.append("dataset/\(name)") }
    let region = IdentityPool.region(ofPool: pool)
    return "arn:aws:cognito-sync:\(region):\(account):\(parts.joined(separator: "/"))"
  }
}

extension SyncError: CallerRefusal {
  package static var signatureMissing: SyncError { .identity(.signatureMissing) }
}
