/// A source of credentials for a signer.
public protocol CredentialsSource: Sendable {
  /// Returns credentials.
  ///
  /// - Parameter now: the instant at which they must be valid.
  /// - Returns: the credentials.
  /// - Throws: ``CredentialsError``; `notFound` when the source has none, so that a chain tries the next
  ///   source.
  func credentials(at now: Timestamp) async throws(CredentialsError) -> Credentials
}
