internal import TokenLifetime

/// How many push messages cause a synchronisation: a number at once, and one more after each interval.
struct PushSyncThrottle: Sendable {
  private let capacity: Int64
  /// In whole seconds.
  private let interval: Int64
  private var rest: Int64
  private var counted: Timestamp

  init(capacity: Int, interval: Duration, at now: Timestamp) {
    self.capacity = Int64(max(1, capacity))
    self.interval = max(1, interval.wholeSeconds)
    rest = self.capacity
    counted = now
  }

  /// Counts a message. False where it is to be ignored.
  mutating func admits(at now: Timestamp) -> Bool {
    // A clock that was set back would give nothing for as long as it was ahead.
    if now < counted { counted = now }
    let intervals = (now - counted).wholeSeconds / interval
    rest = min(capacity, rest.saturatingSum(intervals))
    counted = counted + .seconds(intervals.saturatingProduct(interval))
    guard rest > 0 else { return false }
    rest -= 1
    return true
  }
}
