internal import JOSE
@testable internal import OpenIDConnect
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityTesting

/// A cache follows the key sets of its verifier's issuers.
@Suite struct VerifiedTokenCacheTests {
  let fetcher = ScriptedFetcher()
  let clock = SettableClock()
  let cache = VerifiedTokenCache()

  private func verifier(
    _ issuers: [Issuer], cache: VerifiedTokenCache?, _ change: (inout TokenPolicy) -> Void = { _ in }
  ) throws -> OpenIDVerifier {
    let clock = self.clock
    let trusted = try issuers.map { issuer in
      var policy = issuer.policy
      change(&policy)
      let address = issuer.name + "/jwks"
      return TrustedIssuer(policy: policy, keys: .remote(.address(try HTTPURL(address))))
    }
    return try OpenIDVerifier(
      trusted, transport: fetcher, configuration: RemoteKeySetConfiguration(), cache: cache, logger: .silent
    ) { clock.seconds }
  }

  private func serve(_ issuer: Issuer, _ keys: Issuer..., tag: String? = nil) {
    fetcher.answer(
      issuer.name + "/jwks", JWKSet(keys.map(\.key)).publicJSON, cacheControl: "max-age=600", tag: tag)
  }

  @Test func eachIssuersTokensAreFoundAgain() async throws {
    let issuers = try (0..<5).map { try Issuer("https://issuer-\($0).example", kid: "same") }
    for issuer in issuers { serve(issuer, issuer) }
    let verifier = try verifier(issuers, cache: cache)
    for issuer in issuers {
      let token = try issuer.token()
      let first = try await verifier.verifyFetchingKeys(token)
      let now = first.verifiedAt
      #expect(try verifier.verify(token, at: now) == first)
      #expect(try await verifier.verifyFetchingKeys(token, at: now) == first)
      let forged = String(token.dropLast(8)) + "AAAAAAAA"
      #expect(throws: OpenIDError.self) { try verifier.verify(forged) }
      let late = NumericDate.now.advanced(bySeconds: 10_000)
      #expect { try verifier.verify(token, at: late) } throws: {
        ($0 as? OpenIDError)?.codeText == "token_expired"
      }
    }
    #expect(cache.statistics.tokens == 5)
    #expect(cache.statistics.insertions == 5)
    #expect(cache.statistics.hits == 15)
  }

  @Test func aTokenOfARemovedKeyIsRefused() async throws {
    let issuer = try Issuer("https://issuer.example", kid: "one")
    let next = try issuer.rotated(to: "two")
    serve(issuer, issuer)
    let verifier = try verifier([issuer], cache: cache)
    let plain = try self.verifier([issuer], cache: nil)
    let token = try issuer.token()
    for verifier in [verifier, plain, verifier] { _ = try await verifier.verifyFetchingKeys(token) }
    #expect(cache.statistics.hits == 1)
    // The set with both keys is another one: the token is verified again, once.
    serve(issuer, issuer, next)
    clock.advance(by: .seconds(601))
    for _ in 0..<3 { _ = try await verifier.verifyFetchingKeys(token) }
    #expect(cache.statistics.insertions == 2)
    serve(issuer, next)
    clock.advance(by: .seconds(601))
    for verifier in [verifier, plain] {
      await #expect(throws: OpenIDError.token(.keyNotFound(kid: "one", algorithm: .es256))) {
        try await verifier.verifyFetchingKeys(token)
      }
      #expect(throws: OpenIDError.token(.keyNotFound(kid: "one", algorithm: .es256))) {
        try verifier.verify(token)
      }
    }
  }

  @Test func anotherKeyOfTheSameNameDoesNotAcceptTheToken() async throws {
    let issuer = try Issuer("https://issuer.example", kid: "one")
    serve(issuer, issuer)
    let verifier = try verifier([issuer], cache: cache)
    let token = try issuer.token()
    for _ in 0..<2 { _ = try await verifier.verifyFetchingKeys(token) }
    serve(issuer, try issuer.rotated(to: "one"))
    clock.advance(by: .seconds(601))
    for _ in 0..<2 {
      await #expect(throws: OpenIDError.token(.signatureInvalid)) {
        try await verifier.verifyFetchingKeys(token)
      }
    }
  }

  @Test func withoutUsableKeysAStoredTokenIsNotAccepted() async throws {
    let issuer = try Issuer("https://issuer.example", kid: "one")
    serve(issuer, issuer)
    let verifier = try verifier([issuer], cache: cache)
    let token = try issuer.token()
    for _ in 0..<2 { _ = try await verifier.verifyFetchingKeys(token) }
    fetcher.fail(issuer.name + "/jwks", status: 503)
    clock.advance(by: .seconds(1_000_000))
    await #expect { try await verifier.verifyFetchingKeys(token) } throws: {
      ($0 as? OpenIDError)?.isRefusal == false
    }
    #expect(throws: OpenIDError.keysNotCached(issuer: issuer.name)) { try verifier.verify(token) }
  }

  @Test func verifiersThatShareACacheDoNotFindEachOthersTokens() async throws {
    let issuer = try Issuer("https://issuer.example", kid: "one")
    serve(issuer, issuer)
    let verifier = try verifier([issuer], cache: cache)
    let stricter = try self.verifier([issuer], cache: cache) { $0.audience = "other" }
    let token = try issuer.token()
    for _ in 0..<2 {
      _ = try await verifier.verifyFetchingKeys(token)
      await #expect(throws: OpenIDError.self) { try await stricter.verifyFetchingKeys(token) }
    }
    #expect(cache.statistics.insertions == 1)
  }

  /// Each verifier counts its issuers for itself.
  @Test func aVerifierOfFewerIssuersSharesTheCache() async throws {
    let issuers = try (0..<3).map { try Issuer("https://issuer-\($0).example", kid: "same") }
    for issuer in issuers { serve(issuer, issuer) }
    let all = try verifier(issuers, cache: cache)
    let one = try verifier([issuers[0]], cache: cache)
    for issuer in issuers {
      let token = try issuer.token()
      for _ in 0..<2 { _ = try await all.verifyFetchingKeys(token) }
      let hits = cache.statistics.hits
      if issuer.name.utf8.elementsEqual(issuers[0].name.utf8) {
        _ = try await one.verifyFetchingKeys(token)
      } else {
        await #expect(throws: OpenIDError.issuerUnknown(actual: issuer.name, known: [issuers[0].name])) {
          try await one.verifyFetchingKeys(token)
        }
      }
      #expect(cache.statistics.hits == hits)
    }
  }

  /// A sign-in has rules of its own: the cache is not used.
  @Test func signInsDoNotUseTheCache() async throws {
    let issuer = try Issuer("https://issuer.example", kid: "one")
    serve(issuer, issuer)
    let verifier = try verifier([issuer], cache: cache)
    let token = try issuer.token(at: .now, ["nonce": "n"])
    _ = try await verifier.verifyFetchingKeys(token)
    await #expect(throws: OpenIDError.self) {
      try await verifier.verifyFetchingKeys(token, signIn: SignIn(nonce: "m"))
    }
    _ = try await verifier.verifyFetchingKeys(token, signIn: SignIn(nonce: "n"))
    #expect(cache.statistics.hits == 0)
  }
}
