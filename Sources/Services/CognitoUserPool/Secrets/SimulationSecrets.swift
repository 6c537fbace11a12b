package import SecureRemotePassword
internal import TokenSecurityBase
package import TokenSecurityCrypto

/// The source of answers for users who do not exist: a random secret of each pool. It stays the same when the master
/// key is replaced. Otherwise the salts of all names that no user has would change at once, and those of users would
/// not.
extension UserPoolSecrets {
  /// A new secret for a pool, sealed.
  ///
  /// - Parameter poolID: the pool's id.
  /// - Returns: what ``UserPool/sealedSimulation`` holds.
  /// - Throws: `cryptoFailed`.
  package func newSimulation(ofPool poolID: String) throws(UserPoolError) -> [UInt8] {
    let secret = try UserPoolError.crypto { () throws(CryptoError) in
      try Random.secretBytes(count: AuthenticatedCipher.keySize)
    }
    return try seal(secret, for: .simulation, name: UserPool.simulationSealName(poolID))
  }

  /// The pool's secret. For a pool that has none, one is derived from the master key.
  ///
  /// - Throws: `cryptoFailed` where it does not open.
  package func simulationSecret(of pool: UserPool) throws(UserPoolError) -> SecretBytes {
    guard let sealed = pool.sealedSimulation else { return simulation.clone() }
    let name = UserPool.simulationSealName(pool.id)
    guard let secret = try open(sealed.span, for: .simulation, name: name) else {
      throw .cryptoFailed("the pool's secret of simulated users cannot be opened")
    }
    return secret
  }

  /// Salts and verifiers of users who do not exist.
  package func simulatedUsers(of pool: UserPool) throws(UserPoolError) -> CognitoSimulatedUsers {
    let secret = try simulationSecret(of: pool)
    return try UserPoolError.srp { () throws(SRPError) in
      try CognitoSimulatedUsers(key: secret, identity: .uuid)
    }
  }

  /// Random bytes for answers for a user who does not exist, the same each time.
  ///
  /// - Parameters:
  ///   - texts: what the bytes are for.
  ///   - pool: the pool.
  /// - Returns: 32 bytes.
  /// - Throws: `cryptoFailed`.
  package func simulated(_ texts: String..., in pool: UserPool) throws(UserPoolError) -> [UInt8] {
    let secret = try simulationSecret(of: pool)
    let none: [UInt8] = []
    return try UserPoolError.crypto { () throws(CryptoError) in
      let key = try KeyDerivation.hkdf(
        secret, salt: none.span, info: "user pool simulated answers", count: AuthenticatedCipher.keySize)
      return try MessageAuthenticator(key: key, digest: .sha256).authenticate(
        ([pool.id] + texts).map { Array($0.utf8) })
    }
  }
}
