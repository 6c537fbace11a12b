internal import ServiceOperations
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityCrypto

@testable internal import CognitoUserPool

/// The length of a session says nothing about the user: an unknown name gets one as long for the same request.
@Suite struct SessionLengthTests {
  private static let prevents: JSONObject = ["PreventUserExistenceErrors": "ENABLED"]

  /// The lengths of sessions and secret blocks that a name gets.
  private static func lengths(_ name: String, _ pool: TestPool) async throws -> [Int?] {
    var lengths: [Int?] = []
    let key = publicKey
    for (flow, more) in [
      ("USER_AUTH", [:]), ("USER_AUTH", ["PREFERRED_CHALLENGE": "PASSWORD"]),
      ("USER_AUTH", ["PREFERRED_CHALLENGE": "PASSWORD_SRP", "SRP_A": key]), ("USER_SRP_AUTH", ["SRP_A": key]),
    ] as [(String, [String: String])] {
      let answer = try await pool.initiate(flow, more.merging(["USERNAME": name]) { first, _ in first })
      lengths.append(answer.session?.utf8.count)
      lengths.append(answer.parameter("SECRET_BLOCK")?.utf8.count)
    }
    return lengths
  }

  private static let publicKey =
    String(repeating: "0", count: 700) + "1234567890ABCDEF1234567890ABCDEF"

  /// Names of few and of many bytes, long ones behind short aliases, and the other way round.
  @Test(
    arguments: NamedPool.allCases, [(1, "u"), (3, "\u{1D482}"), (128, "u"), (128, "\u{1D482}"), (64, "\"")])
  func sessions(_ kind: NamedPool, _ form: (count: Int, letter: String)) async throws {
    let known = try await TestPool(kind.settings, client: Self.prevents)
    let unknown = try await TestPool(kind.settings, client: Self.prevents)
    let long = String(repeating: form.letter, count: form.count)
    let person = NamedPool.Person(first: "u", number: 100)
    // Of some length itself, beside the user name.
    let email = "u-100." + String(repeating: "a", count: 50) + "@example.com"
    var attributes = [
      "email": email, "email_verified": "true", "phone_number": person.phone,
      "phone_number_verified": "true",
    ]
    if kind == .preferredNames { attributes["preferred_username"] = person.preferred }
    let name = kind == .emails ? email : kind == .phones ? person.phone : long
    try await known.addUser(name, attributes: attributes)
    let aliases = kind == .aliasEmails ? [email] : Array(kind.typed(person).dropFirst())
    let typed = kind == .emails || kind == .phones ? [name] : [long] + aliases
    for name in typed {
      let expected = try await Self.lengths(name, unknown)
      #expect(try await Self.lengths(name, known) == expected, "\(name)")
      #expect(expected[0] == expected[2] && expected[1] == nil)
      // Maximum number of characters in Amazon's model.
      #expect(expected[0] ?? 0 <= 2_048, "\(name): \(expected)")
    }
  }

  /// So it is for a user without a password.
  @Test func withoutPassword() async throws {
    let bench = try await SignInBench(
      pool: { $0.firstFactors = [.password, .emailCode] }, client: { $0.preventsExistenceErrors = true })
    let padding = String(repeating: "a", count: 40)
    try await bench.addUser(padding + "1", password: nil) {
      $0.attributes = ["email": "jane@example.com", "email_verified": "true"]
    }
    var lengths: Set<Int> = []
    for name in [padding + "1", padding + "2"] {
      let challenge = try await bench.initiate(
        .userAuth, ["USERNAME": name, "PREFERRED_CHALLENGE": "PASSWORD"]
      ).challenge
      lengths.insert(challenge.session?.utf8.count ?? 0)
    }
    #expect(lengths.count == 1)
  }

  /// Every length of a name, where only one field of the user is there or not.
  @Test func everyLength() throws {
    let secrets = try UserPoolSecrets(master: SecretBytes(count: 32) { $0[0] = 1 })
    var session = SignInSession()
    (session.poolID, session.clientID) = ("us-east-1_AbCdEfGhI", "1h57kf5cpq17m0eml12example")
    (session.challenge, session.choices) = (
      "SELECT_CHALLENGE", ["PASSWORD_SRP", "PASSWORD", "EMAIL_OTP", "SMS_OTP"]
    )
    (session.id, session.nameDigest) = ([UInt8](repeating: 1, count: 16), [UInt8](repeating: 2, count: 16))
    session.attemptKey = [UInt8](repeating: 3, count: 32)
    for count in 1...512 {
      let name = String(repeating: "n", count: count)
      var lengths: Set<Int> = []
      for (shown, sub) in [
        (name, ""), (name, UUIDText.version4(session.id)), ("u", UUIDText.version4(session.id)),
      ] {
        for digest in [[], session.id] {
          (session.typedName, session.shownName) = (name, shown)
          (session.sub, session.passwordDigest) = (sub, digest)
          lengths.insert(try session.sealed(secrets).utf8.count)
        }
      }
      #expect(lengths.count == 1, "\(count): \(lengths)")
    }
  }

  /// Sessions of an earlier version, which had other lengths, are read.
  @Test func earlierVersions() async throws {
    let bench = try await SignInChoiceTests.bench()
    let challenge = try await bench.initiate(.userAuth, ["USERNAME": "alice"]).challenge
    let secrets = bench.service.secrets
    let sealed = try Base64URL.decode(String(try #require(challenge.session).dropFirst()))
    guard let secret = try secrets.open(sealed.span, for: .session, name: "session") else {
      Issue.record("the session does not open")
      return
    }
    var bytes = secret.withBytes { [UInt8](unwipedCopy: $0) }
    while bytes.last == UInt8(ascii: " ") { bytes.removeLast() }
    bytes += [UInt8](repeating: UInt8(ascii: " "), count: 1_024 - bytes.count)
    let earlier =
      "s" + Base64URL.string(try secrets.seal(SecretBytes(bytes.span), for: .session, name: "session"))
    #expect(earlier.utf8.count < sealed.count * 4 / 3)
    _ = try await bench.respond(
      .selectChallenge, ["USERNAME": "alice", "ANSWER": "PASSWORD", "PASSWORD": SignInBench.password],
      session: earlier
    ).tokens
  }
}
