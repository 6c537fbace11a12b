internal import TokenSecurityEncodings
/// Identities: shown, listed, removed.
extension IdentityPoolService {
  /// An identity and the names of its login providers.
  public struct DescribedIdentity: Sendable, Hashable {
    public let identity: Identity
    public let providers: [String]
  }

  /// An identity (`DescribeIdentity`).
  public func describeIdentity(_ id: String) throws(IdentityError) -> DescribedIdentity {
    try Bounds.poolOrIdentityID.check(id, "IdentityId")
    return try store.read { rows throws(IdentityError) in
      guard let identity = try rows.identity(id) else { throw .identityUnknown(id) }
      return DescribedIdentity(identity: identity, providers: try Self.providers(of: id, rows))
    }
  }

  /// A page of a pool's identities in the order of their ids (`ListIdentities`).
  ///
  /// - Parameters:
  ///   - poolID: the pool.
  ///   - size: 1 to 60.
  ///   - next: what the page before gave.
  ///   - hidesDisabled: whether those are left out that were merged into others.
  public func listIdentities(
    inPool poolID: String, size: Int64, next: String? = nil, hidesDisabled: Bool = false
  ) throws(IdentityError) -> Page<DescribedIdentity> {
    try Bounds.poolOrIdentityID.check(poolID, "IdentityPoolId")
    let size = try Bounds.page(size)
    let after = try PageToken.read(next, of: "identities")
    return try store.read { rows throws(IdentityError) in
      guard try rows.hasPool(poolID) else { throw .poolUnknown(poolID) }
      let found = try rows.identities(
        inPool: poolID, after: after, limit: size + 1, includingMerged: !hidesDisabled)
      var described: [DescribedIdentity] = []
      for identity in found {
        described.append(
          DescribedIdentity(identity: identity, providers: try Self.providers(of: identity.id, rows)))
      }
      return Page(described, size, "identities", \.identity.id)
    }
  }

  /// Removes identities with their logins (`DeleteIdentities`).
  ///
  /// - Returns: those that are not there.
  public func deleteIdentities(_ ids: [String]) async throws(IdentityError) -> [String] {
    try Bounds.count(ids.count, 1...60, "IdentityIdsToDelete")
    for id in ids { try Bounds.poolOrIdentityID.check(id, "an element of IdentityIdsToDelete") }
    return try await store.write { rows throws(IdentityError) in
      var missing: [String] = []
      for id in ids {
        if try rows.identity(id) == nil { missing.append(id) } else { try rows.removeIdentity(id) }
      }
      return missing
    }
  }

  private static func providers(of id: String, _ rows: any IdentityReading) throws(IdentityError) -> [String]
  {
    var names: [String] = []
    for login in try rows.logins(of: id) where !names.contains(login.provider) {
      names.append(login.provider)
    }
    return names
  }
}
