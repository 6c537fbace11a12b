internal import Records
internal import TokenLifetime
internal import TokenSecurityBase

/// The data that pools publish for those who verify their tokens.
public struct PublishedMetadata: Sendable {
  let store: any RecordStore
  let keyRings: PoolKeyRings
  let issuers: PoolIssuers

  /// The JWK set of a pool, at `<issuer>/.well-known/jwks.json`.
  ///
  /// Keys in memory are served while the store fails.
  ///
  /// - Parameter poolID: the pool's id.
  /// - Returns: the JSON.
  /// - Throws: `poolUnknown`, also for a removed pool; `storeFailed` where no keys are in memory.
  public nonisolated(nonsending) func keySet(ofPool poolID: String) async throws(UserPoolError) -> [UInt8] {
    do throws(UserPoolError) {
      try await pool(poolID)
      return try await keyRings.keys(of: poolID).keySet
    } catch .poolUnknown {
      keyRings.forget(poolID)
      throw .poolUnknown(poolID)
    } catch {
      guard let known = keyRings.cached(poolID), known.areComplete else { throw error }
      return known.keySet
    }
  }

  /// The discovery document of a pool, at `<issuer>/.well-known/openid-configuration`.
  ///
  /// - Parameters:
  ///   - poolID: the pool's id.
  ///   - address: where the service publishes key sets, without the slash and the pool's id. Default: that of the
  ///     issuer.
  /// - Returns: the JSON.
  /// - Throws: `poolUnknown`, also for a removed pool; `storeFailed` where the store fails and the pool's keys and
  ///   issuer are not in memory.
  public nonisolated(nonsending) func discoveryDocument(
    ofPool poolID: String, at address: String? = nil
  ) async throws(UserPoolError) -> [UInt8] {
    let issuer: String
    do throws(UserPoolError) {
      issuer = issuers.issuer(of: try await pool(poolID))
      keyRings.cached(poolID)?.noteIssuer(issuer)
    } catch .poolUnknown {
      keyRings.forget(poolID)
      throw .poolUnknown(poolID)
    } catch {
      // The keys in memory show that the pool existed when the store last answered.
      guard let known = keyRings.cached(poolID), known.areComplete,
        let last = known.issuer ?? issuers.ownIssuer(ofPool: poolID)
      else { throw error }
      issuer = last
    }
    let pool = address.map { "\($0)/\(poolID)" } ?? issuer
    return DiscoveryDocument.json(issuer: issuer, keySet: pool + "/.well-known/jwks.json")
  }

  /// Fresh: a removed pool publishes nothing any more.
  @discardableResult
  private nonisolated(nonsending) func pool(_ poolID: String) async throws(UserPoolError) -> UserPool {
    try await store.read(at: .now, .fresh) { rows throws(UserPoolError) in try rows.existingPool(poolID) }
  }

  /// Returns true for a pool that was removed and whose rows are not all removed yet.
  ///
  /// - Parameter poolID: the pool's id.
  /// - Returns: false for existing pools, and for unknown ids.
  /// - Throws: `storeFailed`.
  public nonisolated(nonsending) func isRemoved(poolID: String) async throws(UserPoolError) -> Bool {
    try await store.read(at: .now, .fresh) { rows throws(UserPoolError) in
      try rows.get(UserPoolTables.pools, RecordKey(poolID))?.isRemoved ?? false
    }
  }

  /// Returns whether a sign-in goes on: neither it nor all of the user's were ended, and the user is enabled.
  /// Identity pools ask for it where `ServerSideTokenCheck` is on.
  ///
  /// - Parameters:
  ///   - originTokenID: `origin_jti` of a token.
  ///   - subject: `sub` of the token.
  ///   - poolID: the pool's id.
  /// - Returns: false also for a removed pool, client or user.
  /// - Throws: `storeFailed`.
  public nonisolated(nonsending) func isSignedIn(
    originTokenID: String, subject: String, poolID: String
  ) async throws(UserPoolError) -> Bool {
    try await store.read(at: .now, .fresh) { rows throws(UserPoolError) in
      guard let pool = try rows.userPool(poolID), let signIn = try rows.signIn(originTokenID, in: poolID),
        let user = try rows.user(sub: subject, in: pool),
        let client = try rows.get(UserPoolTables.clients, RecordKey(signIn.clientID))
      else { return false }
      return client.poolID.isIdentical(to: poolID) && user.isEnabled && signIn.isLive(for: user)
    }
  }
}
