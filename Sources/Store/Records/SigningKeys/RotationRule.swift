internal import TokenLifetime
internal import TokenSecurityBase

/// The schedule of signing keys. Durations count in whole seconds; fractions are dropped.
public struct RotationRule: Sendable, Hashable {
  /// How long a key signs. Default: 30 days.
  public var period: Duration
  /// How long a new key is published before it signs, so that verifiers with a cached key set can fetch it.
  /// Default: one hour.
  public var notice: Duration
  /// How long a key must have been removable, on a monotonic clock, before it is removed. Default: zero. With
  /// ``grace`` no valid token is refused, however the system's clock jumps.
  public var removalDelay = Duration.zero
  /// Maximum number of ended keys that wait for removal.
  static let waitingLimit = 8
  /// How long a key stays published after it stopped signing: the longest lifetime of a signed token and five
  /// minutes of clock skew.
  public static let grace =
    max(
      LifetimeRule.developerToken.longest, LifetimeRule.userPoolAccessToken.longest,
      LifetimeRule.userPoolIDToken.longest) + .seconds(300)
  /// Maximum clock skew between processes on one store, in seconds.
  static let skew: Int64 = 3_600

  /// Makes a rule.
  ///
  /// - Parameters:
  ///   - period: how long a key signs, at least 60 s. Default: 30 days.
  ///   - notice: how long a key is published before it signs, at most half of the period. Default: one hour.
  public init(period: Duration = .seconds(30 * 86_400), notice: Duration = .seconds(3_600)) {
    self.period = max(.seconds(60), period)
    self.notice = max(.zero, min(notice, self.period / 2))
  }

  /// Returns the changes due at `now`. `keys` are in signing order.
  ///
  /// While the clock was ahead, a key may have been made for the far future, or keys removed too early. While
  /// it was behind, all keys seemed to sign in the future. So a key that signs later than now plus the notice
  /// is not a successor, and such a key is removed if it was made while the clock was ahead.
  package func plan(_ keys: [StoredSigningKey], at now: Timestamp) -> RotationPlan {
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
    // A key that an operator published for later was published by now. A scheduled key, seen while the clock
    // is behind, was published within a period of its predecessor, or some hours later after an outage.
    let latest = max(
      now.advanced(bySeconds: Self.skew),
      last.published.advanced(bySeconds: period).advanced(bySeconds: min(86_400, period / 2)))
    let later = keys.filter { $0.signsFrom > horizon }
    plan.astray = later.filter { $0.published > latest }.map(\.keyID)
    // Seen while the clock is behind, a successor may exist already; a second one would precede it.
    let soon = horizon.advanced(bySeconds: period) + Self.grace
    let hasSuccessor = later.contains { $0.published <= latest && $0.signsFrom <= soon }
    let next = last.signsFrom.advanced(bySeconds: period)
    if horizon >= next, !hasSuccessor { plan.newSignsFrom = max(next, horizon) }
    return plan
  }
}

/// Changes of signing keys that are due.
package struct RotationPlan: Sendable {
  /// When the key to be made begins to sign; nil where none is to be made.
  package var newSignsFrom: Timestamp?
  /// A key that signs from now on because no other key does.
  package var signsNow: String?
  /// Keys whose last tokens have expired.
  package var ended: [String] = []
  /// Keys that were made while the clock was ahead.
  package var astray: [String] = []

  /// True where nothing is due.
  package var isEmpty: Bool {
    newSignsFrom == nil && signsNow == nil && ended.isEmpty && astray.isEmpty
  }
}

/// The changes made by ``SigningKeyRing/maintain(at:)``, as key ids.
public struct KeyChanges: Sendable, Hashable {
  /// New keys.
  public var made: [String] = []
  /// Keys removed because their last tokens have expired.
  public var ended: [String] = []
  /// Keys removed because they were made while the clock was ahead.
  public var astray: [String] = []
  /// A key that signs earlier than scheduled because no other key does.
  public var hurried: [String] = []

  /// No changes.
  public init() {}
}
