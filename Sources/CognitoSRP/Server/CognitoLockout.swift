public import SecureRemotePassword

/// How often a user's password was wrong, and how long none is looked at: from the fifth failure on for 2^(n-5) seconds,
/// up to 15 minutes. A value that the caller stores with the user.
public struct CognitoLockout: Sendable, Hashable {
  /// Failures since the last success.
  public private(set) var failures: Int
  /// When the last of them was.
  public private(set) var lastFailure: Timestamp

  /// The longest wait.
  public static let longest = Duration.seconds(900)

  /// How far the clocks of a service's machines may differ. A failure that is further in the future was counted by a clock
  /// that was set back since, and is ignored: a lock never lasts longer than ``longest`` and this together.
  public static let clockDifference = Duration.seconds(5)

  /// No failure, or what was stored.
  public init(failures: Int = 0, lastFailure: Timestamp = Timestamp(since1970: .zero)) {
    self.failures = max(0, failures)
    self.lastFailure = lastFailure
  }

  /// Refuses every password while the user is locked out. Call it before a challenge is verified.
  ///
  /// - Throws: `lockedOut`.
  public func check(at now: Timestamp = .now) throws(SRPError) {
    guard failures >= 5 else { return }
    let wait = failures - 5 >= 10 ? Self.longest : min(.seconds(1 << (failures - 5)), Self.longest)
    let elapsed = now - lastFailure
    guard lastFailure <= now + Self.clockDifference, elapsed < wait else { return }
    throw .lockedOut(remaining: wait - elapsed)
  }

  /// Counts a wrong password.
  public mutating func fail(at now: Timestamp = .now) {
    failures = failures == .max ? .max : failures + 1
    lastFailure = now
  }

  /// Forgets all failures.
  public mutating func succeed() { self = CognitoLockout() }
}
