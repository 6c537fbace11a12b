public import SigV4

/// Credentials that are given as values.
public struct StaticCredentials: CredentialsSource {
  private let value: Credentials

  public init(_ credentials: Credentials) { value = credentials }

  public func credentials(at now: Timestamp) async throws(CredentialsError) -> Credentials { value }
}
