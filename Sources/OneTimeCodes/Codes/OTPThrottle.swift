/// How often a code was wrong, and how long none is looked at: a value that the caller stores with the user (RFC 4226
/// section 7.3).
///
/// A code of six digits with a window of three steps is guessed once in 333,333 attempts: with five attempts and then one in
/// an hour that is 38 years. For a device whose clock is known to be three or more steps off the window has six steps,
/// which makes it 19 years.
public struct OTPThrottle: Sendable, Hashable {
  /// How many are allowed, and how long to wait then.
  public struct Policy: Sendable, Hashable {
    /// Wrong codes before the first wait.
    public var attempts: Int
    /// The first wait in seconds; each wrong code after it doubles it.
    public var firstWait: Int64
    /// The longest wait in seconds.
    public var longestWait: Int64
    /// How far the clocks of a service's machines may differ, in seconds. A failure that lies further in the future was
    /// counted by a clock that has gone back since: nobody waits for it. A wait never lasts longer than `longestWait` and
    /// this together.
    public var clockDifference: Int64

    /// By default five attempts, then 30 seconds, up to an hour, with clocks that differ by at most five seconds.
    public init(
      attempts: Int = 5, firstWait: Int64 = 30, longestWait: Int64 = 3_600, clockDifference: Int64 = 5
    ) {
      self.attempts = max(1, attempts)
      self.firstWait = max(1, firstWait)
      self.longestWait = max(self.firstWait, longestWait)
      self.clockDifference = min(max(0, clockDifference), 300)
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
    // Overflow means an instant from another age, before or after this one.
    let (elapsed, overflow) = now.subtractingReportingOverflow(lastFailure)
    guard !overflow, elapsed >= -policy.clockDifference, elapsed < wait else { return }
    let (remaining, isTooLong) = wait.subtractingReportingOverflow(elapsed)
    throw .throttled(remaining: isTooLong ? .max : remaining)
  }

  /// Counts a wrong code.
  public mutating func fail(at now: Int64) {
    failures = failures == .max ? .max : failures + 1
    lastFailure = now
  }

  /// Forgets all wrong codes.
  public mutating func succeed() { self = OTPThrottle() }
}
