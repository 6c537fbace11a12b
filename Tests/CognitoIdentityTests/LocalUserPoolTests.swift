internal import CognitoIdentity
internal import JOSE
internal import OpenIDConnect
internal import SigningKeyTesting
internal import Synchronization
internal import Testing

/// Tokens of user pools of the same process are logins without the network.
@Suite struct LocalUserPoolTests {
  /// User pools with one issuer and key set, which tests change.
  private final class Pools: LocalUserPools {
    struct State: Sendable {
      var trust = UserPoolTrust.foreign
      var endedSignIns: Set<String> = []
    }

    let state: Mutex<State>

    init(_ trust: UserPoolTrust) { state = Mutex(State(trust: trust)) }

    func trust(inUserPool id: String) async throws(IdentityError) -> UserPoolTrust {
      id == "eu-west-1_Example01" ? state.withLock { $0.trust } : .foreign
    }

    func isSignedIn(
      originTokenID: String, subject: String, userPool id: String
    ) async throws(IdentityError) -> Bool {
      state.withLock { !$0.endedSignIns.contains("\(id) \(subject) \(originTokenID)") }
    }
  }

  private static let issuer = "http://identity.internal:8080/eu-west-1_Example01"

  private func keySet(_ key: JWK) -> String {
    "{\"keys\":[\(key.publicJWK.map { JSONValue.object($0).description } ?? "")]}"
  }

  private func service(_ f: Fixture, _ pools: Pools) throws -> IdentityPoolService {
    let master = [UInt8](repeating: 7, count: 32)
    return IdentityPoolService(
      store: f.store, sealing: try SealingKeys(master: SecretBytes(master.span)),
      logins: LoginVerifier(userPools: pools), keyMaker: .vectors(from: 24))
  }

  private func token(
    _ f: Fixture, _ user: String, key: JWK? = nil, _ change: (inout TokenClaims) -> Void = { _ in }
  ) throws -> String {
    try f.issuers.token(Fixture.userPool, user, key: key) { claims in
      claims["iss"] = .string(Self.issuer)
      claims["origin_jti"] = "origin-1"
      change(&claims)
    }
  }

  @Test func keysAndIssuerComeFromTheProcess() async throws {
    let f = try await Fixture(.memory)
    // Other keys than those that are stored for the provider.
    let key = try VectorKeys.rsa(42, keyID: "own")
    let pools = Pools(.local(issuer: Self.issuer, keySet: keySet(key)))
    let service = try service(f, pools)
    func signIn(_ token: String) async -> String {
      await code {
        _ = try await service.resolveIdentity(
          poolID: f.pool.id, logins: [Fixture.userPool: token], at: Fixture.now)
      }
    }
    #expect(await signIn(try token(f, "jane", key: key)) == "")
    #expect(await signIn(try token(f, "jane")) == "login_refused")
    #expect(await signIn(try token(f, "jane", key: key) { $0["token_use"] = "access" }) == "login_refused")
    #expect(await signIn(try token(f, "jane", key: key) { $0["aud"] = "client2" }) == "login_refused")
    // AWS's address is another issuer.
    #expect(await signIn(try f.issuers.token(Fixture.userPool, "jane", key: key)) == "login_refused")
    // Keys that replace the others are known at once.
    let next = try VectorKeys.rsa(43, keyID: "next")
    pools.state.withLock { $0.trust = .local(issuer: Self.issuer, keySet: keySet(next)) }
    #expect(await signIn(try token(f, "jane", key: next)) == "")
    #expect(await signIn(try token(f, "jane", key: key)) == "login_refused")
  }

  /// Pools with Cognito's own addresses have its two issuers, and the same keys for both.
  @Test func bothOfCognitosIssuersAreThoseOfAPool() async throws {
    let f = try await Fixture(.memory)
    let key = try VectorKeys.rsa(42, keyID: "own")
    let service = try service(f, Pools(.local(issuer: nil, keySet: keySet(key))))
    for (host, refusal) in [("cognito-idp", ""), ("issuer-cognito-idp", ""), ("idp", "login_refused")] {
      let token = try token(f, "jane", key: key) {
        $0["iss"] = .string("https://\(host).eu-west-1.amazonaws.com/eu-west-1_Example01")
      }
      let code = await code {
        _ = try await service.resolveIdentity(
          poolID: f.pool.id, logins: [Fixture.userPool: token], at: Fixture.now)
      }
      #expect(code == refusal, "\(host)")
    }
  }

  @Test func aRemovedPoolIsNotTrusted() async throws {
    let f = try await Fixture(.memory)
    let key = try VectorKeys.rsa(42, keyID: "own")
    let pools = Pools(.local(issuer: Self.issuer, keySet: keySet(key)))
    let service = try service(f, pools)
    let token = try token(f, "jane", key: key)
    func signIn() async -> String {
      await code {
        _ = try await service.resolveIdentity(
          poolID: f.pool.id, logins: [Fixture.userPool: token], at: Fixture.now)
      }
    }
    #expect(await signIn() == "")
    pools.state.withLock { $0.trust = .removed }
    #expect(await signIn() == "login_refused")
    // Another service's pool has the keys that are stored for it, and AWS's issuer.
    pools.state.withLock { $0.trust = .foreign }
    #expect(await signIn() == "login_refused")
  }

  @Test(arguments: [true, false]) func endedSignInsAreRefusedWhereTheyAreChecked(_ checks: Bool) async throws
  {
    let f = try await Fixture(.memory)
    let key = try VectorKeys.rsa(42, keyID: "own")
    let pools = Pools(.local(issuer: Self.issuer, keySet: keySet(key)))
    let service = try service(f, pools)
    let pool = try await service.createPool(named: "checking") {
      $0.userPoolClients = [
        .init(providerName: Fixture.userPool, clientID: "client1", checksSignIns: checks)
      ]
    }
    #expect(try await service.describePool(pool.id).userPoolClients == pool.userPoolClients)
    func signIn(_ change: (inout TokenClaims) -> Void = { _ in }) async throws -> String {
      let token = try token(f, "jane", key: key, change)
      return await code {
        _ = try await service.resolveIdentity(
          poolID: pool.id, logins: [Fixture.userPool: token], at: Fixture.now)
      }
    }
    #expect(try await signIn() == "")
    pools.state.withLock { $0.endedSignIns = ["eu-west-1_Example01 jane origin-1"] }
    #expect(try await signIn() == (checks ? "login_refused" : ""))
    #expect(try await signIn { $0["origin_jti"] = "origin-2" } == "")
    #expect(try await signIn { $0["origin_jti"] = nil } == (checks ? "login_refused" : ""))
    // Keys of another service: nobody could be asked.
    pools.state.withLock { $0.trust = .foreign }
    let foreign = try f.issuers.token(Fixture.userPool, "jane")
    #expect(
      await code {
        _ = try await service.resolveIdentity(
          poolID: pool.id, logins: [Fixture.userPool: foreign], at: Fixture.now)
      } == (checks ? "login_not_judged" : ""))
  }

  @Test func onlyPoolsOfTheProcessCanBeAsked() async throws {
    let f = try await Fixture(.memory)
    let service = try service(f, Pools(.foreign))
    for made in [service, f.service] {
      #expect(
        await code {
          _ = try await made.createPool(named: "checking") {
            $0.userPoolClients = [
              .init(providerName: Fixture.userPool, clientID: "client1", checksSignIns: true)
            ]
          }
        } == "member_refused")
    }
  }
}
