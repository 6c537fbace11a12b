internal import TokenSecurityCrypto
public import JOSE
public import TokenLifetime
internal import Synchronization

/// The names of tokens and proofs that count once, kept until these have expired. It serves one process; several
/// processes need a store that they share.
///
/// A name is kept as its SHA-256, so that an entry has the same size whatever the name's length: about 150 bytes.
public final class ReplayMemory: Sendable {
  /// The most names that are kept. When it is full of names that have not expired, nothing new is accepted: forgetting
  /// a name would let its token be used again.
  public let capacity: Int
  /// The longest time that a name is kept.
  public let longestLife: Duration

  private let state = Mutex(State())

  /// An empty memory.
  ///
  /// - Parameters:
  ///   - capacity: the most names that are kept. Default: 100,000.
  ///   - longestLife: the longest time that a name is kept. It must not be shorter than the longest life of
  ///     the tokens and twice their leeway. Names that would have to be kept longer are refused. Default: 25 hours.
  public init(capacity: Int = 100_000, longestLife: Duration = .seconds(90_000)) {
    self.capacity = capacity
    self.longestLife = longestLife
  }

  /// Keeps `name` until `end`.
  ///
  /// - Parameters:
  ///   - name: the name. Its scope, for example the issuer, must be part of it.
  ///   - end: the last instant at which the token could be accepted.
  ///   - now: the present.
  /// - Returns: false where the name is already there, where there is no room, or where `end` is too far away.
  public func admit(_ name: String, until end: NumericDate, at now: NumericDate = .now) -> Bool {
    guard let digest = try? DigestAlgorithm.sha256.hash(name.utf8.span), let key = Key(digest) else {
      return false
    }
    guard end <= now.advanced(bySeconds: longestLife.wholeSeconds) else { return false }
    // Callers read the clock before they take the lock: a minute covers what that brings out of order.
    let horizon = now.advanced(bySeconds: longestLife.wholeSeconds.saturatingSum(60))
    return state.withLock { $0.admit(key, until: end, at: now, horizon: horizon, capacity: capacity) }
  }

  /// A SHA-256 digest, of fixed size.
  private struct Key: Hashable {
    let first, second, third, fourth: UInt64

    init?(_ digest: [UInt8]) {
      guard digest.count == 32 else { return nil }
      func word(_ place: Int) -> UInt64 {
        digest[place * 8..<place * 8 + 8].reduce(0) { $0 << 8 | UInt64($1) }
      }
      (first, second, third, fourth) = (word(0), word(1), word(2), word(3))
    }
  }

  private struct State {
    var ends: [Key: NumericDate] = [:]
    var queue = ExpiryQueue<Key>()
    /// No entry ends after this instant.
    var latestEnd: NumericDate?

    /// The most expired entries that one call removes. More than one, so that the memory shrinks; bounded, so that no
    /// call pays for all of them.
    static let removals = 8

    mutating func admit(
      _ key: Key, until end: NumericDate, at now: NumericDate, horizon: NumericDate, capacity: Int
    ) -> Bool {
      if let known = ends[key], now <= known, known <= horizon { return false }
      for _ in 0..<Self.removals {
        guard let first = queue.first, first.end < now else { break }
        removeFirst()
      }
      if queue.count >= capacity, let latestEnd, horizon < latestEnd { removeFutures(horizon) }
      guard queue.count < capacity else { return false }
      ends[key] = end
      queue.insert(key, end)
      latestEnd = latestEnd.map { max($0, end) } ?? end
      return true
    }

    private mutating func removeFirst() {
      guard let first = queue.removeFirst() else { return }
      // A name that was accepted again has a second entry in the queue.
      if ends[first.key] == first.end { ends[first.key] = nil }
    }

    /// Removes names that a clock that was ahead has left: they end later than any name of the present does, so that no
    /// token that is valid now has one of them. This walks all entries, once for each time that the clock was set back.
    private mutating func removeFutures(_ horizon: NumericDate) {
      ends = ends.filter { $0.value <= horizon }
      queue = ExpiryQueue(ends.map { ($0.key, $0.value) })
      latestEnd = ends.values.max()
    }
  }
}
