internal import CognitoIdentity
internal import CognitoSync
internal import CognitoUserPool
internal import TokenSecurityBase

/// The services over one database: identity pools, user pools and data sets.
struct PoolServices: Sendable {
  let identityPools: IdentityPoolService
  let userPools: UserPoolService
  let dataSets: SyncService

  var store: any RecordStore { identityPools.store }

  /// Checks that an identity pool or a user pool exists.
  ///
  /// - Throws: `poolUnknown` of the kind that the id has the form of.
  func check(poolID: String) async throws {
    guard (try? UserPoolID(poolID)) != nil else {
      _ = try await identityPools.describePool(poolID)
      return
    }
    _ = try await store.read(at: .now, .fresh) { rows throws(UserPoolError) in
      try rows.existingPool(poolID)
    }
  }
}
