internal import HTTPExchange
internal import Synchronization
internal import TokenSecurityBase

/// A rate limit with a token bucket per caller, which has a capacity of two seconds.
///
/// The table has two generations. A bucket that was unused for two to four seconds is nearly or wholly full and needs no
/// entry, so an old generation is dropped as a whole.
final class RateLimiter: Sendable {
  /// The callers that are counted separately.
  enum Caller: Hashable, Sendable {
    /// Calls of an address without a verified signature.
    case address(ClientAddress)
    /// Requests of an address for documents, metrics and unknown paths.
    case documents(ClientAddress)
    /// Health checks of an address. A proxy's checks succeed while its clients are refused.
    case health(ClientAddress)
    /// Calls of a verified access key, or of an identity's credentials.
    case verified(ExactString)
  }

  private struct Bucket {
    var left: Double
    var last: Double
  }

  private struct State {
    var current: [Caller: Bucket] = [:]
    var previous: [Caller: Bucket] = [:]
    var started = 0.0
  }

  private let rate: Double
  private let epoch = ContinuousClock.now
  private let state = Mutex(State())
  /// Maximum number of callers in a generation. Further callers are refused until the next generation.
  private static let capacity = 50_000
  /// The seconds until an empty bucket is full, and of a generation.
  private static let refill = 2.0

  /// Makes a limiter of `rate` requests per second; 0: no limit.
  init(rate: Int) { self.rate = Double(rate) }

  /// Counts a request. Returns false where it exceeds the limit.
  func allows(_ caller: Caller) -> Bool { allows(caller, at: (ContinuousClock.now - epoch) / .seconds(1)) }

  /// Undoes the count of ``allows(_:)``.
  func refund(_ caller: Caller) {
    guard rate > 0 else { return }
    state.withLock { state in
      if let left = state.current[caller]?.left {
        state.current[caller]?.left = min(rate * Self.refill, left + 1)
      }
    }
  }

  /// Counts further calls for one that was allowed, beyond the limit too: then the caller waits longer, two seconds more
  /// at most.
  func charge(_ caller: Caller, calls: Int) {
    guard rate > 0 else { return }
    let least = -rate * Self.refill
    state.withLock { state in
      if let left = state.current[caller]?.left {
        state.current[caller]?.left = max(least, left - Double(calls))
      }
    }
  }

  /// Counts a request at a monotonic time in seconds.
  func allows(_ caller: Caller, at now: Double) -> Bool {
    guard rate > 0 else { return true }
    let most = rate * Self.refill
    return state.withLock { state in
      if now - state.started >= Self.refill {
        state.previous = now - state.started < 2 * Self.refill ? state.current : [:]
        state.current = [:]
        state.started = now
      }
      if state.current.count >= Self.capacity, state.current[caller] == nil { return false }
      var bucket = state.current[caller] ?? state.previous[caller] ?? Bucket(left: most, last: now)
      bucket.left = min(most, bucket.left + max(0, now - bucket.last) * rate)
      bucket.last = now
      let isAllowed = bucket.left >= 1
      if isAllowed { bucket.left -= 1 }
      state.current[caller] = bucket
      return isAllowed
    }
  }
}
