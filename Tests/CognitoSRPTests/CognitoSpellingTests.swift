internal import TokenSecurityCrypto
internal import Testing
internal import TokenSecurityVectorFiles

internal import SecureRemotePassword
@testable internal import CognitoSRP

/// A store that ignores the case of names: spellings must not show who exists.
@Suite struct CognitoSpellingTests {
  /// The store's rule, for existing and other users.
  static func canonical(_ name: String) -> String { name.lowercased() }

  static func challenge(
    _ name: String, _ server: CognitoSignInServer, exists: Bool, canonicalUsername: String?
  ) async throws -> CognitoChallenge {
    let app = try Material.app()
    let client = try CognitoPasswordSignIn(userPoolID: server.userPoolID, client: app, username: name)
    let user: CognitoUserRecord? =
      exists
      ? CognitoUserRecord(
        username: "jane", userIDForSRP: "jane",
        verifier: try CognitoVerifier(
          identity: CognitoSRPIdentity.user(userPoolID: server.userPoolID, userIDForSRP: "jane"),
          password: Material.secret("secret"), salt: [UInt8](1...16)))
      : nil
    return try await server.challenge(
      client.request, client: app, user: user, canonicalUsername: canonicalUsername, key: CognitoServerKey(),
      at: Material.now)
  }

  static let shown = ["SALT", "USER_ID_FOR_SRP", "USERNAME"]

  @Test(arguments: [CognitoSimulatedUsers.Identity.uuid, .givenName])
  func spellingsOfOneName(_ identity: CognitoSimulatedUsers.Identity) async throws {
    let server = try CognitoSignInServer(
      userPoolID: Material.poolID, simulatedUsers: Material.simulatedUsers(identity),
      secretBlocks: StoredSecretBlocks())
    for exists in [true, false] {
      var found: Set<[String]> = []
      for name in ["jane", "JANE", "Jane", "jAnE"] {
        let challenge = try await Self.challenge(
          name, server, exists: exists, canonicalUsername: Self.canonical(name))
        found.insert(try Self.shown.map { try #require(challenge.parameters[$0]) })
      }
      #expect(found.count == 1)
    }
    // If names are compared by bytes, each spelling is another user.
    let one = try await Self.challenge("jane", server, exists: false, canonicalUsername: nil)
    let other = try await Self.challenge("JANE", server, exists: false, canonicalUsername: nil)
    for name in Self.shown { #expect(one.parameters[name] != other.parameters[name]) }
  }
}
