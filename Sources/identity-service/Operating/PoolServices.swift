internal import CognitoIdentity
internal import CognitoUserPool

/// The services over one database: identity pools and user pools.
struct PoolServices: Sendable {
  let identityPools: IdentityPoolService
  let userPools: UserPoolService

  var store: any RecordStore { identityPools.store }
}
