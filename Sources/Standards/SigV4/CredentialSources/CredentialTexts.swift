internal import HTTPExchange
internal import TokenSecurityCrypto

/// The parsers of credentials without files, programs and services, for fuzzing.
package enum CredentialTexts {
  /// Parses a shared file as both kinds; true when it has a default profile.
  package static func sharedFile(_ bytes: [UInt8]) throws(CredentialsError) -> Bool {
    let config = try SharedFile(path: "config", SecretBytes(bytes.span), .config)
    let credentials = try SharedFile(path: "credentials", SecretBytes(bytes.span), .credentials)
    return config.has("default") || credentials.has("default")
  }

  /// Parses the output of a program.
  package static func program(_ bytes: [UInt8]) throws(CredentialsError) -> Credentials {
    try ProcessCredentials.read(SecretBytes(bytes.span))
  }

  /// Parses a response of AWS STS.
  package static func service(_ bytes: [UInt8]) throws(CredentialsError) -> Credentials {
    try Credentials.fromTokenServiceResponse(SecretResponse(TransportResponse(status: 200, body: bytes)))
  }
}
