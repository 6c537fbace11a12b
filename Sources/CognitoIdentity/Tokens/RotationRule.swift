internal import TokenLifetime

/// How signing keys follow one another. Durations count in whole seconds; a fraction is dropped.
public struct RotationRule: Sendable, Hashable {
  /// How long a key signs: 30 days by default.
  public var period: Duration
  /// How long a new key is published before it signs, so that verifiers that cache the key set have it by then: one hour by
  /// default.
  public var notice: Duration
  /// For how long a key must be found to be at its end before it is removed, on a clock that is never set: at once by
  /// default. With ``grace`` no token is refused, however the clock on the wall jumps.
  public var removalDelay = Duration.zero
  /// The longest that a key waits that was made by a clock that was ahead: longer than a clock is behind for a moment.
  static let astrayDelay = Duration.seconds(600)
  /// The most keys that are at their end and wait to be removed.
  static let waitingLimit = 8
  /// How long a key stays published after it has stopped to sign: the longest life of a token, and five minutes for
  /// clocks that differ.
  public static let grace = LifetimeRule.developerToken.longest + .seconds(300)
  /// How far the clocks of processes on one store may differ.
  static let skew: Int64 = 3_600

  public init(period: Duration = .seconds(30 * 86_400), notice: Duration = .seconds(3_600)) {
    self.period = max(.seconds(60), period)
    self.notice = max(.zero, min(notice, self.period / 2))
  }

  /// What is to be done at `now`. `keys` are in the order in which they sign.
  ///
  /// A clock that was ahead for a moment has left a key that signs in the far future, or has removed keys too early. A clock
  /// that was behind has seen all keys in its future. So keys that sign later than the notice ahead do not count as
  /// successors, and those of them that were made by a clock that was ahead are removed.
  func plan(_ keys: [StoredSigningKey], at now: Timestamp) -> RotationPlan {
    var plan = RotationPlan()
    let (period, notice) = (period.wholeSeconds, notice.wholeSeconds)
    let horizon = now.advanced(bySeconds: notice)
    let near = keys.filter { $0.signsFrom <= horizon }
    plan.ended = zip(near, near.dropFirst()).filter { ($1.signsFrom + Self.grace) <= now }.map {
      $0.0.keyID
    }
    guard let last = near.last else {
      if let first = keys.first {
        plan.signsNow = first.keyID
      } else {
        plan.newSignsFrom = now
      }
      return plan
    }
    // A key that an operator published for a later time was published by now. One that comes with the schedule, seen by a
    // clock that is behind, was published within a period of its predecessor, or some hours later after a pause.
    let latest = max(
      now.advanced(bySeconds: Self.skew),
      last.published.advanced(bySeconds: period).advanced(bySeconds: min(86_400, period / 2)))
    let later = keys.filter { $0.signsFrom > horizon }
    plan.astray = later.filter { $0.published > latest }.map(\.keyID)
    // Where a successor is there already, seen by a clock that is behind, another one would come before it in the order.
    let soon = horizon.advanced(bySeconds: period) + Self.grace
    let hasSuccessor = later.contains { $0.published <= latest && $0.signsFrom <= soon }
    let next = last.signsFrom.advanced(bySeconds: period)
    if horizon >= next, !hasSuccessor { plan.newSignsFrom = max(next, horizon) }
    return plan
  }
}

/// What is to be done with signing keys.
struct RotationPlan: Sendable, Hashable {
  /// When a key begins to sign that must be made now.
  var newSignsFrom: Timestamp?
  /// A key that signs from now on, since there is none whose time has come.
  var signsNow: String?
  /// Keys whose last tokens have expired: their successors have signed for so long.
  var ended: [String] = []
  /// Keys that were made by a clock that was ahead.
  var astray: [String] = []
}

/// What ``SigningKeyRing/maintain(at:)`` has done, by key ids.
public struct KeyChanges: Sendable, Hashable {
  /// Keys that were made.
  public var made: [String] = []
  /// Keys that were removed because their last tokens have expired.
  public var ended: [String] = []
  /// Keys that were removed because the clock was ahead when they were made.
  public var astray: [String] = []
  /// A key that signs sooner than it was published for, because there is no other.
  public var hurried: [String] = []

  /// Nothing.
  public init() {}
}
