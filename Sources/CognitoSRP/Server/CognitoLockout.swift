public import SecureRemotePassword

/// How often a user's password was wrong, and how long none is looked at: from the fifth failure on for 2^(n-5) seconds,
/// up to 15 minutes. A value that the caller stores with the user.
public struct CognitoLockout: Sendable, Hashable {
  /// Failures since the last success.
  public private(set) var failures: Int
  /// When the last of them was, in seconds since 1970.
  public private(set) var lastFailure: Int64

  /// The longest wait in seconds.
  public static let longest: Int64 = 900

  /// How far the clocks of a service's machines may differ, in seconds. A failure that lies further in the future was
  /// counted by a clock that has gone back since, and locks nobody out: a lock never lasts longer than ``longest`` and
  /// this together.
  public static let clockDifference: Int64 = 5

  /// No failure, or what was stored.
  public init(failures: Int = 0, lastFailure: Int64 = 0) {
    self.failures = max(0, failures)
    self.lastFailure = lastFailure
  }

  /// Refuses to look at a password while the user is locked out. To be asked before a challenge is verified.
  ///
  /// Throws `lockedOut`.
  public func check(at now: Int64) throws(SRPError) {
    guard failures >= 5 else { return }
    let wait = failures - 5 >= 10 ? Self.longest : min(1 << Int64(failures - 5), Self.longest)
    // Overflow means an instant from another age, before or after this one.
    let (elapsed, overflow) = now.subtractingReportingOverflow(lastFailure)
    guard !overflow, elapsed >= -Self.clockDifference, elapsed < wait else { return }
    throw .lockedOut(remaining: wait - elapsed)
  }

  /// Counts a wrong password.
  public mutating func fail(at now: Int64) {
    failures = failures == .max ? .max : failures + 1
    lastFailure = now
  }

  /// Forgets all failures.
  public mutating func succeed() { self = CognitoLockout() }
}
