internal import JOSE
internal import Testing
internal import TokenSecurityVectorFiles

/// The headers of earlier tokens that a verifier remembers change no verdict.
@Suite struct KnownHeadersTests {
  static let now = VerifiedTokenCacheTests.now

  /// A verifier that has verified the token, and one that has verified nothing, agree about all texts that
  /// are almost the token.
  @Test func sameVerdictsAsANewVerifier() throws {
    var generator = SeededGenerator(seed: 7)
    for vector in try TokenVectorTests.file.get().cases {
      let (token, used, now) = try TokenVectorTests.prepare(vector)
      var texts = VerifiedTokenCacheTests.variants(of: token) + Self.otherForms(of: token)
      for _ in 0..<10 { texts.append(VerifiedTokenCacheTests.damaged(token, &generator)) }
      let first = VerifiedTokenCacheTests.verdict(used, token, at: now)
      for text in [token] + texts {
        for offset in [0, 90_000] as [Int64] {
          let time = now.advanced(bySeconds: offset)
          let fresh = try TokenVectorTests.prepare(vector).1
          let expected = VerifiedTokenCacheTests.verdict(fresh, text, at: time)
          let actual = VerifiedTokenCacheTests.verdict(used, text, at: time)
          #expect(actual == expected)
          if case .success(let actual) = actual, case .success(let expected) = expected {
            #expect(actual.header == expected.header && actual.keyID == expected.keyID)
            #expect(
              actual.claims == expected.claims && actual.compact.utf8.elementsEqual(expected.compact.utf8))
          }
        }
      }
      #expect(VerifiedTokenCacheTests.verdict(used, token, at: now) == first)
    }
  }

  /// The parts of a token in other numbers and orders.
  private static func otherForms(of token: String) -> [String] {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3 else { return [] }
    let (header, payload, signature) = (parts[0], parts[1], parts[2])
    return [
      "\(header).", "\(header)..", "\(header).\(payload)", "\(header).\(payload).", "\(header)..\(signature)",
      "\(header).\(payload).\(signature).", "\(header).\(header).\(signature)", "\(header)",
      "\(header).\(payload).\(signature).\(signature)", "\(header)\(payload).\(signature)",
      "\(header)=.\(payload).\(signature)", "\(header).\(payload)=.\(signature)",
      "\(header).\(payload).\(payload)", "\(header).bnVsbA.\(signature)", "\(header).e30.\(signature)",
    ]
  }

  /// More headers than are kept, in any order, each with its own key.
  @Test func manyHeaders() throws {
    let keys = try (0..<6).map { try JWK.generate(.hs256, keyID: $0 == 5 ? nil : "key \($0)") }
    let verifier = try TokenVerifier(
      keys: JWKSet(keys), policy: TokenPolicy(issuer: "i", audience: .absent, algorithms: [.hs256]))
    let tokens = try keys.map { key in
      try TokenSigner(key: key).issue(TokenClaims(issuer: "i"), at: Self.now)
    }
    for _ in 0..<3 {
      for (key, token) in zip(keys, tokens) {
        let verified = try verifier.verify(token, at: Self.now)
        #expect(verified.keyID == key.keyID && verified.header.keyID == key.keyID)
        #expect(verified.algorithm == .hs256)
      }
      // The header of one key with a signature of another.
      for (index, token) in tokens.enumerated().dropLast() {
        let other = tokens[(index + 1) % 5]
        let forged = token.prefix { $0 != "." } + other.drop { $0 != "." }
        #expect(throws: JOSEError.signatureInvalid) { try verifier.verify(String(forged), at: Self.now) }
      }
    }
  }

  /// A policy's own checks see the header of each token.
  @Test func checksSeeTheHeader() throws {
    let key = try JWK.generate(.hs256, keyID: "one")
    var policy = TokenPolicy(issuer: "i", audience: .absent, algorithms: [.hs256])
    policy.checks = [
      TokenCheck("key's name", expected: "one") { _, header, _ in header.keyID == "one" ? nil : "another" }
    ]
    let verifier = try TokenVerifier(keys: JWKSet([key]), policy: policy)
    let token = try TokenSigner(key: key).issue(TokenClaims(issuer: "i"), at: Self.now)
    for _ in 0..<3 { #expect(try verifier.verify(token, at: Self.now).keyID == "one") }
  }

  /// Tasks that verify the same new headers at once.
  @Test func manyTasks() async throws {
    let keys = try (0..<6).map { try JWK.generate(.hs256, keyID: "key \($0)") }
    let tokens = try keys.map { key in
      try TokenSigner(key: key).issue(TokenClaims(issuer: "i"), at: Self.now)
    }
    for _ in 0..<50 {
      let verifier = try TokenVerifier(
        keys: JWKSet(keys), policy: TokenPolicy(issuer: "i", audience: .absent, algorithms: [.hs256]))
      try await withThrowingTaskGroup(of: Void.self) { group in
        for task in 0..<4 {
          group.addTask {
            for number in 0..<24 {
              let index = (number + task) % tokens.count
              let token = try verifier.verify(tokens[index], at: Self.now)
              #expect(token.keyID == keys[index].keyID)
            }
          }
        }
        try await group.waitForAll()
      }
    }
  }
}
