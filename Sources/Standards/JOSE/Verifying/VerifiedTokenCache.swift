internal import Synchronization
internal import TokenSecurityBase

/// Remembers verified tokens, so that a token seen again costs neither its parsing nor its signature.
///
///     let cache = VerifiedTokenCache()
///     let verifier = try TokenVerifier(keys: JWKSet(json: text), policy: policy, cache: cache)
///
/// A verifier with a cache has the same verdicts as one without. A token is stored only after it was
/// verified, and found only by the same text, the same verifier and the same key set. Everything else is
/// checked again at each use by the same code: the dates, the other claims and all checks of the policy,
/// also those with effects.
///
/// Several verifiers can share a cache; none finds the tokens of another. No verification waits for another
/// thread: a token whose part of the cache is in use is verified as without a cache.
public final class VerifiedTokenCache: Sendable {
  /// The maximum number of tokens.
  public let capacity: Int
  /// The maximum memory of the tokens in bytes, approximately. A token of 1 KB takes about 3.5 KB.
  public let byteLimit: Int

  private let shards: TokenShards
  private let sections = Atomic<UInt64>(0)
  private let removals = Atomic<Int>(0)
  /// Look-ups that found another text with the same hash.
  private let mismatches = Atomic<Int>(0)
  private let seed: (UInt64, UInt64)

  /// An empty cache.
  ///
  /// Tokens are distributed over up to 64 shards, each with its part of the limits, so some shards are full
  /// before the cache is. Set the capacity a third above the number of tokens that are in use at a time.
  ///
  /// - Parameters:
  ///   - capacity: the maximum number of tokens, at least one.
  ///   - byteLimit: the maximum memory of the tokens in bytes. Default: 64 MiB. A token that is larger than
  ///     its shard's part is not stored.
  public init(capacity: Int = 10_000, byteLimit: Int = 64 << 20) {
    self.capacity = max(1, capacity)
    self.byteLimit = max(0, byteLimit)
    shards = TokenShards(capacity: self.capacity, byteLimit: self.byteLimit)
    seed = (.random(in: .min ... .max), .random(in: .min ... .max))
  }

  /// Removes tokens from the cache, for example those of a user who signed out.
  ///
  /// After the call the cache has no token for which `isRemoved` is true and whose verification began before
  /// the call, also none that another thread was about to store. One whose verification began later may be
  /// stored.
  ///
  /// This frees memory and does not revoke the tokens: they are verified again when they come back. To
  /// refuse them, add a ``TokenCheck`` to the policy; it runs at each use of a token.
  ///
  /// - Parameter isRemoved: true for a token to remove. The calling thread uses no shard meanwhile, so the
  ///   closure may verify tokens itself.
  public func remove(where isRemoved: (VerifiedToken) -> Bool) {
    // Releasing: what the caller wrote before, such as a list of revoked tokens, is visible to checks of the
    // policy that run after a verification has read this number.
    removals.wrappingAdd(1, ordering: .releasing)
    for index in 0..<shards.count {
      let removed = shards.wait(for: index) { $0.tokens }.filter { isRemoved($0.token) }
      guard !removed.isEmpty else { continue }
      shards.wait(for: index) { table in
        for token in removed { table.remove(token.hash) }
      }
    }
  }

  /// The contents of a cache, and counts of its events since it was made.
  public struct Statistics: Sendable, Hashable {
    /// The tokens in the cache. A token that threads often use at the same time is counted several times.
    public var tokens = 0
    /// Their memory in bytes, approximately.
    public var bytes = 0
    /// Look-ups that found a token.
    public var hits = 0
    /// Tokens stored after their verification.
    public var insertions = 0
    /// Tokens removed because the cache was full.
    public var evictions = 0
  }

  /// The counts. Takes time proportional to the number of shards.
  public var statistics: Statistics {
    var sum = Statistics()
    sum.hits = -mismatches.load(ordering: .relaxed)
    for index in 0..<shards.count {
      let part = shards.wait(for: index) { $0.statistics }
      sum.tokens += part.tokens
      sum.bytes += part.bytes
      sum.hits += part.hits
      sum.insertions += part.insertions
      sum.evictions += part.evictions
    }
    return sum
  }

  /// A number for a verifier that no other verifier of this cache has.
  fileprivate func makeSection() -> UInt64 { sections.wrappingAdd(1, ordering: .relaxed).newValue }

  /// A hash that senders of tokens cannot predict. It covers the last 64 bytes, most or all of which are
  /// signature: verified tokens differ there. The whole text is compared after that.
  fileprivate func hash(_ compact: String, _ section: UInt64) -> UInt64 {
    let bytes = compact.utf8.span
    var hasher = Hasher()
    hasher.combine(seed.0)
    hasher.combine(seed.1)
    hasher.combine(section)
    hasher.combine(bytes.count)
    unsafe bytes.extracting(last: 64).withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    return UInt64(bitPattern: Int64(hasher.finalize()))
  }

  fileprivate func find(_ compact: String, _ section: UInt64) -> CachedToken? {
    let hash = hash(compact, section)
    let indices = shards.indices(hash)
    if let found = find(compact, section, hash, in: indices.own) { return found }
    return indices.own == indices.home ? nil : find(compact, section, hash, in: indices.home)
  }

  @inline(__always)
  private func find(_ compact: String, _ section: UInt64, _ hash: UInt64, in shard: Int) -> CachedToken? {
    guard let found = shards.use(shard, { $0.find(hash) }), let found else { return nil }
    // Compared here and not in the shard, so that the shard is in use for a shorter time.
    guard found.matches(compact, section) else {
      mismatches.wrappingAdd(1, ordering: .relaxed)
      return nil
    }
    return found
  }

  /// Stores what `verify` makes, unless tokens were removed meanwhile.
  ///
  /// If another thread has stored the token meanwhile, or this one missed it because its table was in use,
  /// several threads use it at the same time. It is then stored a second time, where this thread looks first.
  fileprivate func store<E: Error>(
    _ section: UInt64, issuer: Int, keys: PreparedKeys, _ verify: () throws(E) -> VerifiedToken
  ) throws(E) -> VerifiedToken {
    // Acquiring: the policy's checks read after this.
    let removals = removals.load(ordering: .acquiring)
    let token = try verify()
    let hash = hash(token.compact, section)
    let stored = CachedToken(token, hash: hash, section: section, issuer: issuer, keys: keys)
    let now = token.verifiedAt.seconds
    let indices = shards.indices(hash)
    /// Inserts the token, unless tokens were removed since the verification began. If this does not see a
    /// removal, that removal uses the table later and finds the token there.
    func insert(_ table: inout TokenTable, _ isWanted: Bool) {
      guard isWanted, self.removals.load(ordering: .relaxed) == removals else { return }
      table.insert(stored, at: now)
    }
    if indices.own != indices.home { _ = shards.use(indices.own) { $0.remove(hash) } }
    var isShared = true
    _ = shards.use(indices.home) { table in
      isShared = table.has(stored)
      insert(&table, !isShared)
    }
    if isShared, indices.own != indices.home { _ = shards.use(indices.own) { insert(&$0, true) } }
    return token
  }
}

/// One verifier's tokens in a cache.
package struct TokenCacheSection: Sendable {
  private let cache: VerifiedTokenCache
  private let number: UInt64

  /// A section of `cache`, empty.
  package init(_ cache: VerifiedTokenCache) {
    self.cache = cache
    number = cache.makeSection()
  }

  /// The token with this text; nil if it is not stored or its table is in use.
  package func find(_ compact: String) -> CachedToken? { cache.find(compact, number) }

  /// Calls `verify`, which verifies a token by `keys` and the policy of the issuer with this index, and
  /// stores the token.
  package func store<E: Error>(
    issuer: Int = 0, keys: PreparedKeys, _ verify: () throws(E) -> VerifiedToken
  ) throws(E) -> VerifiedToken {
    try cache.store(number, issuer: issuer, keys: keys, verify)
  }
}
