internal import JOSE
internal import OpenIDConnect
internal import Synchronization
internal import Testing
internal import TokenSecurityBase

/// Single-use tokens and proofs in the whole verifier.
@Suite struct ReplayTests {
  let now = NumericDate(seconds: 1_767_225_600)
  let issuer: Issuer
  let fetcher = ScriptedFetcher()

  init() throws { issuer = try Issuer("https://op.example", kid: "one") }

  private func logoutToken(_ issuer: Issuer, id: String = "id-1", life: Int64? = 100) throws -> String {
    var claims = TokenClaims(issuer: issuer.name, subject: "jane", audience: ["client"])
    claims["jti"] = .string(id)
    claims["iat"] = .number(JSONNumber(now.seconds))
    if let life { claims["exp"] = .number(JSONNumber(now.seconds + life)) }
    claims["events"] = ["http://schemas.openid.net/event/backchannel-logout": [:]]
    return try TokenSigner(key: issuer.key).sign(claims)
  }

  private func verifier(
    _ issuers: [Issuer], leeway: Int64 = 60, _ cache: TokenReplayCache,
    names: @escaping @Sendable (String) -> Void = { _ in }
  ) throws -> OpenIDVerifier {
    let trusted = issuers.map { issuer in
      var rules = LogoutTokenRules(issuers: [issuer.name], clientIDs: ["client"]) { name, until, now in
        names(name)
        return cache.insert(name, until: until, at: now)
      }
      rules.leeway = .seconds(leeway)
      return TrustedIssuer.logout(rules, keys: .fixed(JWKSet(issuer.key)))
    }
    return try OpenIDVerifier(trusted, transport: fetcher)
  }

  private func code(_ verifier: OpenIDVerifier, _ token: String, after seconds: Int64) -> String? {
    do throws(OpenIDError) {
      _ = try verifier.verify(token, at: now.advanced(bySeconds: seconds))
      return nil
    } catch { return error.codeText }
  }

  @Test func aLogoutTokenIsAcceptedOnce() throws {
    let verifier = try verifier([issuer], TokenReplayCache())
    let token = try logoutToken(issuer)
    #expect(code(verifier, token, after: 10) == nil)
    for seconds: Int64 in [10, 20, 99, 100, 101, 110, 130, 159] {
      #expect(code(verifier, token, after: seconds) == "replayed")
    }
    #expect(code(verifier, token, after: 160) == "token_expired")
  }

  /// A policy that was made from the rules and then changed does not accept a token after its name expired.
  @Test func aPolicyWithALongerLeewayAcceptsNoTokenTwice() throws {
    let cache = TokenReplayCache()
    var trusted = TrustedIssuer.logout(
      LogoutTokenRules(issuers: [issuer.name], clientIDs: ["client"], isNew: cache.insert),
      keys: .fixed(JWKSet(issuer.key)))
    trusted.policy.leeway = .seconds(300)
    trusted.policy.expiration = .optional(because: "a test")
    trusted.policy.maximumLifetime = .unchecked(because: "a test")
    let verifier = try OpenIDVerifier([trusted], transport: fetcher)
    let token = try logoutToken(issuer)
    #expect(code(verifier, token, after: 10) == nil)
    #expect(code(verifier, token, after: 99) == "replayed")
    for seconds: Int64 in [100, 101, 399] {
      #expect(code(verifier, token, after: seconds) == "token_expired")
    }
    #expect(code(verifier, try logoutToken(issuer, life: nil), after: 10) == "claim_missing")
  }

  /// The issuer's clock may be slightly ahead, as for other kinds of tokens.
  @Test func theIssuersClockMayBeAhead() throws {
    var trusted = TrustedIssuer.logout(
      LogoutTokenRules(issuers: [issuer.name], clientIDs: ["client"]) { _, _, _ in true },
      keys: .fixed(JWKSet(issuer.key)))
    let verifier = try OpenIDVerifier([trusted], transport: fetcher)
    let token = try logoutToken(issuer)
    #expect(code(verifier, token, after: -10) == nil)
    #expect(code(verifier, token, after: -11) == "token_issued_in_future")
    #expect(code(verifier, token, after: 100) == "token_expired")
    trusted.policy.leeway = .zero
    #expect(
      code(try OpenIDVerifier([trusted], transport: fetcher), token, after: -1) == "token_issued_in_future")
  }

  @Test func oneCacheServesSeveralIssuers() throws {
    let other = try Issuer("https://other.example", kid: "two")
    let verifier = try verifier([issuer, other], TokenReplayCache())
    let (mine, theirs) = (try logoutToken(issuer), try logoutToken(other))
    #expect(code(verifier, theirs, after: 1) == nil)
    #expect(code(verifier, mine, after: 1) == nil)
    #expect(code(verifier, mine, after: 1) == "replayed")
  }

  @Test func namesHaveOneLength() throws {
    let seen = Mutex<[String]>([])
    let verifier = try verifier([issuer], TokenReplayCache()) { name in seen.withLock { $0.append(name) } }
    for id in ["a", String(repeating: "x", count: 6_000)] {
      let code = code(verifier, try logoutToken(issuer, id: id), after: 1)
      #expect(code == nil)
    }
    let names = seen.withLock { $0 }
    #expect(names.map(\.utf8.count) == [50, 50])
    #expect(Set(names).count == 2)
    #expect(names.allSatisfy { $0.hasPrefix("logout:") })
  }

  @Test func explainingARefusedTokenStoresNothing() async throws {
    let cache = TokenReplayCache()
    let right = try verifier([issuer], cache)
    let token = try logoutToken(issuer)
    var rules = LogoutTokenRules(
      issuers: [issuer.name], clientIDs: ["another"], isNew: { cache.insert($0, until: $1, at: $2) })
    rules.leeway = .seconds(60)
    let wrong = try OpenIDVerifier(
      [.logout(rules, keys: .fixed(JWKSet(issuer.key)))], transport: fetcher)
    let at = now.advanced(bySeconds: 1)
    let refused = try await wrong.explainFetchingKeys(token, at: at)
    #expect(refused.checks.last?.name == "jti")
    #expect(refused.checks.last?.outcome == .notReached)
    // Expired, which is checked before the audience.
    _ = try await right.explainFetchingKeys(token, at: now.advanced(bySeconds: 500))
    let accepted = try await right.explainFetchingKeys(token, at: at)
    #expect(throws: Never.self) { try accepted.result.get() }
    #expect(code(right, token, after: 1) == "replayed")
  }

  @Test func checksWithEffectsRunLast() throws {
    let calls = Mutex(0)
    var policy = issuer.policy
    policy.checks = [
      TokenCheck("effect", expected: "to be counted", hasEffects: true) { _, _, _ in
        calls.withLock { $0 += 1 }
        return nil
      },
      TokenCheck("no", expected: "nothing") { _, _, _ in "never" },
    ]
    let verifier = try TokenVerifier(keys: JWKSet(issuer.key), policy: policy)
    let token = try issuer.token(at: now)
    #expect(throws: JOSEError.checkFailed(name: "no", message: "never")) {
      try verifier.verify(token, at: now)
    }
    #expect(throws: JOSEError.self) { try verifier.explain(token, at: now).result.get() }
    #expect(calls.withLock { $0 } == 0)
    policy.checks.removeLast()
    _ = try TokenVerifier(keys: JWKSet(issuer.key), policy: policy).verify(token, at: now)
    #expect(calls.withLock { $0 } == 1)
  }
}
