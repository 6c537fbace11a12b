package import TokenSecurityCrypto

/// Credentials from `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and `AWS_SESSION_TOKEN`.
public struct EnvironmentCredentials: CredentialsSource {
  /// Creates a source.
  public init() {}

  /// Reads the environment. An empty variable counts as one that is not set.
  ///
  /// - Parameter now: not used.
  /// - Returns: the credentials.
  /// - Throws: `notFound` when `AWS_ACCESS_KEY_ID` is not set; `unusable` when the secret is not set, or a
  ///   variable is malformed.
  public func credentials(at now: Timestamp = .now) async throws(CredentialsError) -> Credentials {
    try read()
  }

  /// The secret, read directly into wiped memory; nil when it is not set.
  package static func secret() -> SecretBytes? { SystemFiles.secretVariable("AWS_SECRET_ACCESS_KEY") }

  package func read() throws(CredentialsError) -> Credentials {
    guard let accessKeyID = SystemFiles.variable("AWS_ACCESS_KEY_ID") else {
      throw .notFound(tried: ["AWS_ACCESS_KEY_ID is not set"])
    }
    guard let secret = SystemFiles.secretVariable("AWS_SECRET_ACCESS_KEY") else {
      throw .unusable(.secretEmpty)
    }
    return try Credentials.from(accessKeyID, secret, SystemFiles.variable("AWS_SESSION_TOKEN"), nil)
  }
}

extension Credentials {
  static func from(
    _ accessKeyID: String, _ secret: consuming SecretBytes, _ token: String?, _ expiration: Timestamp?
  ) throws(CredentialsError) -> Credentials {
    do {
      return try Credentials(
        accessKeyID: accessKeyID, secretAccessKey: secret, sessionToken: token, expiration: expiration)
    } catch {
      throw .unusable(error)
    }
  }
}
