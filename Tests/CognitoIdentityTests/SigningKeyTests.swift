internal import CognitoIdentity
internal import JOSE
internal import Testing

/// Signing keys: published before they sign, kept until their last token has expired.
@Suite struct SigningKeyTests {
  @Test(arguments: Fixture.Kind.allCases)
  func keysFollowOneAnother(_ kind: Fixture.Kind) async throws {
    let rule = RotationRule(period: .seconds(30 * 86_400), notice: .seconds(3_600))
    let f = try await Fixture(kind, rotation: rule)
    defer { f.remove() }
    let start = Fixture.now.seconds
    func at(_ seconds: Int64) -> Timestamp { Timestamp(seconds: start + seconds) }
    func signer(_ now: Timestamp) async throws -> String? {
      try UnverifiedToken(await f.token("jane", duration: 86_400, at: now).token).header.keyID
    }
    func published() throws -> [String?] {
      try JWKSet(json: String(decoding: f.service.keys.keySet, as: UTF8.self)).keys.map(\.keyID)
    }
    let first = try #require(f.service.keys.schedule.first?.keyID)
    try await f.service.keys.maintain(at: at(30 * 86_400 - 3_601))
    #expect(try published() == [first])
    // One hour before it signs, the next key is published.
    try await f.service.keys.maintain(at: at(30 * 86_400 - 3_600))
    let second = try #require(f.service.keys.schedule.last?.keyID)
    #expect(second != first)
    #expect(try published() == [first, second])
    #expect(try await signer(at(30 * 86_400 - 1)) == first)
    #expect(try await signer(at(30 * 86_400)) == second)
    // The old key stays published while its last token may be valid.
    let grace = RotationRule.grace.wholeSeconds
    #expect(grace == 86_700)
    try await f.service.keys.maintain(at: at(30 * 86_400 + grace - 1))
    #expect(try published() == [first, second])
    try await f.service.keys.maintain(at: at(30 * 86_400 + grace))
    #expect(try published() == [second])
    // Further calls change nothing.
    try await f.service.keys.maintain(at: at(30 * 86_400 + grace))
    #expect(try published() == [second])
    // Another process on the store has the same keys.
    let other = try Fixture.service(f.store, rotation: rule)
    try await other.keys.maintain(at: at(30 * 86_400 + grace))
    #expect(other.keys.keySet == f.service.keys.keySet)
    // Another master key cannot open the signing keys.
    let strange = try Fixture.service(f.store, rotation: rule, master: 9)
    #expect(await code { try await strange.keys.maintain(at: at(30 * 86_400 + grace)) } == "store_failed")
  }

  @Test func revokedKeysTokensAreRefused() async throws {
    let f = try await Fixture(.memory)
    let jane = try await f.token("jane")
    func open(_ token: String) async -> String {
      await code {
        _ = try await f.service.issueCredentials(
          for: jane.identityID, logins: ["cognito-identity.amazonaws.com": token], at: Fixture.now)
      }
    }
    #expect(await open(jane.token) == "")
    let first = try #require(f.service.keys.schedule.first?.keyID)
    try await f.service.keys.revoke(first, at: Fixture.now)
    #expect(f.service.keys.schedule.map(\.keyID).contains(first) == false)
    #expect(await open(jane.token) == "login_refused")
    #expect(await open(try await f.token("jane").token) == "")
  }

  /// No valid token is refused while keys change.
  @Test func rotationUnderLoadRefusesNothing() async throws {
    let f = try await Fixture(.sqlite, rotation: RotationRule(period: .seconds(3_600), notice: .seconds(60)))
    defer { f.remove() }
    let jane = try await f.token("jane")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<4 {
        group.addTask {
          for step in 0..<40 {
            let now = Fixture.now.advanced(bySeconds: Int64(step * 200 + worker))
            let token = try await f.token("jane", duration: 900, at: now)
            _ = try await f.service.issueCredentials(
              for: jane.identityID, logins: ["cognito-identity.amazonaws.com": token.token],
              at: now.advanced(bySeconds: 899))
          }
        }
      }
      group.addTask {
        for step in 0..<40 {
          try await f.service.keys.maintain(at: Fixture.now.advanced(bySeconds: Int64(step * 200)))
          await Task.yield()
        }
      }
      try await group.waitForAll()
    }
    #expect(f.service.keys.schedule.count >= 2)
  }
}
