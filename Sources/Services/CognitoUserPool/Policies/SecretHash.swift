internal import SecureRemotePassword
internal import TokenSecurityBase
package import TokenSecurityCrypto

/// The secret of a client, and the hashes that requests of such clients have.
extension UserPoolClient {
  /// The name with which a client's secret is sealed: a seal cannot be moved to another client.
  package static func secretSealName(pool: String, id: String) -> String { "\(pool)/\(id)" }

  /// The secret; nil for a public client.
  ///
  /// - Parameter secrets: opens it.
  /// - Returns: the secret.
  /// - Throws: `cryptoFailed`.
  package func secret(_ secrets: UserPoolSecrets) throws(UserPoolError) -> SecretBytes? {
    guard let sealedSecret else { return nil }
    let name = Self.secretSealName(pool: poolID, id: id)
    guard let secret = try secrets.open(sealedSecret.span, for: .clientSecret, name: name) else {
      throw .cryptoFailed("the secret of an app client cannot be opened")
    }
    return secret
  }

  /// Checks a request's `SECRET_HASH`: base64(HMAC-SHA256(client secret, user name | client id)). The name is
  /// that of the very request, also if it is an alias.
  ///
  /// - Parameters:
  ///   - hash: the hash, if the request has one.
  ///   - name: the user name as it was sent.
  ///   - secrets: opens the client's secret.
  /// - Throws: `secretHashMissing`, `secretHashMismatch` (also for a hash of a client without a secret),
  ///   `cryptoFailed`.
  package func checkSecretHash(
    _ hash: String?, of name: String, _ secrets: UserPoolSecrets
  ) throws(UserPoolError) {
    guard try isSecretHash(hash, of: [name], secrets) else { throw .secretHashMismatch(clientID: id) }
  }

  /// Returns whether a hash is that of one of several names. On a refresh no name travels, and clients hash
  /// different ones.
  ///
  /// - Parameters:
  ///   - hash: the hash, if the request has one.
  ///   - names: the names.
  ///   - secrets: opens the client's secret.
  /// - Returns: true for the hash of one of them, and for no hash of a client without a secret.
  /// - Throws: `secretHashMissing`, `cryptoFailed`.
  package func isSecretHash(
    _ hash: String?, of names: [String], _ secrets: UserPoolSecrets
  ) throws(UserPoolError) -> Bool {
    guard hasSecret else { return hash == nil }
    guard let hash else { throw .secretHashMissing(clientID: id) }
    guard let secret = try secret(secrets) else { return false }
    do throws(SRPError) {
      let app = try CognitoAppClient(id: id, secret: secret)
      for name in names {
        do throws(SRPError) {
          try app.check(secretHash: hash, username: name)
          return true
        } catch {
          if case .secretHashMismatch = error { continue }
          throw error
        }
      }
      return false
    } catch {
      throw UserPoolError(error)
    }
  }
}
