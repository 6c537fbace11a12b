internal import JOSE
internal import SigningKeyTesting
internal import Testing
internal import TokenSecurityVectorFiles

@Suite struct TokenVerifierTests {
  static let now = NumericDate(seconds: 1_767_225_600)

  @Test(
    arguments: [
      { $0.leeway = .seconds(-1) }, { $0.leeway = .seconds(301) }, { $0.leeway = .milliseconds(-1) },
      { $0.leeway = .milliseconds(300_001) }, { $0.maximumLifetime = .seconds(0) },
      { $0.maximumAge = .seconds(-1) }, { $0.maximumAge = .atMost(.milliseconds(999)) },
      { $0.expiration = .optional(because: "x") }, { $0.issuer = .oneOf([]) },
      { $0.signature.algorithms = [] },
      { $0.signature.type = .oneOf([]) }, { $0.claims = [.init("x", .oneOf([]))] },
      { $0.signature.candidateLimit = 0 },
    ] as [@Sendable (inout TokenPolicy) -> Void])
  func refusesPoliciesThatCannotBeMeant(change: @Sendable (inout TokenPolicy) -> Void) throws {
    var policy = TokenPolicy(issuer: "i", audience: "a")
    change(&policy)
    #expect { try TokenVerifier(keys: JWKSet([JWK]()), policy: policy) } throws: {
      ($0 as? JOSEError)?.code == .policyInvalid
    }
  }

  @Test func customChecks() throws {
    let key = try JWK.generate(.es256)
    var claims = TokenClaims(issuer: "i", audience: ["a"])
    claims["scope"] = "read write"
    let token = try TokenSigner(key: key).issue(claims, at: Self.now)
    var policy = TokenPolicy(issuer: "i", audience: "a")
    policy.checks = [
      TokenCheck("scope", expected: "write") { claims, header, now in
        let scopes = claims["scope"]?.string?.split(separator: " ") ?? []
        return scopes.contains("write") && header.type == "JWT" && now == Self.now ? nil : "no such scope"
      }
    ]
    #expect(throws: Never.self) {
      try TokenVerifier(keys: JWKSet([key]), policy: policy).verify(token, at: Self.now)
    }
    policy.checks.append(TokenCheck("never", expected: "the impossible") { _, _, _ in "it cannot be" })
    let verifier = try TokenVerifier(keys: JWKSet([key]), policy: policy)
    #expect(throws: JOSEError.checkFailed(name: "never", message: "it cannot be")) {
      try verifier.verify(token, at: Self.now)
    }
    let last = try #require(verifier.explain(token, at: Self.now).checks.last)
    #expect(last.name == "never")
    #expect(last.expected == "the impossible")
  }

  @Test func explanationsShowAllFailingClaims() throws {
    let key = try JWK.generate(.es256)
    let token = try TokenSigner(key: key).issue(TokenClaims(issuer: "x", audience: ["y"]), at: Self.now)
    let verifier = try TokenVerifier(keys: JWKSet([key]), policy: TokenPolicy(issuer: "i", audience: "a"))
    let later = Self.now.advanced(bySeconds: 1_000)
    let explanation = verifier.explain(token, at: later)
    let failed = explanation.checks.filter { if case .failed = $0.outcome { true } else { false } }
    #expect(failed.map(\.name) == ["exp", "iss", "aud"])
    #expect(throws: JOSEError.expired(at: Self.now.advanced(bySeconds: 900), now: later)) {
      try explanation.result.get()
    }
    #expect(
      "\(JOSEError.expired(at: Self.now.advanced(bySeconds: 900), now: later))"
        == "the token expired at 2026-01-01T00:15:00Z, 1 minute 40 seconds ago")
  }

  /// One verifier on more threads than it has pooled contexts.
  @Test func manyThreadsAtOnce() async throws {
    let keys = try [Algorithm.hs256, .rs256, .es256, .ed25519].map {
      try VectorKeys.key(for: $0, keyID: $0.name)
    }
    let verifier = try TokenVerifier(keys: JWKSet(keys), policy: TokenPolicy(issuer: "i", audience: "a"))
    let tokens = try keys.map {
      try TokenSigner(key: $0).issue(TokenClaims(issuer: "i", audience: ["a"]), at: Self.now)
    }
    let good = await withTaskGroup(of: Int.self) { group in
      for task in 0..<64 {
        group.addTask {
          (0..<25).filter { round in
            let token = tokens[(task + round) % tokens.count]
            let forged = String(token.dropLast(8)) + "AAAAAAAA"
            return (try? verifier.verify(token, at: Self.now)) != nil
              && (try? verifier.verify(forged, at: Self.now)) == nil
          }.count
        }
      }
      return await group.reduce(0, +)
    }
    #expect(good == 64 * 25)
  }

  /// A token with any bit flipped is refused.
  @Test(arguments: [Algorithm.hs256, .es256, .ed25519])
  func everyFlippedBitRefuses(algorithm: Algorithm) throws {
    let key = try JWK.generate(algorithm)
    let token = Array(
      try TokenSigner(key: key).issue(TokenClaims(issuer: "i", audience: ["a"]), at: Self.now).utf8)
    let verifier = try TokenVerifier(keys: JWKSet(key), policy: TokenPolicy(issuer: "i", audience: "a"))
    for place in token.indices {
      for bit in 0..<7 {
        var changed = token
        changed[place] ^= 1 << UInt8(bit)
        #expect(throws: JOSEError.self) {
          try verifier.verify(String(decoding: changed, as: UTF8.self), at: Self.now)
        }
      }
    }
  }

  @Test func everyPrefixRefuses() throws {
    let key = try JWK.generate(.es256)
    let token = try TokenSigner(key: key).issue(TokenClaims(issuer: "i", audience: ["a"]), at: Self.now)
    let verifier = try TokenVerifier(keys: JWKSet(key), policy: TokenPolicy(issuer: "i", audience: "a"))
    for count in 0..<token.utf8.count {
      #expect(throws: JOSEError.self) { try verifier.verify(String(token.prefix(count)), at: Self.now) }
    }
  }

  /// The size is checked first: megabytes cost no more than reading their length.
  @Test func hugeTokens() throws {
    let verifier = try TokenVerifier(keys: JWKSet([JWK]()), policy: TokenPolicy(issuer: "i", audience: "a"))
    let huge = String(repeating: "A", count: 8 << 20)
    #expect(throws: JOSEError.tokenTooLarge(size: 8 << 20, limit: 16_384)) { try verifier.verify(huge) }
    let dots = String(repeating: ".", count: 16_384)
    #expect(throws: JOSEError.notCompact(parts: 16_385)) { try verifier.verify(dots) }
    let names = (0..<900).map { "\"\($0)\":0" }.joined(separator: ",")
    let many = "e30." + Base64URL.string(Array("{\(names)}".utf8)) + "."
    #expect(throws: JOSEError.algorithmMissing) { try verifier.verify(many) }
  }

  @Test func largeSetsAreFoundByKeyID() throws {
    let keys = try (0..<40).map { try JWK.generate(.es256, keyID: "k\($0)") }
    let verifier = try TokenVerifier(keys: JWKSet(keys), policy: TokenPolicy(issuer: "i", audience: "a"))
    for index in [0, 17, 39] {
      let token = try TokenSigner(key: keys[index]).issue(
        TokenClaims(issuer: "i", audience: ["a"]), at: Self.now)
      #expect(try verifier.verify(token, at: Self.now).keyID == "k\(index)")
    }
    let stranger = try TokenSigner(key: JWK.generate(.es256, keyID: "k40")).issue(
      TokenClaims(issuer: "i", audience: ["a"]), at: Self.now)
    #expect(throws: JOSEError.keyNotFound(kid: "k40", algorithm: .es256)) {
      try verifier.verify(stranger, at: Self.now)
    }
  }

  @Test func tokensTakenApartUnderOtherLimitsAreMeasuredAgain() throws {
    let key = try JWK.generate(.es256)
    var claims = TokenClaims(issuer: "i", audience: ["a"])
    claims["x"] = .string(String(repeating: "x", count: 20_000))
    let token = try UnverifiedToken(
      TokenSigner(key: key).issue(claims, at: Self.now), limits: TokenLimits(token: 1 << 16))
    let verifier = try TokenVerifier(keys: JWKSet(key), policy: TokenPolicy(issuer: "i", audience: "a"))
    #expect { try verifier.verify(token, at: Self.now) } throws: {
      ($0 as? JOSEError)?.code == .tokenTooLarge
    }
  }
}
