internal import TokenSecurityEncodings
internal import Synchronization

/// Limits how many requests a caller may make: one token bucket per caller, which refills evenly and holds two seconds'
/// worth.
///
/// The table has two generations. A bucket that was not used for two seconds is full again and needs no entry, so old
/// generations are dropped whole: no request ever searches the table.
final class RateLimiter: Sendable {
  /// What is counted separately.
  enum Caller: Hashable, Sendable {
    /// Calls of an address, until their signature was verified.
    case address(ClientAddress)
    /// Documents, metrics and unknown paths that an address asks for.
    case documents(ClientAddress)
    /// Health checks of an address. They are apart, so that a proxy's checks succeed while its clients are refused.
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
  /// The most callers in one generation. More new callers are refused until the next one.
  private static let capacity = 50_000
  /// Seconds that an empty bucket takes to be full, and that a generation lasts.
  private static let refill = 2.0

  /// A limiter of `rate` requests a second; 0 for no limit.
  init(rate: Int) { self.rate = Double(rate) }

  /// True where one more request of `caller` is within the limit.
  func admits(_ caller: Caller) -> Bool { admits(caller, at: (ContinuousClock.now - epoch) / .seconds(1)) }

  /// Returns what ``admits(_:)`` has taken.
  func giveBack(_ caller: Caller) {
    guard rate > 0 else { return }
    state.withLock { state in
      if let left = state.current[caller]?.left {
        state.current[caller]?.left = min(rate * Self.refill, left + 1)
      }
    }
  }

  /// The same at a time in seconds that never goes back.
  func admits(_ caller: Caller, at now: Double) -> Bool {
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
      let isAdmitted = bucket.left >= 1
      if isAdmitted { bucket.left -= 1 }
      state.current[caller] = bucket
      return isAdmitted
    }
  }
}
