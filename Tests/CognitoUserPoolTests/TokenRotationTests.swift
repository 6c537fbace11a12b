internal import CognitoUserPool
internal import Testing
internal import TokenSecurityBase

/// Refresh tokens that are replaced at each use.
@Suite struct TokenRotationTests {
  private func fixture(grace: Int64, on kind: StoreKind = .memory) async throws -> TokenFixture {
    try await TokenFixture(on: kind) { _, client, _ in client.rotationGrace = grace }
  }

  private func rotate(
    _ f: TokenFixture, _ token: String, by service: UserPoolService? = nil, after seconds: Int64 = 0
  ) async throws -> String {
    let tokens = try await f.refresh(
      token, by: service, replaces: true, at: TokenFixture.now + .seconds(seconds))
    return try #require(tokens.refreshToken)
  }

  private func rotationCode(_ f: TokenFixture, _ token: String, after seconds: Int64 = 0) async -> String {
    await errorCode { _ = try await rotate(f, token, after: seconds) }
  }

  @Test(arguments: StoreKind.allCases) func aReplacedTokenIsRefused(_ kind: StoreKind) async throws {
    let f = try await fixture(grace: 0, on: kind)
    let first = try #require(try await f.signIn().refreshToken)
    let second = try await rotate(f, first)
    #expect(second != first)
    #expect(await rotationCode(f, first) == "refresh_token_reused")
    // The successor serves all the same.
    let third = try await rotate(f, second, after: 100)
    #expect(await rotationCode(f, second, after: 100) == "refresh_token_reused")
    #expect(await rotationCode(f, first, after: 100) == "refresh_token_reused")
    #expect(await rotationCode(f, third, after: 200) == "")
  }

  @Test(arguments: StoreKind.allCases) func aReplacedTokenServesInItsGracePeriod(_ kind: StoreKind)
    async throws
  {
    let f = try await fixture(grace: 60, on: kind)
    let first = try #require(try await f.signIn().refreshToken)
    let second = try await rotate(f, first)
    #expect(try await rotate(f, first, after: 59) == second)
    #expect(await rotationCode(f, first, after: 60) == "refresh_token_reused")
    // Each has its own period.
    let third = try await rotate(f, second, after: 70)
    let fourth = try await rotate(f, third, after: 80)
    #expect(try await rotate(f, second, after: 129) == fourth)
    #expect(await rotationCode(f, second, after: 130) == "refresh_token_reused")
    #expect(try await rotate(f, third, after: 139) == fourth)
    #expect(await rotationCode(f, third, after: 140) == "refresh_token_reused")
  }

  @Test func replacementsDoNotLengthenTheSignIn() async throws {
    let f = try await fixture(grace: 10)
    let first = try #require(try await f.signIn().refreshToken)
    let lifetime: Int64 = 30 * 86_400
    let second = try await rotate(f, first, after: lifetime - 1)
    #expect(await rotationCode(f, second, after: lifetime) == "refresh_token_expired")
  }

  @Test func theOtherFlowIsRefused() async throws {
    let f = try await fixture(grace: 0)
    let first = try #require(try await f.signIn().refreshToken)
    #expect(await errorCode { _ = try await f.refresh(first) } == "flow_not_enabled")
    #expect(await rotationCode(f, first) == "")
  }

  @Test(arguments: StoreKind.allCases) func manyReplacementsAreBounded(_ kind: StoreKind) async throws {
    let f = try await fixture(grace: 60, on: kind)
    var tokens = [try #require(try await f.signIn().refreshToken)]
    for _ in 0..<20 { tokens.append(try await rotate(f, tokens.last ?? "")) }
    let row = try await f.store.read { rows throws(UserPoolError) in
      try rows.scan(UserPoolTables.signIns, limit: 10).first
    }
    #expect(row?.generation == 20 && row?.replaced.count == 16)
    #expect(await rotationCode(f, tokens[3]) == "refresh_token_reused")
    #expect(try await rotate(f, tokens[4]) == tokens.last)
    #expect(await rotationCode(f, tokens[20]) == "")
  }

  /// Calls at once with one token: without a grace period one gets a successor, with one all get the same.
  @Test(arguments: [0, 30] as [Int64], StoreKind.allCases)
  func callsAtOnce(_ grace: Int64, _ kind: StoreKind) async throws {
    let f = try await fixture(grace: grace, on: kind)
    let nodes = [f.service, try TokenFixture.service(f.store)]
    let first = try #require(try await f.signIn().refreshToken)
    var successors: [String] = []
    var refused: [String] = []
    await withTaskGroup(of: Result<String, any Error>.self) { group in
      for number in 0..<24 {
        group.addTask {
          for _ in 0..<100 {
            do { return .success(try await rotate(f, first, by: nodes[number % 2])) } catch {
              // A busy store: again, as clients do.
              guard case UserPoolError.storeBusy = error else { return .failure(error) }
            }
          }
          return .failure(UserPoolError.storeBusy)
        }
      }
      for await result in group {
        switch result {
        case .success(let token): successors.append(token)
        case .failure(let error): refused.append((error as? UserPoolError)?.codeText ?? "\(error)")
        }
      }
    }
    #expect(Set(successors).count == 1)
    #expect(successors.count == (grace == 0 ? 1 : 24))
    #expect(refused.allSatisfy { $0 == "refresh_token_reused" })
    #expect(await rotationCode(f, try #require(successors.first)) == "")
  }
}
