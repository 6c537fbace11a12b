internal import SigV4
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// Credentials of the tests.
enum CredentialMaterial {
  static let now = Timestamp(seconds: 1_440_938_160)  // 20150830T123600Z
  static let secret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"

  static func credentials(
    _ id: String = "AKIDEXAMPLE", secret: String = secret, token: String? = nil, expiration: Timestamp? = nil
  ) throws -> Credentials {
    try Credentials(
      accessKeyID: id, secretAccessKey: SecretBytes(secret.utf8.span), sessionToken: token,
      expiration: expiration)
  }

  static func signer(_ service: String = "execute-api") throws -> Signer {
    try Signer(service: service, region: "us-east-1")
  }

  static func head() -> RequestHead {
    RequestHead("GET", "/", headers: ["Host": "api.example"])
  }
}
