internal import SecureRemotePassword
internal import TokenSecurityBase
internal import TokenSecurityCrypto
internal import TokenSecurityVectorFiles

/// Users, challenges and passwords for the tests.
enum CognitoMaterial {
  static let poolID = "eu-west-1_AbCdEfGhI"
  static let clientID = "1h57kf5cpq17m0eml12EXAMPLE"
  static let now: Timestamp = 1_788_598_987  // Sat Sep 5 09:03:07 UTC 2026
  static let password = "Tr0ub4dor&3"
  /// The context of the challenges, besides the identity.
  static let context = ["PASSWORD_VERIFIER", poolID, clientID, "0d1c6e2a"]

  static func secret(_ text: String) -> SecretBytes { SecretBytes(text.utf8.span) }
  static func secret(_ bytes: [UInt8]) -> SecretBytes { SecretBytes(bytes.span) }

  static func bytes(_ secret: borrowing SecretBytes) -> [UInt8] {
    secret.withBytes { [UInt8](unwipedCopy: $0) }
  }

  /// The code of the error that `body` throws; nil if it throws none.
  static func code(_ body: () throws -> Void) -> SRPError.Code? {
    do { try body() } catch let error as SRPError { return error.code } catch { return nil }
    return nil
  }

  static func app(secret: String? = nil) throws -> CognitoAppClient {
    if let secret { return try CognitoAppClient(id: clientID, secret: CognitoMaterial.secret(secret)) }
    return try CognitoAppClient(id: clientID)
  }

  static func simulatedUsers(_ identity: CognitoSimulatedUsers.Identity = .uuid) throws
    -> CognitoSimulatedUsers
  {
    try CognitoSimulatedUsers(key: secret([UInt8](repeating: 7, count: 32)), identity: identity)
  }

  static func begin(_ name: String = "alice@example.org", app: CognitoAppClient? = nil) throws
    -> CognitoPasswordSignIn
  {
    try CognitoPasswordSignIn(userPoolID: poolID, client: app ?? CognitoMaterial.app(), username: name)
  }

  /// A user of the pool whose id differs from the typed name.
  static func user(password: String = password, id: String = "0d1c6e2a", pool: String = poolID) throws
    -> CognitoSRPRecord
  {
    let identity = try CognitoSRPIdentity.user(userPoolID: pool, userIDForSRP: id)
    return CognitoSRPRecord(
      identity: identity, verifier: try CognitoVerifier(identity: identity, password: secret(password)))
  }

  /// A sign-in up to the client's response; `change` modifies the challenge.
  static func answer(
    password: String = password, at stamp: Timestamp = now,
    change: (inout CognitoChallenge) -> Void = { _ in }
  ) throws -> (challenge: OpenChallenge, response: CognitoChallengeResponse) {
    let client = try begin()
    let challenge = try OpenChallenge(to: client.request.parameters, of: user())
    var message = challenge.message
    change(&message)
    return (challenge, try client.respond(to: message, password: secret(password), at: stamp))
  }
}

/// A challenge as a server sends it, and what the server keeps of it.
struct OpenChallenge {
  let message: CognitoChallenge
  let pending: [UInt8]
  let identity: CognitoSRPIdentity
  let context: [String]

  /// The challenge for the `SRP_A` of a request or response.
  init(
    to parameters: CognitoParameters, of record: borrowing CognitoSRPRecord,
    context: [String] = CognitoMaterial.context
  ) throws {
    let made = try CognitoSRPServer.challenge(
      publicKey: CognitoNumber.publicKey(hexadecimal: parameters["SRP_A"] ?? ""), record: record,
      key: CognitoServerKey(), context: context)
    pending = CognitoMaterial.bytes(made.pending.bytes())
    identity = record.identity
    self.context = context
    message = CognitoChallenge(
      name: context[0],
      parameters: [
        "SALT": CognitoNumber.hexadecimal(record.verifier.salt),
        "SRP_B": CognitoNumber.hexadecimal(made.publicKey), "SECRET_BLOCK": Base64.string([UInt8](0..<40)),
        "USER_ID_FOR_SRP": identity.name, "USERNAME": identity.name,
      ])
  }

  /// Verifies a client's response, by default for the challenge's own user.
  func verify(
    _ response: CognitoChallengeResponse, identity: CognitoSRPIdentity? = nil, context: [String]? = nil,
    at now: Timestamp = CognitoMaterial.now
  ) throws {
    func text(_ name: String) -> String { response.responses[name] ?? "" }
    let claim = try CognitoPasswordClaim(
      signature: Base64.decode(text("PASSWORD_CLAIM_SIGNATURE")),
      secretBlock: Base64.decode(text("PASSWORD_CLAIM_SECRET_BLOCK")), timestamp: text("TIMESTAMP"))
    try CognitoSRPServer.verify(
      claim, pending: CognitoPendingChallenge(CognitoMaterial.secret(pending)),
      identity: identity ?? self.identity,
      context: context ?? self.context, at: now)
  }

  /// The code of the error of ``verify(_:identity:context:at:)``; nil for a right proof.
  func code(
    _ response: CognitoChallengeResponse, identity: CognitoSRPIdentity? = nil, context: [String]? = nil,
    at now: Timestamp = CognitoMaterial.now
  ) -> SRPError.Code? {
    CognitoMaterial.code { try verify(response, identity: identity, context: context, at: now) }
  }
}
