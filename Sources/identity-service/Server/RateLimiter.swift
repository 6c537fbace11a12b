internal import Synchronization

/// How many calls a caller may make: a bucket for each, which fills at an even rate and holds two seconds' worth.
final class RateLimiter: Sendable {
  private let rate: Double
  private let buckets = Mutex<[String: Bucket]>([:])
  /// The most callers that are remembered; beyond them those are forgotten whose buckets are full again.
  private static let capacity = 100_000

  private struct Bucket {
    var left: Double
    var last: Double
  }

  /// A limiter of so many calls a second; 0 for none.
  init(rate: Int) { self.rate = Double(rate) }

  /// Whether one more call of `caller` is taken.
  func admits(_ caller: String, at now: Double) -> Bool {
    guard rate > 0 else { return true }
    return buckets.withLock { buckets in
      let most = rate * 2
      if buckets.count >= Self.capacity, buckets[caller] == nil {
        buckets = buckets.filter { $0.value.left + (now - $0.value.last) * rate < most }
        // All of them are at work: who is new waits.
        guard buckets.count < Self.capacity else { return false }
      }
      var bucket = buckets[caller] ?? Bucket(left: most, last: now)
      bucket.left = min(most, bucket.left + max(0, now - bucket.last) * rate)
      bucket.last = now
      defer { buckets[caller] = bucket }
      guard bucket.left >= 1 else { return false }
      bucket.left -= 1
      return true
    }
  }
}
