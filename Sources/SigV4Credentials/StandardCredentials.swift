public import AWSCredentials
public import SigV4

extension CredentialsSource where Self == RefreshingCredentials {
  /// Where AWS's programs look, in their order: the environment, a web identity that the environment names, the shared
  /// files. What ends is renewed early.
  ///
  /// `profile`: the profile of the shared files; `AWS_PROFILE`, or `default`, where nil.
  public static func standard(profile: String? = nil) -> RefreshingCredentials {
    let transport = HTTPTransport()
    return RefreshingCredentials(
      CredentialsChain([
        EnvironmentCredentials(), EnvironmentWebIdentity(transport: transport),
        ProfileCredentials(profile: profile, transport: transport, process: CredentialsProgram()),
      ]))
  }
}

/// The web identity that the environment names at the time.
struct EnvironmentWebIdentity: CredentialsSource {
  let transport: any CredentialsTransport

  func credentials(at now: AmzDate) async throws(CredentialsFault) -> Credentials {
    try await WebIdentityCredentials.fromEnvironment(transport: transport).credentials(at: now)
  }
}
