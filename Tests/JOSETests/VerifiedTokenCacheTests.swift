internal import JOSE
internal import SigningKeyTesting
internal import Synchronization
internal import Testing
internal import TokenSecurityVectorFiles

/// A cache changes no verdict, and stays within its bounds.
@Suite struct VerifiedTokenCacheTests {
  static let now = NumericDate(seconds: 1_767_225_600)

  static func verdict(
    _ verifier: TokenVerifier, _ token: String, at now: NumericDate
  ) -> Result<VerifiedToken, JOSEError> {
    Result { () throws(JOSEError) in try verifier.verify(token, at: now) }
  }

  /// A verifier with a cache, one without, and a signer of tokens for both.
  struct Pair {
    let cache: VerifiedTokenCache
    let cached: TokenVerifier
    let plain: TokenVerifier
    let key: JWK

    init(
      _ algorithm: Algorithm = .hs256, cache: VerifiedTokenCache = VerifiedTokenCache(),
      _ change: (inout TokenPolicy) -> Void = { _ in }
    ) throws {
      var policy = TokenPolicy(issuer: "i", audience: "a")
      change(&policy)
      key = try VectorKeys.key(for: algorithm)
      self.cache = cache
      cached = try TokenVerifier(keys: JWKSet([key]), policy: policy, cache: cache)
      plain = try TokenVerifier(keys: JWKSet([key]), policy: policy)
    }

    func token(_ claims: JSONObject = [:]) throws -> String {
      var all: JSONObject = ["iss": "i", "aud": "a"]
      for member in claims.members { all[member.name] = member.value }
      return try JWSSigner(key: key).sign(Array(JSONValue.object(all).description.utf8))
    }

    func numbered(_ number: Int) throws -> String {
      try token([
        "exp": .number(JSONNumber(now.seconds + 900)), "jti": .string("\(number)"),
      ])
    }
  }

  /// All vectors, damaged forms of their tokens and other texts, three times in random order, with one small
  /// cache for all.
  @Test(arguments: [1, 2, 3, 4] as [UInt64]) func sameVerdictsInAnyOrder(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let cache = VerifiedTokenCache(capacity: 200, byteLimit: 1 << 20)
    var calls: [(token: String, now: NumericDate, cached: TokenVerifier, plain: TokenVerifier)] = []
    for vector in try TokenVectorTests.file.get().cases {
      let (token, plain, now) = try TokenVectorTests.prepare(vector)
      let cached = try TokenVectorTests.prepare(vector, cache: cache).1
      let offsets: [Int64] = [0, -1, 1, -3_600, 3_600, .random(in: -90_000...90_000, using: &generator)]
      for offset in offsets { calls.append((token, now.advanced(bySeconds: offset), cached, plain)) }
      for _ in 0..<4 { calls.append((Self.damaged(token, &generator), now, cached, plain)) }
      for text in Self.variants(of: token) { calls.append((text, now, cached, plain)) }
    }
    for _ in 0..<3 {
      calls.shuffle(using: &generator)
      for call in calls {
        #expect(
          Self.verdict(call.cached, call.token, at: call.now)
            == Self.verdict(call.plain, call.token, at: call.now))
      }
    }
    #expect(cache.statistics.hits > 0)
    #expect(cache.statistics.tokens <= 200 && cache.statistics.bytes <= 1 << 20)
  }

  /// Texts that are almost `token`: other bytes at its end, other characters, more text.
  static func variants(of token: String) -> [String] {
    let last = token.utf8.last.map { UInt8(ascii: "A") == $0 ? "B" : "A" } ?? ""
    return [
      token + "\n", token + "\0", token + "=", token + ".", " " + token, token + "\u{301}", token + "A",
      "\u{FEFF}" + token, String(token.dropLast()) + last, String(token.dropLast()), token + token,
      token.replacing(".", with: "\u{2024}"), token + String(repeating: "A", count: 40_000),
    ]
  }

  static func damaged(_ token: String, _ generator: inout SeededGenerator) -> String {
    var bytes = Array(token.utf8)
    guard let place = bytes.indices.randomElement(using: &generator) else { return "." }
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: bytes[place] = .random(in: 0x21...0x7E, using: &generator)
    case 1: bytes.remove(at: place)
    case 2: bytes.insert(UInt8(ascii: "A"), at: place)
    default: bytes.removeLast(bytes.count - place)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Every limit of time, just before it, at it and after it, of a token that is in the cache.
  @Test(arguments: [nil, 0, 5, 300] as [Int64?])
  func timeIsCheckedAtEachUse(leeway: Int64?) throws {
    let pair = try Pair { policy in
      policy.leeway = leeway.map { .seconds($0) }
      policy.maximumLifetime = .seconds(5_000)
      policy.maximumAge = .seconds(700)
      policy.maximumAuthenticationAge = .seconds(800)
    }
    let start = Self.now.seconds
    func claims(_ names: String...) -> JSONObject {
      let all: [(String, Int64)] = [("exp", 900), ("nbf", 100), ("iat", 50), ("auth_time", 20)]
      var object = JSONObject()
      for (name, offset) in all where names.isEmpty || names.contains(name) {
        object[name] = .number(JSONNumber(start + offset))
      }
      return object
    }
    // Ages need `iat` and `auth_time`.
    let token = try pair.token(claims())
    #expect((try? pair.cached.verify(token, at: Self.now.advanced(bySeconds: 400))) != nil)
    let stored = pair.cache.statistics
    #expect(stored.insertions == 1)
    var outcomes: Set<JOSEError.Code?> = []
    let edges: [Int64] = [20, 50, 100, 750, 820, 900]
    for edge in edges {
      for shift in [-310, -301, -300, -299, -11, -10, -9, -6, -5, -4, -1, 0, 1, 4, 5, 6, 299, 300, 301] {
        let now = Self.now.advanced(bySeconds: edge + Int64(shift))
        let result = Self.verdict(pair.cached, token, at: now)
        #expect(result == Self.verdict(pair.plain, token, at: now))
        if case .failure(let error) = result { outcomes.insert(error.code) } else { outcomes.insert(nil) }
      }
    }
    #expect(outcomes.isSuperset(of: [nil, .expired, .notYetValid]))
    // All of these were hits: the token was stored once.
    #expect(pair.cache.statistics.insertions == 1)
    #expect(pair.cache.statistics.hits == edges.count * 19)
  }

  @Test func lifetimeWithoutIssueIsCheckedAtEachUse() throws {
    let pair = try Pair { $0.maximumLifetime = .seconds(1_000) }
    let token = try pair.token(["exp": .number(JSONNumber(Self.now.seconds + 1_000))])
    #expect(throws: Never.self) { try pair.cached.verify(token, at: Self.now) }
    let before = Self.now.advanced(bySeconds: -1)
    #expect(Self.verdict(pair.cached, token, at: before) == Self.verdict(pair.plain, token, at: before))
    #expect(throws: JOSEError.self) { try pair.cached.verify(token, at: before) }
    #expect(pair.cache.statistics.hits == 2)
  }

  @Test func aHitHasTheTimeOfItsOwnVerification() throws {
    let pair = try Pair(.rs256)
    let token = try pair.numbered(1)
    let later = Self.now.advanced(bySeconds: 10)
    #expect(try pair.cached.verify(token, at: Self.now).verifiedAt == Self.now)
    let again = try pair.cached.verify(token, at: later)
    #expect(again.verifiedAt == later)
    #expect(again == (try pair.plain.verify(token, at: later)))
    #expect(again.compact == token && again.keyID == pair.key.keyID && again.algorithm == .rs256)
  }

  /// Checks run at each use, also those with effects.
  @Test func checksRunAtEachUse() throws {
    final class Calls: Sendable { let revoked = Mutex(false), uses = Mutex(0) }
    let calls = Calls()
    let pair = try Pair { policy in
      policy.checks = [
        TokenCheck("revocation", expected: "not revoked") { _, _, _ in
          calls.revoked.withLock { $0 } ? "revoked" : nil
        },
        TokenCheck("replay", expected: "at most three uses", hasEffects: true) { _, _, _ in
          calls.uses.withLock { uses in
            uses += 1
            return uses > 3 ? "used before" : nil
          }
        },
      ]
    }
    let token = try pair.numbered(1)
    for _ in 0..<2 { #expect(throws: Never.self) { try pair.cached.verify(token, at: Self.now) } }
    calls.revoked.withLock { $0 = true }
    #expect(throws: JOSEError.checkFailed(name: "revocation", message: "revoked")) {
      try pair.cached.verify(token, at: Self.now)
    }
    #expect(calls.uses.withLock { $0 } == 2)
    calls.revoked.withLock { $0 = false }
    #expect(throws: Never.self) { try pair.cached.verify(token, at: Self.now) }
    #expect(throws: JOSEError.checkFailed(name: "replay", message: "used before")) {
      try pair.cached.verify(token, at: Self.now)
    }
    #expect(pair.cache.statistics.insertions == 1)
  }
}
