internal import SigV4
internal import TokenLifetime
internal import TokenSecurityCrypto

extension SessionKeysSettings {
  /// The API's own access key. Its file is read for each question, so that a new key needs no signal.
  var credentials: any CredentialsSource {
    if let keyFile { AccessKeyFile(path: keyFile) } else { EnvironmentCredentials() }
  }
}

/// An access key in a file that other users cannot read.
struct AccessKeyFile: CredentialsSource {
  let path: String

  func credentials(at now: Timestamp) async throws(CredentialsError) -> Credentials { try read() }

  /// - Throws: `fileUnreadable`, also for a file of another form.
  func read() throws(CredentialsError) -> Credentials {
    var bytes: [UInt8]
    do throws(StartError) {
      bytes = try ConfigurationFile.contents(of: path, limit: 4_096, isSecret: true)
    } catch {
      throw .fileUnreadable(path: path, reason: "\(error)")
    }
    do throws(CredentialsError) { return try ProcessCredentials.read(SecretBytes(wiping: &bytes)) } catch {
      guard case .processOutput(let reason) = error else { throw error }
      throw .fileUnreadable(path: path, reason: "\(reason); it must be the output of key create --json")
    }
  }
}
