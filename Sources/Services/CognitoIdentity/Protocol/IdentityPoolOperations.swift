internal import TokenSecurityBase

/// The operations of identity pools and of the token service, as requests name them.
///
///     let router = OperationRouter(identityPools, securityTokenService)
///     let operations = IdentityPoolOperations(service)
///     let route = try router.route(requestHead) ?? router.route(form: body, requestHead)
///     let context = IdentityPoolOperations.Context(caller: caller, from: address)
///     let call = try await operations.call(route, body, in: context)
///     let response = try await call.respond(context, requestID: requestID).response
///
/// An `IdentityError` becomes a response by `EncodedResponse(error, route.binding, requestID: requestID)`.
public struct IdentityPoolOperations: Sendable {
  /// The caller of an operation, as authenticated by its signature.
  public enum Caller: Sendable {
    /// No signature: a device.
    case unsigned
    /// A developer's access key, whose signature was verified, and its scope as it was read for that; nil to
    /// read it again. `isTemporary` is true for credentials that `GetSessionToken` issued for the key.
    case developer(accessKeyID: String, scope: AccessKeyScope? = nil, isTemporary: Bool = false)
    /// Temporary credentials of a role, mostly of an identity, whose signature was verified.
    case session(SessionTokens.Session)

    /// The access key with which the caller's first session was opened, or the caller's own; nil for an identity's.
    var accessKeyID: String? {
      switch self {
      case .unsigned: nil
      case .developer(let id, _, _): id
      case .session(let session): session.accessKeyID
      }
    }

    /// The session; nil for another caller.
    package var session: SessionTokens.Session? {
      if case .session(let session) = self { session } else { nil }
    }
  }

  /// The context of a handler besides the input.
  public struct Context: Sendable {
    /// The caller.
    public let caller: Caller
    /// The time of the call.
    public let time: Timestamp
    /// The client's address; nil where it is unknown.
    public let address: String?

    /// Makes a context.
    ///
    /// - Parameters:
    ///   - caller: the caller, whose signature was verified.
    ///   - time: the time of the call. Default: now.
    ///   - address: the client's address, for policies of roles. Default: unknown.
    public init(caller: Caller, at time: Timestamp = .now, from address: String? = nil) {
      self.caller = caller
      self.time = time
      self.address = address
    }
  }

  /// A call that its caller may make.
  public typealias Call = OperationCall<Context, IdentityError>

  private let service: IdentityPoolService
  private let table: OperationTable<Context, IdentityError>

  /// Makes the operations of a service.
  ///
  /// - Parameter service: the service.
  public init(_ service: IdentityPoolService) {
    self.service = service
    var table = OperationTable<Context, IdentityError>()
    service.addPoolHandlers(to: &table)
    service.addIdentityHandlers(to: &table)
    service.addDeveloperHandlers(to: &table)
    service.addTokenHandlers(to: &table)
    service.addSigningKeyHandlers(to: &table)
    self.table = table
  }

  /// Reads a call, and checks that its caller may make it: whether the operation needs a signature, and the
  /// access key's capability; then the members; then the access key's pools.
  ///
  /// Credentials of a role that has policies, and access keys that have, may make the calls that these allow. Session
  /// policies limit them.
  ///
  /// - Parameters:
  ///   - route: the operation, as selected by an `OperationRouter`.
  ///   - body: the request's body.
  ///   - context: the caller, whose signature was verified, the time and the address.
  /// - Returns: the call.
  /// - Throws: `signatureMissing` for an operation that needs a signature, `callerForbidden` outside of the
  ///   access key's scope, `policyRefused`, `request` for members that are not within their bounds.
  public nonisolated(nonsending) func call(
    _ route: OperationRoute, _ body: consuming [UInt8], in context: Context
  ) async throws(IdentityError) -> Call {
    let access = route.declaration.access
    var caller = context.caller
    if case .developer(let id, nil, let isTemporary) = caller, case .signed(let signature) = access,
      signature.developer != nil, !signature.hasOwnRules
    {
      caller = .developer(accessKeyID: id, scope: try await service.scope(of: id), isTemporary: isTemporary)
    }
    let permissions = try await CallPermissions.find(
      for: caller, access, in: service.store, account: service.settings.account)
    let scope = try caller.scope(for: access, permissions, IdentityError.self)
    let call = try table.call(route, body)
    if let permissions {
      let resources = try service.resources(of: call)
      try permissions.check(
        "cognito-identity:\(call.declaration.name.text)", on: resources, context)
    }
    if scope.isLimitedToPools { try scope.check(try await pools(of: call), IdentityError.self) }
    return call
  }

  /// Reads a call that is made now, from an unknown address.
  ///
  /// - Parameters:
  ///   - route: the operation, as selected by an `OperationRouter`.
  ///   - body: the request's body.
  ///   - caller: the caller, whose signature was verified.
  /// - Returns: the call.
  /// - Throws: those of ``call(_:_:in:)``.
  public nonisolated(nonsending) func call(
    _ route: OperationRoute, _ body: consuming [UInt8], by caller: Caller
  ) async throws(IdentityError) -> Call {
    try await call(route, body, in: Context(caller: caller))
  }

  /// The pools that a call names. The operation itself reports pools and identities that do not exist.
  private nonisolated(nonsending) func pools(of call: Call) async throws(IdentityError) -> [String] {
    guard case .signed(let signature) = call.declaration.access else { return [] }
    switch signature.target {
    case .all, .caller, .session, .role, .signingKey: return []
    case .pool, .resource: return try service.namedPools(of: call)
    case .identity, .identities: return try await service.pools(ofIdentities: call.targets)
    }
  }
}

extension IdentityPoolService {
  /// The pools that a call names by their ids or ARNs.
  fileprivate func namedPools(of call: IdentityPoolOperations.Call) throws(IdentityError) -> [String] {
    guard case .signed(let signature) = call.declaration.access else { return [] }
    switch signature.target {
    case .pool: return call.targets
    case .resource:
      var pools: [String] = []
      for arn in call.targets { pools.append(try poolID(ofARN: arn)) }
      return pools
    case .identity, .identities, .role, .all, .caller, .session, .signingKey: return []
    }
  }

  /// The ARNs of the pools that a call names. Operations on identities have no resource, as at AWS.
  fileprivate func resources(of call: IdentityPoolOperations.Call) throws(IdentityError) -> [String] {
    try namedPools(of: call).map { IdentityPool.arn(ofPool: $0, account: settings.account) }
  }

  func scope(of accessKeyID: String) async throws(IdentityError) -> AccessKeyScope? {
    guard TextBounds.accessKeyID.allows(accessKeyID) else { return nil }
    // Fresh: a removed key is refused at once.
    return try await store.read(at: .now, .fresh) { rows throws(IdentityError) in
      try rows.accessKey(accessKeyID)?.scope
    }
  }

  fileprivate func pools(ofIdentities ids: [String]) async throws(IdentityError) -> [String] {
    try await store.read { rows throws(IdentityError) in
      var pools: [String] = []
      for id in ids {
        if let pool = try rows.identity(id)?.poolID { pools.append(pool) }
      }
      return pools
    }
  }
}
