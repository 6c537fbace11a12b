package import HTTPExchange

/// The web identity that the environment names at the time of a call.
package struct EnvironmentWebIdentity: CredentialsSource {
  private let transport: any HTTPTransport
  private let endpoint: HTTPURL?

  /// Creates a source.
  ///
  /// - Parameters:
  ///   - transport: the HTTP client that reaches AWS STS.
  ///   - endpoint: the endpoint to use instead of AWS's endpoint of the region.
  package init(transport: any HTTPTransport, endpoint: HTTPURL? = nil) {
    self.transport = transport
    self.endpoint = endpoint
  }

  /// Requests credentials for the web identity.
  package func credentials(at now: Timestamp) async throws(CredentialsError) -> Credentials {
    try await WebIdentityCredentials.fromEnvironment(transport: transport, endpoint: endpoint)
      .credentials(at: now)
  }
}
