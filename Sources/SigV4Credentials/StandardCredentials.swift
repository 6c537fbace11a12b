public import AWSCredentials
public import AsyncHTTPTransport
public import HTTPExchange
public import SigV4

extension CredentialsSource where Self == RefreshingCredentials {
  /// Where AWS's programs look, in their order: the environment, a web identity that the environment names, the shared
  /// files. Credentials that expire are renewed early.
  ///
  /// - Parameters:
  ///   - profile: the profile of the shared files. Default: `AWS_PROFILE`, or `default`.
  ///   - transport: the HTTP client that reaches AWS STS.
  /// - Returns: credentials for a signer.
  public static func standard(
    profile: String? = nil, transport: any HTTPTransport = HTTPClientTransport()
  ) -> RefreshingCredentials {
    RefreshingCredentials(
      CredentialsChain([
        EnvironmentCredentials(), EnvironmentWebIdentity(transport: transport),
        ProfileCredentials(profile: profile, transport: transport, process: CredentialsProgram()),
      ]))
  }
}

/// The web identity that the environment names at the time.
struct EnvironmentWebIdentity: CredentialsSource {
  let transport: any HTTPTransport

  func credentials(at now: Timestamp) async throws(CredentialsError) -> Credentials {
    try await WebIdentityCredentials.fromEnvironment(transport: transport).credentials(at: now)
  }
}
