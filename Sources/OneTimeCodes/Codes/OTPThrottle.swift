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
    /// The first wait; each wrong code after it doubles it. Waits are rounded up to whole seconds.
    public var firstWait: Duration
    /// The longest wait.
    public var longestWait: Duration
    /// How far the clocks of a service's machines may differ. A failure that is further in the future was counted by a
    /// clock that was set back since, and is ignored. A wait never lasts longer than `longestWait` and this together.
    public var clockDifference: Duration

    /// By default five attempts, then 30 seconds, up to an hour, with clocks that differ by at most five seconds.
    public init(
      attempts: Int = 5, firstWait: Duration = .seconds(30), longestWait: Duration = .seconds(3_600),
      clockDifference: Duration = .seconds(5)
    ) {
      self.attempts = max(1, attempts)
      self.firstWait = max(.seconds(1), firstWait)
      self.longestWait = max(self.firstWait, longestWait)
      self.clockDifference = min(max(.zero, clockDifference), .seconds(300))
    }
  }

  /// Wrong codes since the last right one.
  public private(set) var failures: Int
  /// When the last of them came.
  public private(set) var lastFailure: Timestamp

  /// No wrong code, or what was stored.
  public init(failures: Int = 0, lastFailure: Timestamp = Timestamp(since1970: .zero)) {
    self.failures = max(0, failures)
    self.lastFailure = lastFailure
  }

  /// How long no code is accepted after the last failure.
  public func wait(_ policy: Policy = Policy()) -> Duration {
    let extra = failures - policy.attempts
    guard extra >= 0 else { return .zero }
    let longest = policy.longestWait.secondsRoundedUp
    guard extra < 62 else { return .seconds(longest) }
    return .seconds(
      min(policy.firstWait.secondsRoundedUp.saturatingProduct(1 << Int64(extra)), longest))
  }

  /// Refuses every code during a wait. Call it before one is verified.
  ///
  /// - Throws: `throttled`.
  public func check(at now: Timestamp = .now, policy: Policy = Policy()) throws(OTPError) {
    let wait = wait(policy)
    let elapsed = now - lastFailure
    guard lastFailure <= now + policy.clockDifference, elapsed < wait else { return }
    throw .throttled(remaining: wait - elapsed)
  }

  /// Counts a wrong code.
  public mutating func fail(at now: Timestamp = .now) {
    failures = failures == .max ? .max : failures + 1
    lastFailure = now
  }

  /// Forgets all wrong codes.
  public mutating func succeed() { self = OTPThrottle() }
}
