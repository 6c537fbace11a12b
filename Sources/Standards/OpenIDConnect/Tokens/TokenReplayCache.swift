internal import TokenSecurityCrypto
public import JOSE
public import TokenLifetime
internal import Synchronization

/// Remembers names of tokens and proofs that may be used once, until they have expired. It serves one
/// process; several processes need a shared store.
///
/// A name is stored as its SHA-256, so every entry has the same size: about 200 bytes.
public final class TokenReplayCache: Sendable {
  /// The maximum number of names. When the cache is full of names that have not expired, it refuses new ones:
  /// a forgotten name could be used again.
  public let capacity: Int
  /// The longest time that a name is stored.
  public let longestLifetime: Duration

  private let names: Mutex<ExpiringSet>

  /// An empty cache.
  ///
  /// - Parameters:
  ///   - capacity: the maximum number of names, at least one. Default: 100,000.
  ///   - longestLifetime: the longest time that a name is stored. Names that expire later are refused, so it
  ///     must not be shorter than the longest lifetime of the tokens plus twice their leeway. Default: 25
  ///     hours.
  public init(capacity: Int = 100_000, longestLifetime: Duration = .seconds(90_000)) {
    self.capacity = max(1, capacity)
    self.longestLifetime = longestLifetime
    names = Mutex(ExpiringSet(capacity: capacity, limit: longestLifetime))
  }

  /// Adds a name.
  ///
  /// - Parameters:
  ///   - name: the name, including its scope, for example the issuer.
  ///   - end: the last instant at which the token could be accepted.
  ///   - now: the current time.
  /// - Returns: true if the name was added; false if it is in the cache, the cache is full, or `end` is too
  ///   far away.
  public func insert(_ name: String, until end: NumericDate, at now: NumericDate = .now) -> Bool {
    guard end <= now.advanced(bySeconds: longestLifetime.wholeSeconds),
      let digest = try? DigestAlgorithm.sha256(of: name.utf8.span)
    else { return false }
    return names.withLock { $0.insert(DigestKey(digest), until: end, at: now) }
  }
}
