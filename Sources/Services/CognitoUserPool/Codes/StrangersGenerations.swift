internal import TokenLifetime

/// Counts of one kind of calls, in two generations of a bounded size. Other kinds do not push them out.
struct StrangersGenerations<Key: Sendable & Hashable>: Sendable {
  private struct Count: Sendable {
    var first: Timestamp
    var calls: UInt8 = 0
  }

  private var current: [Key: Count] = [:]
  private var previous: [Key: Count] = [:]

  /// Counts a call.
  ///
  /// - Parameters:
  ///   - key: whose call it is.
  ///   - capacity: the most counts of a generation. With the next one the older generation is forgotten.
  ///   - now: the time.
  /// - Returns: false beyond the limit. Such calls are not counted, but they keep the count in the newer generation: it is
  ///   not forgotten while it refuses.
  mutating func count(_ key: Key, _ capacity: Int, at now: Timestamp) -> Bool {
    var count = current[key] ?? previous[key] ?? Count(first: now)
    // A clock that was set back since does not make an hour much longer.
    if now - count.first >= LimitKind.window || count.first - now > .clockDifference {
      count = Count(first: now)
    }
    let isAllowed = count.calls < StrangersCounts.limit
    if isAllowed { count.calls += 1 }
    if current.count >= capacity, current[key] == nil {
      previous = current
      current = [:]
    }
    current[key] = count
    return isAllowed
  }

  /// Takes a call back.
  mutating func takeBack(_ key: Key) {
    guard var count = current[key] ?? previous[key], count.calls > 0 else { return }
    count.calls -= 1
    guard count.calls > 0 else {
      current[key] = nil
      previous[key] = nil
      return
    }
    if current[key] != nil { current[key] = count } else { previous[key] = count }
  }
}
