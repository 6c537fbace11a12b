internal import HTTPExchange
internal import Testing
internal import TokenLifetime
internal import TokenSecurityCrypto

@testable internal import CognitoUserPool

/// Counts of names that are invented push others out after a bounded number of calls.
@Suite struct StrangersGenerationTests {
  private static let now = Timestamp(seconds: 1_800_000_000)
  private let counts = StrangersCounts(capacity: 4)
  private let secrets: UserPoolSecrets

  init() throws { secrets = try UserPoolSecrets(master: SecretBytes(count: 32) { $0[0] = 1 }) }

  private func refusal(_ kind: StrangersCounts.Kind, _ name: String) throws -> UserPoolError? {
    let key = try StrangersCounts.Key(kind, named: name, in: "pool", from: .unknown, secrets)
    do throws(UserPoolError) { try counts.count(key, at: Self.now) } catch { return error }
    return nil
  }

  private func use(up kind: StrangersCounts.Kind, _ name: String) throws {
    for _ in 0..<100 { #expect(try refusal(kind, name) == nil) }
    #expect(try refusal(kind, name) == kind.refusal)
  }

  /// A count that refuses stays while it is asked for; one that is not is forgotten.
  @Test func refusedCounts() throws {
    try use(up: .signIn, "jane")
    for round in 0..<10 {
      for number in 0..<4 { #expect(try refusal(.signIn, "\(round)-\(number)") == nil) }
      #expect(try refusal(.signIn, "jane") == .passwordAttemptsExceeded)
    }
    for number in 0..<8 { #expect(try refusal(.signIn, "last-\(number)") == nil) }
    #expect(try refusal(.signIn, "jane") == nil)
  }

  /// Cheap calls of one kind push out no counts of another one.
  @Test func kinds() throws {
    for kind in StrangersCounts.Kind.allCases { try use(up: kind, "jane") }
    for number in 0..<100 { #expect(try refusal(.signUp, "\(number)") == nil) }
    for kind in StrangersCounts.Kind.allCases where kind != .signUp {
      #expect(try refusal(kind, "jane") == kind.refusal)
    }
  }
}
