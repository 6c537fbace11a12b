internal import CognitoIdentity
internal import CognitoUserPool
internal import TokenSecurityCrypto

/// What is derived from the master key: the keys that seal secrets of identity pools and of user pools.
struct ServiceSecrets: Sendable {
  let identityPools: SealingKeys
  let userPools: UserPoolSecrets

  /// Derives the keys.
  ///
  /// - Throws: `cryptoFailed` for a master key of another length.
  init(master: borrowing SecretBytes) throws {
    identityPools = try SealingKeys(master: master)
    userPools = try UserPoolSecrets(master: master)
  }
}
