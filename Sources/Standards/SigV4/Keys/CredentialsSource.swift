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

extension CredentialsSource {
  /// Returns credentials that are valid now.
  ///
  /// - Returns: the credentials.
  /// - Throws: ``CredentialsError``; `notFound` when the source has none.
  public func credentials() async throws(CredentialsError) -> Credentials { try await credentials(at: .now) }
}
