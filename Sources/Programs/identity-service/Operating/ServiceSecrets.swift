internal import CognitoIdentity
internal import CognitoSync
internal import CognitoUserPool
internal import TokenSecurityCrypto

/// The keys that are derived from the master key: they seal secrets of identity pools, of user pools and of data sets.
struct ServiceSecrets: Sendable {
  let identityPools: SealingKeys
  let userPools: UserPoolSecrets
  let dataSets: SyncSecrets

  /// Derives the keys.
  ///
  /// - Throws: `cryptoFailed` for a master key of another length.
  init(master: borrowing SecretBytes) throws {
    identityPools = try SealingKeys(master: master)
    userPools = try UserPoolSecrets(master: master)
    dataSets = try SyncSecrets(master: master)
  }
}
