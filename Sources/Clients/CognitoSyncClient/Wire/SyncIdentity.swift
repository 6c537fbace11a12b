package import CognitoIdentityClient
package import SigV4

/// Whose data sets are synchronised, and the credentials to do it with.
package protocol SyncIdentity: CredentialsSource {
  /// The pool.
  var poolID: String { get }

  /// The identity that is known on this device, without a call.
  func knownIdentityID() async -> String?

  /// The identity, which may need a call.
  func identityID() async throws(IdentityClientError) -> String
}

extension IdentityProvider: SyncIdentity {
  /// The identity that is known on this device, without a call.
  package func knownIdentityID() async -> String? { cachedIdentityID }
}
