/// How often a code was wrong, and how long none is looked at: a value that the caller stores with the user (RFC 4226
/// section 7.3).
///
/// A code of six digits with a window of three steps is guessed once in 333,333 attempts: with five attempts and then one in
/// an hour that is 38 years.
public struct OTPThrottle: Sendable, Hashable {
  /// How many are allowed, and how long to wait then.
  public struct Policy: Sendable, Hashable {
    /// Wrong codes before the first wait.
    public var attempts: Int
    /// The first wait in seconds; each wrong code after it doubles it.
    public var firstWait: Int64
    /// The longest wait in seconds.
    public var longestWait: Int64

    /// Five attempts, then 30 seconds, up to an hour, unless said otherwise.
    public init(attempts: Int = 5, firstWait: Int64 = 30, longestWait: Int64 = 3_600) {
      self.attempts = max(1, attempts)
      self.firstWait = max(1, firstWait)
      self.longestWait = max(self.firstWait, longestWait)
    }
  }

  /// Wrong codes since the last right one.
  public private(set) var failures: Int
  /// When the last of them came, in seconds since 1970.
  public private(set) var lastFailure: Int64

  /// No wrong code, or what was stored.
  public init(failures: Int = 0, lastFailure: Int64 = 0) {
    self.failures = max(0, failures)
    self.lastFailure = lastFailure
  }

  /// How long none is looked at after the last failure, in seconds.
  public func wait(_ policy: Policy = Policy()) -> Int64 {
    let extra = failures - policy.attempts
    guard extra >= 0 else { return 0 }
    guard extra < 62 else { return policy.longestWait }
    let (wait, overflow) = policy.firstWait.multipliedReportingOverflow(by: 1 << Int64(extra))
    return overflow ? policy.longestWait : min(wait, policy.longestWait)
  }

  /// Refuses to look at a code while none is to be looked at. To be asked before one is verified.
  ///
  /// Throws `throttled`.
  public func check(at now: Int64, policy: Policy = Policy()) throws(OTPError) {
    let wait = wait(policy)
    guard wait > 0 else { return }
    let (elapsed, overflow) = now.subtractingReportingOverflow(lastFailure)
    guard !overflow else {
      if now > lastFailure { return }
      throw .throttled(remaining: wait)
    }
    // A clock that went back must not make anybody wait for longer than the rule says.
    guard elapsed >= wait else { throw .throttled(remaining: min(wait - max(elapsed, 0), wait)) }
  }

  /// Counts a wrong code.
  public mutating func fail(at now: Int64) {
    failures = failures == .max ? .max : failures + 1
    lastFailure = now
  }

  /// Forgets all wrong codes.
  public mutating func succeed() { self = OTPThrottle() }
}
