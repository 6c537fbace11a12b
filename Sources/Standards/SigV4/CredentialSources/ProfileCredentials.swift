public import HTTPExchange
internal import TokenSecurityBase

/// Credentials of a profile in the shared files of AWS's programs.
///
/// Supports `role_arn` with `source_profile` or `web_identity_token_file`, keys, and `credential_process`, in
/// this order. The files are read at each call.
public struct ProfileCredentials: CredentialsSource {
  private let profile: String?
  private let configPath: String?
  private let credentialsPath: String?
  private let transport: (any HTTPTransport)?
  private let endpoint: HTTPURL?
  private let process: (any CredentialsProcess)?

  /// Creates a source.
  ///
  /// - Parameters:
  ///   - profile: its name. Default: `AWS_PROFILE`, or `default`.
  ///   - configPath: the configuration file. Default: `AWS_CONFIG_FILE`, or `~/.aws/config`.
  ///   - credentialsPath: the credentials file. Default: `AWS_SHARED_CREDENTIALS_FILE`, or
  ///     `~/.aws/credentials`.
  ///   - transport: the HTTP client that reaches AWS STS. Without it, profiles with roles are refused.
  ///   - endpoint: the endpoint of AWS STS to use instead of AWS's endpoint of the region.
  ///   - process: runs programs. Without it, profiles with `credential_process` are refused.
  public init(
    profile: String? = nil, configPath: String? = nil, credentialsPath: String? = nil,
    transport: (any HTTPTransport)? = nil, endpoint: HTTPURL? = nil,
    process: (any CredentialsProcess)? = nil
  ) {
    self.profile = profile
    self.configPath = configPath
    self.credentialsPath = credentialsPath
    self.transport = transport
    self.endpoint = endpoint
    self.process = process
  }

  /// Reads the files, and requests credentials as the profile says.
  ///
  /// - Parameter now: the instant at which the credentials must be valid.
  /// - Returns: the credentials.
  /// - Throws: `notFound` when no profile was named and there is no default profile; the error of the
  ///   profile.
  public func credentials(at now: Timestamp = .now) async throws(CredentialsError) -> Credentials {
    try await source().credentials(at: now)
  }

  private func source() throws(CredentialsError) -> any CredentialsSource {
    let files = try SharedFiles(configPath: configPath, credentialsPath: credentialsPath)
    let named = profile ?? SystemFiles.variable("AWS_PROFILE")
    guard files.has(named ?? "default") else {
      guard let named else { throw .notFound(tried: ["the shared files have no default profile"]) }
      throw .profileMissing(named)
    }
    return try source(of: named ?? "default", files, [])
  }

  private func source(
    of profile: String, _ files: SharedFiles, _ visited: [String]
  ) throws(CredentialsError) -> any CredentialsSource {
    guard files.has(profile) else { throw .profileMissing(profile) }
    // A profile can be its own source: the role is assumed with its keys.
    if let role = files.text("role_arn", of: profile), visited.last != profile {
      return try assumed(role, profile, files, visited)
    }
    if let id = files.text("aws_access_key_id", of: profile) {
      guard let secret = files.secret("aws_secret_access_key", of: profile) else {
        throw .profileIncomplete(profile: profile, setting: "aws_secret_access_key")
      }
      return StaticCredentials(
        try Credentials.from(id, secret, files.text("aws_session_token", of: profile)?.nonempty, nil))
    }
    if let command = files.text("credential_process", of: profile) {
      guard let process else { throw .profileUnsupported(profile: profile, setting: "credential_process") }
      return try ProcessCredentials(command: command, process: process)
    }
    for setting in ["sso_session", "sso_start_url", "credential_source", "login_session"]
    where files.text(setting, of: profile) != nil {
      throw .profileUnsupported(profile: profile, setting: setting)
    }
    throw .profileIncomplete(profile: profile, setting: "aws_access_key_id")
  }

  private func assumed(
    _ role: String, _ profile: String, _ files: SharedFiles, _ visited: [String]
  ) throws(CredentialsError) -> any CredentialsSource {
    guard !visited.contains(profile), visited.count < 8 else { throw .profileCycle(profile) }
    guard let transport else { throw .profileUnsupported(profile: profile, setting: "role_arn") }
    let seconds = files.text("duration_seconds", of: profile)
    let request = try RoleRequest(
      roleARN: role, sessionName: files.text("role_session_name", of: profile) ?? "token-security",
      duration: seconds.flatMap { Int64($0) }.map { .seconds($0) },
      region: files.text("region", of: profile) ?? "us-east-1",
      externalID: files.text("external_id", of: profile), endpoint: endpoint)
    if let path = files.text("web_identity_token_file", of: profile) {
      return WebIdentityCredentials(tokenPath: path, request: request, transport: transport)
    }
    guard let source = files.text("source_profile", of: profile) else {
      guard files.text("credential_source", of: profile) == nil else {
        throw .profileUnsupported(profile: profile, setting: "credential_source")
      }
      throw .profileIncomplete(profile: profile, setting: "source_profile")
    }
    return AssumedRoleCredentials(
      source: try self.source(of: source, files, visited + [profile]), request: request, transport: transport)
  }
}
