internal import HTTPExchange
package import SigV4
internal import TokenSecurityCrypto

/// The texts that credentials come from, read without their files, programs and services.
package enum CredentialTexts {
  /// True where a shared file of both kinds can be read and has a default profile.
  package static func sharedFile(_ bytes: [UInt8]) throws(CredentialsError) -> Bool {
    let config = try SharedFile(path: "config", SecretBytes(bytes.span), .config)
    let credentials = try SharedFile(path: "credentials", SecretBytes(bytes.span), .credentials)
    return config.has("default") || credentials.has("default")
  }

  /// What a program wrote.
  package static func program(_ bytes: [UInt8]) throws(CredentialsError) -> Credentials {
    try ProcessCredentials.read(SecretBytes(bytes.span))
  }

  /// What AWS STS answered.
  package static func service(_ bytes: [UInt8]) throws(CredentialsError) -> Credentials {
    try Credentials.ofSecurityTokenAnswer(SecretResponse(TransportResponse(status: 200, body: bytes)))
  }
}
