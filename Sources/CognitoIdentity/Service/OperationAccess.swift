internal import TokenSecurityEncodings

extension IdentityPoolService.Operation {
  /// Who may call an operation, and where the request names the pool that it concerns.
  enum Access: Sendable, Hashable {
    /// Devices, unsigned: a login's token authenticates them.
    case open
    /// Developers whose access key has the capability.
    case signed(AccessKeyScope.Capability, Target)
  }

  /// Where a request names its pools.
  enum Target: Sendable, Hashable {
    /// The member `IdentityPoolId`.
    case pool
    /// The member `IdentityId`.
    case identity
    /// The member `IdentityIdsToDelete`.
    case identities
    /// The member `ResourceArn`.
    case resource
    /// No pool, or all of them.
    case allPools
  }

  /// Who may call each operation.
  var access: Access {
    switch self {
    case .getID, .getOpenIDToken, .getCredentialsForIdentity, .unlinkIdentity: .open

    case .describeIdentityPool, .getIdentityPoolRoles, .getPrincipalTagAttributeMap, .listIdentities,
      .lookupDeveloperIdentity:
      .signed(.reading, .pool)
    case .describeIdentity: .signed(.reading, .identity)
    case .listIdentityPools: .signed(.reading, .allPools)
    case .listTagsForResource: .signed(.reading, .resource)

    case .getOpenIDTokenForDeveloperIdentity: .signed(.issuing, .pool)

    case .deleteIdentityPool, .mergeDeveloperIdentities, .setIdentityPoolRoles, .setPrincipalTagAttributeMap,
      .unlinkDeveloperIdentity, .updateIdentityPool:
      .signed(.administering, .pool)
    case .deleteIdentities: .signed(.administering, .identities)
    case .createIdentityPool: .signed(.administering, .allPools)
    case .tagResource, .untagResource: .signed(.administering, .resource)
    }
  }

  /// True where the caller must sign with a developer's access key. The other operations are for devices.
  public var needsSignature: Bool { access != .open }

  /// The capability that an access key needs for the operation; nil for the calls of devices.
  public var capability: AccessKeyScope.Capability? {
    switch access {
    case .open: nil
    case .signed(let capability, _): capability
    }
  }
}

extension IdentityPoolService {
  /// The caller of an operation, as authenticated by its signature.
  public enum OperationCaller: Sendable, Hashable {
    /// No signature: a device.
    case unsigned
    /// A developer's access key, whose signature was verified.
    case developer(accessKeyID: String)
  }

  /// Performs an operation within the scope of the caller's access key.
  ///
  /// - Parameters:
  ///   - operation: the operation.
  ///   - body: the request's JSON.
  ///   - caller: the caller, whose signature was verified.
  ///   - now: the time of the call.
  /// - Returns: the response's JSON.
  /// - Throws: `signatureMissing` for an operation that needs a signature, `callerForbidden` outside of the
  ///   access key's scope, and the operation's own errors.
  public func respond(
    to operation: Operation, _ body: [UInt8], by caller: OperationCaller, at now: Timestamp = .now
  ) async throws(IdentityError) -> [UInt8] {
    if case .signed(let capability, let target) = operation.access {
      guard case .developer(let id) = caller else { throw .signatureMissing }
      let scope = try await scope(of: id)
      if scope != .everything { try await check(scope, capability, target, body) }
    }
    return try await respond(to: operation, body, at: now)
  }

  private func scope(of accessKeyID: String) async throws(IdentityError) -> AccessKeyScope {
    guard Bounds.accessKeyID.allows(accessKeyID),
      let key = try await store.read(
        at: .now, .fresh, { rows throws(IdentityError) in try rows.accessKey(accessKeyID) })
    else { throw .callerForbidden(rule: "the access key was removed") }
    return key.scope
  }

  private func check(
    _ scope: AccessKeyScope, _ capability: AccessKeyScope.Capability, _ target: Operation.Target,
    _ body: [UInt8]
  ) async throws(IdentityError) {
    guard scope.capabilities.contains(capability) else {
      throw .callerForbidden(rule: "the access key may not \(capability.name)")
    }
    guard scope.pools != nil else { return }
    for pool in try await pools(target, Parameters(body: body)) where !scope.covers(pool: pool) {
      throw .callerForbidden(rule: "the access key is limited to other pools")
    }
  }

  /// The pools that a request concerns. The operation itself reports pools and identities that do not exist.
  private func pools(_ target: Operation.Target, _ given: Parameters) async throws(IdentityError) -> [String]
  {
    switch target {
    case .pool: return [try given.required("IdentityPoolId", .poolOrIdentityID)]
    case .resource: return [try poolID(ofARN: given.required("ResourceArn"))]
    case .identity: return try await pools(ofIdentities: [given.required("IdentityId", .poolOrIdentityID)])
    case .identities:
      let ids = try given.strings("IdentityIdsToDelete", .poolOrIdentityID, count: 1...60)
      return try await pools(ofIdentities: ids ?? [])
    case .allPools: throw .callerForbidden(rule: "the access key is limited to pools, and the call is not")
    }
  }

  private func pools(ofIdentities ids: [String]) async throws(IdentityError) -> [String] {
    try await store.read { rows throws(IdentityError) in
      var pools: [String] = []
      for id in ids {
        if let pool = try rows.identity(id)?.poolID { pools.append(pool) }
      }
      return pools
    }
  }
}
