internal import SigV4
internal import Testing
internal import TokenSecurityCrypto

/// Shared files and program outputs as tools write them. The expected values are those of botocore 1.44.8.
@Suite struct ToolFileTests {
  private static let keys = """
    aws_access_key_id = AKID
    aws_secret_access_key = secret

    """

  private func credentials(
    config: String = "", credentials: String = "", of profile: String = "dev"
  ) async throws -> Credentials {
    let files = try CredentialsTests.Files(config: config, credentials: credentials)
    defer { files.remove() }
    return try await files.profile(profile).credentials(at: CredentialMaterial.now)
  }

  /// Checks the secret by a signature.
  private func expectSame(_ credentials: Credentials, secret: String, token: String? = nil) throws {
    let expected = try CredentialMaterial.credentials(credentials.accessKeyID, secret: secret, token: token)
    #expect(credentials.sessionToken == token)
    let signer = try CredentialMaterial.signer()
    let signature = try signer.sign(CredentialMaterial.head(), with: credentials, at: CredentialMaterial.now)
      .signature
    #expect(
      try signer.sign(CredentialMaterial.head(), with: expected, at: CredentialMaterial.now).signature
        == signature)
  }

  /// An empty token is none, in both files, and for a setting of spaces.
  @Test(arguments: ["aws_session_token =\n", "aws_session_token = \n", "aws_session_token=\r\n"])
  func emptyTokens(line: String) async throws {
    try expectSame(
      await credentials(credentials: "[dev]\n" + Self.keys + line), secret: "secret")
    try expectSame(
      await credentials(config: "[profile dev]\n" + Self.keys + line), secret: "secret")
  }

  /// The indentation of a section's first setting is that of the others. More of it continues a setting.
  @Test(arguments: [
    "[dev]\n  aws_access_key_id = AKID\n  aws_secret_access_key = secret\n",
    "[dev]\n\taws_access_key_id = AKID\n\taws_secret_access_key = secret\n",
    "[dev]\n  aws_access_key_id = AKID\naws_secret_access_key = secret\n",
    "  [dev]\n  aws_access_key_id = AKID\n  aws_secret_access_key = secret\n",
    "[dev]\n  # c\n  aws_access_key_id = AKID\n\n  aws_secret_access_key = secret\n",
    "[dev]\ns3 =\n  aws_access_key_id = WRONG\naws_access_key_id = AKID\naws_secret_access_key = secret\n",
    "[x]\n  a = b\n[dev]\n  aws_access_key_id = AKID\n  aws_secret_access_key = secret\n",
  ])
  func indentation(text: String) async throws {
    let found = try await credentials(credentials: text)
    #expect(found.accessKeyID == "AKID")
    try expectSame(found, secret: "secret")
  }

  /// `aws configure --profile "my dev"` (AWS CLI 2.9.19) writes both headers of the first case.
  @Test(arguments: [
    ("[profile 'my dev']\n", "[my dev]\n", "my dev"), ("[profile \"my dev\"]\n", "[my dev]\n", "my dev"),
    ("[profile my\\ dev]\n", "[my dev]\n", "my dev"), ("", "[ my dev ]\n", "my dev"),
    ("[profile 'dev']\n", "", "dev"),
  ])
  func namesWithSpaces(config: String, header: String, profile: String) async throws {
    let found =
      try await header.isEmpty
      ? credentials(config: config + Self.keys, of: profile)
      : credentials(config: config, credentials: header + Self.keys, of: profile)
    try expectSame(found, secret: "secret")
  }

  @Test(arguments: ["[profile my dev]\n", "[profile 'my dev]\n", "[profile]\n", "[my dev]\n"])
  func headersThatNameNoProfile(header: String) async throws {
    await #expect(throws: CredentialsError.profileMissing("my dev")) {
      try await credentials(config: header + Self.keys, of: "my dev")
    }
  }

  /// Outputs of `credential_process`. `aws configure export-credentials` (AWS CLI 2.9.19) writes an offset and
  /// microseconds, PHP's json_encode escapes slashes.
  @Test(
    arguments: [
      (#""SessionToken":"""#, nil, nil), (#""SessionToken":null"#, nil, nil),
      (#""SessionToken":"T","Expiration":null"#, "T", nil),
      (#""SessionToken":"T","Expiration":"2030-01-01T00:00:00Z""#, "T", 1_893_456_000),
      (#""SessionToken":"T","Expiration":"2030-01-01T00:00:00.123456+00:00""#, "T", 1_893_456_000),
      (#""SessionToken":"T","Expiration":"2030-01-01T01:00:00+01:00""#, "T", 1_893_456_000),
      (#""SessionToken":"T","Expiration":"2029-12-31T16:00:00-0800""#, "T", 1_893_456_000),
      (#""SessionToken":"T","Expiration":"2030-01-01 00:00:00Z""#, "T", 1_893_456_000),
      (#""SessionToken":"T","Expiration":"20300101T000000Z""#, "T", 1_893_456_000),
    ] as [(String, String?, Int64?)])
  func outputs(members: String, token: String?, end: Int64?) async throws {
    let found = try await output(
      #"{"Version":1,"AccessKeyId":"AKID","SecretAccessKey":"a\/b\u002bc",\#(members)}"#)
    try expectSame(found, secret: "a/b+c", token: token)
    #expect(found.expiration?.seconds == end)
  }

  /// botocore fails, too; without the refusal such credentials would never be renewed.
  @Test(arguments: [
    #""Expiration":1900000000"#, #""Expiration":"1900000000""#, #""Expiration":false"#, #""Expiration":"""#,
    #""Expiration":"2030-01-01T00:00:00""#, #""Expiration":"2030-01-01""#, #""SessionToken":5"#,
    #""SessionToken":["T"]"#,
  ])
  func outputsThatAreRefused(members: String) async throws {
    do throws(CredentialsError) {
      _ = try await output(#"{"Version":1,"AccessKeyId":"AKID","SecretAccessKey":"s",\#(members)}"#)
      Issue.record("no failure")
    } catch {
      #expect(error.code == .processOutput)
    }
  }

  private func output(_ text: String) async throws(CredentialsError) -> Credentials {
    try await ProcessCredentials(
      command: "x", process: CredentialsTests.Scripted { _ throws(CredentialsError) in (0, text) }
    ).credentials(at: CredentialMaterial.now)
  }

  /// AWS STS always issues a token: an empty one is not dropped.
  @Test func aServiceWithoutAToken() async throws {
    let body = CredentialsTests.answer("AssumeRole").replacing("role&#x2F;token&amp;==", with: "")
    let source = AssumedRoleCredentials(
      source: StaticCredentials(try CredentialMaterial.credentials()), request: try RoleRequest(roleARN: "r"),
      transport: CredentialsTests.Scripted { _ throws(CredentialsError) in (200, body) })
    await #expect(throws: CredentialsError.unusable(.sessionTokenMalformed)) {
      try await source.credentials(at: CredentialMaterial.now)
    }
  }
}
