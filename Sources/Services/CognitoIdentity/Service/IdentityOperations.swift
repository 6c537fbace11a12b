internal import TokenSecurityBase

/// Operations on identities.
extension IdentityPoolService {
  /// An identity and the names of its login providers.
  public struct DescribedIdentity: Sendable, Hashable {
    /// The identity.
    public let identity: Identity
    /// The names of its login providers, in the order of linking.
    public let providers: [String]
  }

  /// Returns an identity (`DescribeIdentity`).
  ///
  /// - Parameter id: the identity's id.
  /// - Returns: the identity and its providers.
  /// - Throws: `identityUnknown`, `parameterLength`, `parameterPattern`, `storeFailed`.
  public func describeIdentity(_ id: String) async throws(IdentityError) -> DescribedIdentity {
    try TextBounds.identityID.check(id, "IdentityId")
    return try await store.read { rows throws(IdentityError) in
      guard let identity = try rows.identity(id) else { throw .identityUnknown(id) }
      return DescribedIdentity(identity: identity, providers: try Self.providers(of: id, rows))
    }
  }

  /// Lists a pool's identities, ordered by their ids (`ListIdentities`).
  ///
  /// - Parameters:
  ///   - poolID: the pool's id.
  ///   - size: the most identities in the page, 1 to 60.
  ///   - next: `next` of the previous page.
  ///   - hidesDisabled: true to leave out identities that were merged into others.
  /// - Returns: a page of identities.
  /// - Throws: `poolUnknown`, `parameterRange`, `nextTokenInvalid`, `storeFailed`.
  public func listIdentities(
    inPool poolID: String, size: Int64, next: String? = nil, hidesDisabled: Bool = false
  ) async throws(IdentityError) -> Page<DescribedIdentity> {
    try TextBounds.identityID.check(poolID, "IdentityPoolId")
    let size = try IntegerBounds.page(size)
    let after = try PageToken.read(next, of: "identities")
    return try await store.read { rows throws(IdentityError) in
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
  /// - Parameter ids: 1 to 60 identity ids.
  /// - Returns: the ids that do not exist.
  /// - Throws: `parameterLength`, `parameterPattern`, `storeFailed`.
  public func deleteIdentities(_ ids: [String]) async throws(IdentityError) -> [String] {
    try ListBounds<TextBounds>.identityIDs.count.check(ids.count, "IdentityIdsToDelete")
    for id in ids { try TextBounds.identityID.check(id, "an element of IdentityIdsToDelete") }
    let observer = observer
    return try await store.write { rows throws(IdentityError) in
      var missing: [String] = []
      for id in ids {
        guard let identity = try rows.identity(id) else {
          missing.append(id)
          continue
        }
        try rows.remove(identity)
        try observer?.removed(identity, rows)
      }
      return missing
    }
  }

  private static func providers(of id: String, _ rows: ReadTransaction<IdentityError>) throws(IdentityError)
    -> [String]
  {
    var names: [String] = []
    for login in try rows.logins(of: id) where !names.contains(login.provider) {
      names.append(login.provider)
    }
    return names
  }
}
