internal import JOSE
internal import OpenIDConnect
internal import SecureRemotePassword
internal import SigV4
internal import SigningKeyTesting
internal import TokenSecurityCrypto

/// A token of a user pool's shape, and what verifies it.
struct SampleToken {
  static let issuer = "https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_Example01"
  static let client = "1h57kf5cpq17m0eml12EXAMPLE"
  static let now = NumericDate(seconds: 1_788_598_987)

  let key: JWK
  let compact: String

  init(_ algorithm: Algorithm) throws {
    key = try VectorKeys.key(for: algorithm, keyID: "Zk5uY2hRb3JtV2lXcTdFd0tqTnZUeUxhUGdTZEhmMUo=")
    var claims = TokenClaims(issuer: Self.issuer, subject: "0d1c6e2a-5b7f-4c39-9a84-2f6be1d07c53")
    claims["cognito:groups"] = ["editors", "admins"]
    claims["client_id"] = .string(Self.client)
    claims["token_use"] = "access"
    claims["scope"] = "aws.cognito.signin.user.admin openid profile"
    claims["auth_time"] = .number(JSONNumber(Self.now.seconds))
    claims["iat"] = .number(JSONNumber(Self.now.seconds))
    claims["exp"] = .number(JSONNumber(Self.now.seconds + 900))
    claims["jti"] = "b7a4c1d9-60e2-4f3a-8d5b-1c9e7f2a3046"
    claims["username"] = "jane"
    compact = try TokenSigner(key: key, type: nil).sign(claims)
  }

  private static func policy() -> TokenPolicy {
    var policy = TokenPolicy(issuer: .exactly(issuer), audience: .absent)
    policy.claims = [
      .init("token_use", .exactly("access")), .init("client_id", .exactly(.string(client))),
    ]
    return policy
  }

  func verifier(cache: VerifiedTokenCache? = nil) throws -> TokenVerifier {
    var policy = Self.policy()
    policy.signature.algorithms = Set(key.algorithms)
    return try TokenVerifier(keys: JWKSet([key]), policy: policy, cache: cache)
  }

  /// A verifier whose keys came from an address.
  func remoteVerifier() async throws -> OpenIDVerifier {
    let set = "{\"keys\":[\(key.publicJWK.map { JSONValue.object($0).description } ?? "")]}"
    let issuer = TrustedIssuer(
      policy: Self.policy(), keys: .remote(.address(try HTTPURL(Self.issuer + "/jwks.json"))))
    let verifier = try OpenIDVerifier([issuer], transport: FixedDocument(text: set))
    try await verifier.prefetch()
    return verifier
  }
}

/// Responds to each request with one document.
struct FixedDocument: HTTPTransport {
  let text: String

  func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    TransportResponse(status: 200, headers: ["cache-control": "max-age=86400"], body: Array(text.utf8))
  }
}

/// The call that a back end makes for each of its users, signed and verified.
struct SampleRequest {
  static let body = Array(
    #"{"IdentityPoolId":"us-east-1:0d1c6e2a-5b7f-4c39-9a84-2f6be1d07c53","Logins":{"login.example":"jane"}}"#
      .utf8)
  static let date = Timestamp(seconds: 1_788_598_987)
  static let head = RequestHead(
    "POST", "/",
    headers: [
      "Host": "cognito-identity.us-east-1.amazonaws.com", "Content-Type": "application/x-amz-json-1.1",
      "X-Amz-Target": "AWSCognitoIdentityService.GetOpenIdTokenForDeveloperIdentity",
    ])

  let credentials: Credentials
  let signer: Signer
  let verifier: RequestVerifier
  let sent: RequestHead

  init() throws {
    credentials = try Credentials(
      accessKeyID: "AKIDEXAMPLE",
      secretAccessKey: SecretBytes(Array("wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY".utf8).span))
    signer = try Signer(service: "cognito-identity", region: "us-east-1")
    verifier = try RequestVerifier(
      policy: VerifierPolicy(
        service: "cognito-identity", region: "us-east-1",
        hosts: .oneOf(["cognito-identity.us-east-1.amazonaws.com"])))
    sent = try signer.sign(Self.head, body: .bytes(Self.body), with: credentials, at: Self.date).head
  }

  func sign() throws -> SignedRequest {
    try signer.sign(Self.head, body: .bytes(Self.body), with: credentials, at: Self.date)
  }

  func verify() throws {
    _ = try verifier.verify(
      verifier.parse(sent, at: Self.date), key: .credentials(credentials), body: Self.body)
  }
}

/// A pool's side of a sign-in by password.
final class SampleSignIn: Sendable {
  static let poolID = "eu-west-1_AbCdEfGhI"
  static let id = "0d1c6e2a-5b7f-4c39-9a84-2f6be1d07c53"
  static let now = Timestamp(seconds: 1_788_598_987)

  private static let context = ["PASSWORD_VERIFIER", poolID, SampleToken.client, id]

  private let users: CognitoSimulatedUsers
  private let publicKey: String
  private let salt: [UInt8]
  private let verifier: [UInt8]

  init() throws {
    users = try CognitoSimulatedUsers(key: SecretBytes.random(count: 32), identity: .uuid)
    publicKey =
      try CognitoPasswordSignIn(
        userPoolID: Self.poolID, client: CognitoAppClient(id: SampleToken.client), username: "alice"
      ).request.parameters["SRP_A"] ?? ""
    let record = try CognitoVerifier(
      identity: Self.identity(), password: SecretBytes(Array("Tr0ub4dor&3".utf8).span), salt: [UInt8](1...16))
    salt = record.salt
    verifier = record.value.withBytes { bytes in
      var copy: [UInt8] = []
      for index in bytes.indices { copy.append(bytes[index]) }
      return copy
    }
  }

  private static func identity() throws -> CognitoSRPIdentity {
    try .user(userPoolID: poolID, userIDForSRP: id)
  }

  /// The challenge for a user who exists.
  func challenge() throws {
    let value = verifier
    let user = CognitoSRPRecord(
      identity: try Self.identity(),
      verifier: try CognitoVerifier(salt: salt, value: SecretBytes(value.span)))
    try challenge(publicKey, user)
  }

  /// The challenge for an `SRP_A`; without a user, that of a simulated one.
  func challenge(_ publicKey: String, _ user: consuming CognitoSRPRecord? = nil) throws {
    let a = try CognitoNumber.publicKey(hexadecimal: publicKey)
    let record = try users.record(of: user, userPoolID: Self.poolID, canonicalUsername: "alice")
    let made = try CognitoSRPServer.challenge(
      publicKey: a, record: record, key: CognitoServerKey(), context: Self.context)
    _ = (CognitoNumber.hexadecimal(record.verifier.salt), CognitoNumber.hexadecimal(made.publicKey))
  }
}
