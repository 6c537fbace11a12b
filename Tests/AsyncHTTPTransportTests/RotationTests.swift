internal import AsyncHTTPTransport
internal import JOSE
internal import OpenIDConnect
internal import Synchronization
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityTesting

/// Key rotation while a thousand callers verify.
@Suite struct RotationTests {
  /// The issuer's signing key and published keys.
  private final class SigningKeys: Sendable {
    private struct State {
      var published: [JWK]
      var current: JWK
    }

    private let state: Mutex<State>

    init() throws {
      let first = try JWK.generate(.es256)
      state = Mutex(State(published: [first], current: first))
    }

    var set: String {
      let keys = state.withLock { $0.published }
      return JWKSet(keys).publicJSON
    }

    func token(_ issuer: String) throws -> String {
      let key = state.withLock { $0.current }
      return try TokenSigner(key: key).issue(TokenClaims(issuer: issuer, subject: "jane", audience: ["api"]))
    }

    /// Publishes a new key beside the former ones, and signs with the new one at once. All stay published,
    /// because a token that waits for a busy machine may outlive several rotations.
    func rotate() throws {
      let new = try JWK.generate(.es256)
      state.withLock { state in
        state.published.append(new)
        state.current = new
      }
    }
  }

  @Test func noValidTokenIsRefused() async throws {
    let server = try await TestServer()
    let keys = try SigningKeys()
    server.answer { _ in .answer(keys.set) }
    let issuer = "https://issuer.example"
    var configuration = RemoteKeySetConfiguration()
    configuration.timeout = .seconds(600)
    configuration.coolDown = .zero
    let policy = TokenPolicy(issuer: .exactly(issuer), audience: "api")
    let address = try HTTPURL(server.address("/jwks.json"))
    let verifier = try OpenIDVerifier(
      [TrustedIssuer(policy: policy, keys: .remote(.address(address)))],
      transport: HTTPClientTransport(trustRoots: .file(server.certificate)), configuration: configuration)
    let rotations = 5
    // Each rotation comes while calls are made, at the same part of them.
    let calls = Tally()
    let accepted = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<1_000 {
        group.addTask {
          var accepted = 0
          for _ in 0..<12 {
            let token = try keys.token(issuer)
            _ = try await verifier.verifyFetchingKeys(token)
            accepted += 1
            calls.add()
            await Task.yield()
          }
          return accepted
        }
      }
      group.addTask {
        for rotation in 1...rotations {
          try await eventually { calls.value >= rotation * 2_000 }
          try keys.rotate()
        }
        return 0
      }
      return try await group.reduce(0, +)
    }
    #expect(accepted == 12_000)
    // The first fetch, one per rotation, and another if a fetch was in progress while the keys changed.
    #expect((1...(1 + 2 * rotations)).contains(server.count))
    // Once a token has needed the last key, it is known.
    _ = try await verifier.verifyFetchingKeys(keys.token(issuer))
    _ = try verifier.verify(keys.token(issuer))
  }
}
