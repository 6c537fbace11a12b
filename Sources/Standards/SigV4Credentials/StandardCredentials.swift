public import AsyncHTTPTransport
public import HTTPExchange
public import SigV4

extension CredentialsSource where Self == RefreshingCredentials {
  /// The sources of AWS's programs in their order: the environment, a web identity from the environment, the
  /// shared files. Credentials are renewed before they expire.
  ///
  /// - Parameters:
  ///   - profile: the profile of the shared files. Default: `AWS_PROFILE`, or `default`.
  ///   - transport: the HTTP client that reaches AWS STS.
  /// - Returns: a source of credentials for a signer.
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
