/// A user's wrong passwords, and how long to refuse the next one: after the fifth failure for one second,
/// doubled by each further failure up to 15 minutes. After 15 minutes without a failure all are forgotten. A
/// value that the caller stores with the user.
public struct CognitoLockout: Sendable, Hashable {
  private var throttle: AttemptThrottle

  /// Failures since the last success, or since the last quiet time before one of them.
  public var failures: Int { throttle.failures }
  /// When the last failure was counted.
  public var lastFailure: Timestamp { throttle.lastFailure }

  /// The longest wait.
  public static let longest = Duration.seconds(900)

  /// The time without a failure after which the earlier ones no longer count. A password that is refused by
  /// ``check(at:)`` is not a failure.
  public static let quietTime = Duration.seconds(900)

  /// How far the clocks of a service's machines may differ, with the time that a call may have waited since its clock was
  /// read. A failure further in the future was counted by a clock that was set back since, and is ignored: no lock lasts
  /// longer than ``longest`` plus this.
  public static let clockDifference = Duration.clockDifference

  /// Creates a lockout.
  ///
  /// - Parameters:
  ///   - failures: the stored number of failures. Default: none.
  ///   - lastFailure: the stored time of the last failure.
  public init(failures: Int = 0, lastFailure: Timestamp = Timestamp(since1970: .zero)) {
    throttle = AttemptThrottle(failures: failures, lastFailure: lastFailure)
  }

  /// Refuses every password while the user is locked out. Call it before a challenge is verified.
  ///
  /// - Parameter now: the current time.
  /// - Throws: `lockedOut`.
  public func check(at now: Timestamp = .now) throws(SRPError) {
    let wait = throttle.wait(attempts: 5, first: .seconds(1), longest: Self.longest)
    if let remaining = throttle.remaining(of: wait, clockDifference: Self.clockDifference, at: now) {
      throw .lockedOut(remaining: remaining)
    }
  }

  /// Counts a wrong password: as the first one after ``quietTime``. The wait begins no earlier than that of a failure
  /// which a machine whose clock is ahead by at most ``clockDifference`` has counted.
  ///
  /// - Parameter now: the current time.
  public mutating func fail(at now: Timestamp = .now) {
    throttle.fail(
      at: Self.time(ofFailureAt: now, after: lastFailure), forgettingAfter: Self.quietTime)
  }

  /// The time to note for a failure: that of the last one where that is later by at most ``clockDifference``.
  package static func time(ofFailureAt now: Timestamp, after last: Timestamp) -> Timestamp {
    last > now && last <= now + clockDifference ? last : now
  }

  /// Forgets all failures.
  public mutating func succeed() { self = CognitoLockout() }
}
