internal import TokenSecurityCrypto
internal import Testing
internal import TokenSecurityVectorFiles

@testable internal import SecureRemotePassword

/// Records of users who do not exist: a challenge must not show who exists.
@Suite struct CognitoSimulatedUserTests {
  private static func record(
    _ name: String, _ users: CognitoSimulatedUsers, pool: String = CognitoMaterial.poolID,
    exists: Bool = false
  ) throws -> CognitoSRPRecord {
    let user: CognitoSRPRecord? = exists ? try CognitoMaterial.user() : nil
    return try users.record(of: user, userPoolID: pool, canonicalUsername: name)
  }

  /// The part of a record that a challenge shows.
  private static func shown(_ record: borrowing CognitoSRPRecord) -> [String] {
    [CognitoNumber.hexadecimal(record.verifier.salt), record.identity.name]
  }

  @Test func theSameForTheSameName() throws {
    let users = try CognitoMaterial.simulatedUsers()
    let first = try Self.record("nobody", users)
    let again = try Self.record("nobody", CognitoMaterial.simulatedUsers())
    #expect(Self.shown(first) == Self.shown(again))
    #expect(first.identity.realm == "AbCdEfGhI")
    let otherPool = try Self.record("nobody", users, pool: "eu-west-1_Other")
    let otherName = try Self.record("somebody", users)
    for (one, other) in zip(Self.shown(first), Self.shown(otherPool)) { #expect(one != other) }
    for (one, other) in zip(Self.shown(first), Self.shown(otherName)) { #expect(one != other) }
    #expect(CognitoMaterial.bytes(first.verifier.value) != CognitoMaterial.bytes(otherPool.verifier.value))
    for number in 0..<32 {
      let id = Array(try Self.record("\(number)", users).identity.name.utf8)
      #expect(id.count == 36 && id[14] == UInt8(ascii: "4") && "89ab".utf8.contains(id[19]))
    }
  }

  /// A challenge has the same members, with the lengths that existing users have, and no password is right.
  @Test func theyAreLikeUsers() throws {
    let users = try CognitoMaterial.simulatedUsers()
    let client = try CognitoMaterial.begin()
    let real = try OpenChallenge(
      to: client.request.parameters, of: Self.record("alice@example.org", users, exists: true))
    let other = try OpenChallenge(to: client.request.parameters, of: Self.record("alice@example.org", users))
    #expect(real.identity.name == "0d1c6e2a")
    #expect(real.message.parameters.names == other.message.parameters.names)
    #expect(
      real.message.parameters["SALT"]?.utf8.count == other.message.parameters["SALT"]?.utf8.count)
    let again = try OpenChallenge(to: client.request.parameters, of: Self.record("alice@example.org", users))
    #expect(other.message.parameters["SRP_B"] != again.message.parameters["SRP_B"])
    let response = try client.respond(
      to: other.message, password: CognitoMaterial.secret(CognitoMaterial.password), at: CognitoMaterial.now)
    #expect(other.code(response) == .passwordMismatch)
  }

  @Test func poolsOfNamesShowTheNameItself() throws {
    #expect(try Self.record("nobody", CognitoMaterial.simulatedUsers(.givenName)).identity.name == "nobody")
  }

  /// A store that ignores the case of names.
  @Test(arguments: [CognitoSimulatedUsers.Identity.uuid, .givenName])
  func spellingsOfOneName(_ identity: CognitoSimulatedUsers.Identity) throws {
    let users = try CognitoMaterial.simulatedUsers(identity)
    for exists in [true, false] {
      var found: Set<String> = []
      for name in ["jane", "JANE", "Jane", "jAnE"] {
        found.insert(try Self.record(name.lowercased(), users, exists: exists).identity.name)
      }
      #expect(found.count == 1)
    }
    // If names are compared by bytes, each spelling is another user.
    let (one, other) = (
      Self.shown(try Self.record("jane", users)), Self.shown(try Self.record("JANE", users))
    )
    for (one, other) in zip(one, other) { #expect(one != other) }
  }

  /// Of existing users, too.
  @Test(arguments: [true, false]) func namesThatAreRefused(_ exists: Bool) throws {
    let users = try CognitoMaterial.simulatedUsers()
    func code(_ name: String, pool: String = CognitoMaterial.poolID) -> SRPError.Code? {
      CognitoMaterial.code { _ = try Self.record(name, users, pool: pool, exists: exists) }
    }
    #expect(code("") == .empty)
    #expect(code(String(repeating: "a", count: 2_048)) == nil)
    #expect(code(String(repeating: "a", count: 2_049)) == .tooLong)
    #expect(code("alice", pool: "eu-west-1") == .userPoolIDMalformed)
    for count in [0, 31] {
      #expect(
        CognitoMaterial.code {
          _ = try CognitoSimulatedUsers(
            key: CognitoMaterial.secret([UInt8](repeating: 1, count: count)), identity: .uuid)
        } == .keyTooShort)
    }
  }

  /// Salts have no leading zero digit, of existing users and of others.
  @Test func salts() throws {
    #expect(CognitoNumber.salt([0x0F, 0]) == [0x1F, 0])
    #expect(CognitoNumber.salt([0x00, 0]) == [0x10, 0])
    #expect(CognitoNumber.salt([0x10, 0]) == [0x10, 0])
    #expect(CognitoNumber.salt([0xFF]) == [0xFF])
    #expect(CognitoNumber.salt([]) == [])
    let identity = try CognitoSRPIdentity.user(userPoolID: CognitoMaterial.poolID, userIDForSRP: "alice")
    let users = try CognitoMaterial.simulatedUsers()
    for number in 0..<100 {
      let verifier = try CognitoVerifier(identity: identity, password: CognitoMaterial.secret("secret"))
      let record = try Self.record("\(number)", users)
      for salt in [verifier.salt, record.verifier.salt] {
        #expect(CognitoNumber.hexadecimal(salt).utf8.count == 32)
      }
    }
  }
}
