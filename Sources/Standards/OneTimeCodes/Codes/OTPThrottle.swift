/// A user's wrong codes, and how long to refuse the next one (RFC 4226 section 7.3). A value that the caller
/// stores with the user.
///
/// A six-digit code with a window of three steps is guessed once in 333,333 attempts: with five attempts and
/// then one an hour, that takes 38 years. For a device whose clock is three or more steps off, the window has
/// six steps: 19 years.
public struct OTPThrottle: Sendable, Hashable {
  /// The number of free attempts, and the waits after them.
  public struct Policy: Sendable, Hashable {
    /// Wrong codes before the first wait.
    public var attempts: Int
    /// The first wait; each further wrong code doubles it. Waits are rounded up to whole seconds.
    public var firstWait: Duration
    /// The longest wait.
    public var longestWait: Duration
    /// How far the clocks of a service's machines may differ. A failure further in the future was counted by
    /// a clock that was set back since, and is ignored. No wait lasts longer than `longestWait` plus this.
    public var clockDifference: Duration

    /// Creates a policy. Values out of range are moved into it.
    ///
    /// - Parameters:
    ///   - attempts: wrong codes before the first wait, at least 1. Default: 5.
    ///   - firstWait: the first wait, at least one second. Default: 30 seconds.
    ///   - longestWait: the longest wait, at least the first. Default: one hour.
    ///   - clockDifference: how far clocks may differ, 0 to 300 seconds. Default: 5 seconds.
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

  private var throttle: AttemptThrottle

  /// Wrong codes since the last right one.
  public var failures: Int { throttle.failures }
  /// When the last wrong code was counted.
  public var lastFailure: Timestamp { throttle.lastFailure }

  /// Creates a throttle.
  ///
  /// - Parameters:
  ///   - failures: the stored number of wrong codes. Default: none.
  ///   - lastFailure: the stored time of the last wrong code.
  public init(failures: Int = 0, lastFailure: Timestamp = Timestamp(since1970: .zero)) {
    throttle = AttemptThrottle(failures: failures, lastFailure: lastFailure)
  }

  /// The wait after the last wrong code.
  ///
  /// - Parameter policy: the waits.
  /// - Returns: the wait in whole seconds; zero if the next code is accepted at once.
  public func wait(_ policy: Policy = Policy()) -> Duration {
    throttle.wait(attempts: policy.attempts, first: policy.firstWait, longest: policy.longestWait)
  }

  /// Refuses every code during a wait. Call it before a code is verified.
  ///
  /// - Parameters:
  ///   - now: the current time.
  ///   - policy: the waits.
  /// - Throws: `throttled`.
  public func check(at now: Timestamp = .now, policy: Policy = Policy()) throws(OTPError) {
    if let remaining = throttle.remaining(
      of: wait(policy), clockDifference: policy.clockDifference, at: now)
    {
      throw .throttled(remaining: remaining)
    }
  }

  /// Counts a wrong code.
  ///
  /// - Parameter now: the current time.
  public mutating func fail(at now: Timestamp = .now) { throttle.fail(at: now) }

  /// Forgets all wrong codes.
  public mutating func succeed() { self = OTPThrottle() }
}
