internal import SigV4
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// Credentials, signers and verifiers of the tests.
enum Material {
  static let now = Timestamp(seconds: 1_440_938_160)  // 20150830T123600Z
  static let host = "api.example"
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

  static func policy(_ service: String = "execute-api") -> VerifierPolicy {
    var policy = VerifierPolicy(service: service, region: "us-east-1", hosts: .oneOf([host]))
    policy.placements = [.header, .query]
    return policy
  }

  static func verifier(_ service: String = "execute-api") throws -> RequestVerifier {
    try RequestVerifier(policy: policy(service))
  }

  static func head(
    _ method: String = "GET", _ target: String = "/", _ headers: KeyValuePairs<String, String> = [:]
  ) -> RequestHead {
    var head = RequestHead(method, target, headers: headers)
    head.headers.insert(HeaderField("Host", host), at: 0)
    return head
  }

  /// The code of the error that `body` throws, or nil.
  static func code(_ body: () throws -> Void) -> SigV4Error.Code? {
    do { try body() } catch let error as SigV4Error { return error.code } catch { return nil }
    return nil
  }
}
