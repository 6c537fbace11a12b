/// Keys of which each is accepted once until it expires: the memory of a replay cache.
///
/// - An entry counts until its end, the whole last second included; instants are compared in whole seconds.
/// - The set never has more than ``capacity`` entries of about 200 bytes. When it is full of entries that
///   have not expired it refuses new keys, since a forgotten key would be accepted again.
/// - Each insertion removes at most two expired entries, so that it takes logarithmic time and the set still
///   shrinks.
/// - The clock may jump. After a jump ahead, entries that look expired are removed only when 1,024 insertions
///   have seen the later time, or when the set is full. After a jump back, entries that end too far ahead for
///   the current time are removed when the set is full: the one step that takes linear time, once for each
///   such jump.
///
/// A value without a lock: its owner keeps it in a `Mutex`.
package struct ExpiringSet: Sendable {
  /// Maximum number of entries, at least one.
  package let capacity: Int

  private var table = ExpiringTable<Void>()
  private var clock = LowestReading()
  /// No entry ends later.
  private var latestEnd = Int64.min
  /// The longest time, in seconds, from an insertion to its end.
  private var longestLife: Int64 = 0
  /// The longest time, in seconds, from the current time to the end of a key that counts; nil for twice
  /// ``longestLife``.
  private let limit: Int64?

  /// An empty set of at least one entry.
  ///
  /// - Parameters:
  ///   - capacity: the most entries.
  ///   - limit: the longest time from the first instant at which a key counts to its last, if the owner
  ///     knows it.
  package init(capacity: Int, limit: Duration? = nil) {
    self.capacity = max(1, capacity)
    self.limit = limit?.wholeSeconds
  }

  /// The number of entries.
  package var count: Int { table.count }

  /// Adds a key.
  ///
  /// - Parameters:
  ///   - key: the key. A key whose entry has expired is new.
  ///   - end: the last instant at which the key counts.
  ///   - now: the current time.
  /// - Returns: whether the key was added: false when it is in the set, or when the set is full.
  package mutating func insert(_ key: DigestKey, until end: Timestamp, at now: Timestamp) -> Bool {
    let (end, now) = (end.seconds, now.seconds)
    let lowest = clock.read(now)
    let life = max(longestLife, end - now)
    // Callers read the clock before they take the lock: a minute covers readings that arrive out of order.
    let horizon = now.saturatingSum(limit ?? 2 * life).saturatingSum(60)
    // An entry past the horizon is from a clock that was ahead, and not the same token or request.
    if let known = table[key], now <= known.end, known.end <= horizon { return false }
    // Readings are whole seconds, and `now` may be one second after the readings of other callers.
    table.removeExpired(at: count < capacity ? lowest.saturatingDifference(1) : now, limit: 2)
    if count >= capacity, latestEnd > horizon {
      table.removeAll(after: horizon)
      latestEnd = table.latestEnd ?? .min
    }
    guard count < capacity || table[key] != nil else { return false }
    table.insert(key, until: end, ())
    latestEnd = max(latestEnd, end)
    longestLife = life
    return true
  }
}

/// The lowest of the last 1,024 to 2,048 readings of a clock, which a clock that is ahead for a moment does
/// not move.
private struct LowestReading: Sendable {
  private var previous = Int64.min
  private var current = Int64.max
  private var count = 0

  /// Adds a reading and returns the lowest; the smallest number before the 1,024th reading.
  mutating func read(_ now: Int64) -> Int64 {
    current = min(current, now)
    count += 1
    let lowest = min(previous, current)
    if count == 1_024 {
      previous = current
      current = .max
      count = 0
    }
    return lowest
  }
}
