internal import CognitoSRP
internal import SecureRemotePassword
internal import TokenSecurityCrypto
internal import TokenSecurityEncodings
internal import TokenSecurityVectorFiles

/// Users, servers and passwords for the tests.
enum Material {
  static let poolID = "eu-west-1_AbCdEfGhI"
  static let now: Timestamp = 1_788_598_987  // Sat Sep 5 09:03:07 UTC 2026

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

  /// The same for asynchronous code.
  static func code(_ body: () async throws -> Void) async -> SRPError.Code? {
    do { try await body() } catch let error as SRPError { return error.code } catch { return nil }
    return nil
  }

  static func app(secret: String? = nil) throws -> CognitoAppClient {
    if let secret {
      return try CognitoAppClient(id: "1h57kf5cpq17m0eml12EXAMPLE", secret: Material.secret(secret))
    }
    return try CognitoAppClient(id: "1h57kf5cpq17m0eml12EXAMPLE")
  }

  static func simulatedUsers(_ identity: CognitoSimulatedUsers.Identity = .uuid) throws
    -> CognitoSimulatedUsers
  {
    try CognitoSimulatedUsers(key: secret([UInt8](repeating: 7, count: 32)), identity: identity)
  }

  static func sealed(
    _ key: UInt8 = 1, replayGuard: any CognitoReplayGuard = CognitoReplayCache()
  ) throws -> SealedSecretBlocks {
    try SealedSecretBlocks(key: secret([UInt8](repeating: key, count: 32)), replayGuard: replayGuard)
  }

  static func server(
    _ blocks: (any CognitoSecretBlocks)? = nil, pool: String = poolID
  ) throws -> CognitoSignInServer {
    try CognitoSignInServer(
      userPoolID: pool, simulatedUsers: simulatedUsers(), secretBlocks: blocks ?? sealed())
  }

  /// A user of the pool whose id differs from the typed name.
  static func user(password: String = "Tr0ub4dor&3", id: String = "0d1c6e2a", pool: String = poolID) throws
    -> CognitoUserRecord
  {
    let identity = try CognitoSRPIdentity.user(userPoolID: pool, userIDForSRP: id)
    return CognitoUserRecord(
      username: id, userIDForSRP: id,
      verifier: try CognitoVerifier(identity: identity, password: secret(password)))
  }

  /// A sign-in up to the client's response; `change` modifies the challenge.
  static func answer(
    _ server: CognitoSignInServer, app: CognitoAppClient? = nil, password: String = "Tr0ub4dor&3",
    exists: Bool = true, at now: Timestamp = now, change: (inout CognitoChallenge) -> Void = { _ in }
  ) async throws -> CognitoChallengeResponse {
    let app = try app ?? self.app()
    let client = try CognitoPasswordSignIn(
      userPoolID: server.userPoolID, client: app, username: "alice@example.org")
    let user: CognitoUserRecord? = exists ? try user(pool: server.userPoolID) : nil
    var challenge = try await server.challenge(
      client.request, client: app, user: user, key: CognitoServerKey(), at: now)
    change(&challenge)
    return try client.respond(
      to: challenge, password: secret(password), at: now)
  }
}
