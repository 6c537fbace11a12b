internal import JOSE
internal import Synchronization
internal import Testing

/// Removal from a cache, also of tokens that are being verified, and the end of a cache.
@Suite struct TokenCacheRemovalTests {
  typealias Pair = VerifiedTokenCacheTests.Pair
  static let now = VerifiedTokenCacheTests.now

  @Test func removal() throws {
    let pair = try Pair(cache: VerifiedTokenCache(capacity: 5_000))
    let tokens = try (0..<300).map { try pair.numbered($0) }
    for token in tokens { #expect(throws: Never.self) { try pair.cached.verify(token, at: Self.now) } }
    #expect(pair.cache.statistics.tokens == 300)
    // The predicate may use the verifier.
    pair.cache.remove { token in
      (try? pair.cached.verify(token.compact, at: Self.now)) != nil
        && token.claims.tokenID?.utf8.last == UInt8(ascii: "7")
    }
    #expect(pair.cache.statistics.tokens == 270)
    // Removal is no revocation.
    for token in tokens { #expect(throws: Never.self) { try pair.cached.verify(token, at: Self.now) } }
    pair.cache.remove { _ in true }
    #expect(pair.cache.statistics.tokens == 0 && pair.cache.statistics.bytes == 0)
  }

  /// The policy's check runs during the verification, after the signature. A removal at that time includes
  /// the token.
  @Test func aTokenIsNotStoredAfterARemovalDuringItsVerification() throws {
    let cache = VerifiedTokenCache()
    let removes = Mutex(true)
    let pair = try Pair(cache: cache) { policy in
      policy.checks = [
        TokenCheck("removal", expected: "nothing") { _, _, _ in
          if removes.withLock({ $0 }) { cache.remove { _ in true } }
          return nil
        }
      ]
    }
    let token = try pair.numbered(1)
    for _ in 0..<3 { #expect(throws: Never.self) { try pair.cached.verify(token, at: Self.now) } }
    #expect(cache.statistics.tokens == 0 && cache.statistics.insertions == 0)
    removes.withLock { $0 = false }
    #expect(throws: Never.self) { try pair.cached.verify(token, at: Self.now) }
    #expect(cache.statistics.tokens == 1)
  }

  /// Tasks verify tokens while these are revoked and removed. Afterwards none is in the cache.
  @Test func revokedTokensDoNotComeBack() async throws {
    final class Revocations: Sendable { let isOn = Mutex(false) }
    let revocations = Revocations()
    let pair = try Pair { policy in
      policy.checks = [
        TokenCheck("revocation", expected: "not revoked") { _, _, _ in
          revocations.isOn.withLock { $0 } ? "revoked" : nil
        }
      ]
    }
    let tokens = try (0..<40).map { try pair.numbered($0) }
    for _ in 0..<25 {
      revocations.isOn.withLock { $0 = false }
      let accepted = await withTaskGroup(of: Int.self) { group in
        for task in 0..<8 {
          group.addTask {
            (0..<200).filter { (try? pair.cached.verify(tokens[($0 + task) % 40], at: Self.now)) != nil }
              .count
          }
        }
        group.addTask {
          await Task.yield()
          revocations.isOn.withLock { $0 = true }
          pair.cache.remove { _ in true }
          return tokens.filter { (try? pair.cached.verify($0, at: Self.now)) != nil }.count * 1_000_000
        }
        return await group.reduce(0, +)
      }
      #expect(accepted < 1_000_000, "a revoked token was accepted")
      #expect(pair.cache.statistics.tokens == 0 && pair.cache.statistics.bytes == 0)
    }
  }

  /// The tokens of a cache are freed with it, and removed tokens at once.
  @Test func tokensAreFreed() throws {
    let pair = try Pair()
    let keys = try PreparedKeys(JWKSet([pair.key]))
    weak var first: CachedToken?
    weak var second: CachedToken?
    do {
      let section = TokenCacheSection(VerifiedTokenCache())
      func store(_ number: Int) throws -> CachedToken? {
        let text = try pair.numbered(number)
        let token = try section.store(keys: keys) { () throws(JOSEError) in
          try pair.plain.verify(text, at: Self.now)
        }
        return section.find(token.compact)
      }
      first = try store(1)
      second = try store(2)
      #expect(first != nil && second != nil)
    }
    #expect(first == nil && second == nil)
  }
}
