/// Whoever has credentials, or knows where to get them.
public protocol CredentialsSource: Sendable {
  /// The credentials for an instant.
  func credentials(at now: Timestamp) async throws(CredentialsError) -> Credentials
}
