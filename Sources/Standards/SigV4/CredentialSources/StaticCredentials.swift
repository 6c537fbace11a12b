/// A source of fixed credentials.
public struct StaticCredentials: CredentialsSource {
  private let value: Credentials

  /// Creates a source of `credentials`.
  public init(_ credentials: Credentials) { value = credentials }

  /// The fixed credentials, also when they have expired.
  public func credentials(at now: Timestamp = .now) async throws(CredentialsError) -> Credentials { value }
}
