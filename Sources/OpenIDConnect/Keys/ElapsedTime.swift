internal import TokenLifetime

/// The time that has passed by a clock that may jump. A jump back counts as no time, so that no wait that was computed
/// before it becomes longer.
struct ElapsedTime {
  private var last: Int64?
  private var seconds: Int64 = 0

  /// The longest step that counts, in seconds; about 34,000 years. It keeps sums of times in range.
  private static let longestStep: Int64 = 1 << 40

  /// Notes that the clock shows `now`.
  ///
  /// - Returns: the seconds that have passed since the first call, which never decrease.
  mutating func advance(to now: Int64) -> Int64 {
    let step = now.saturatingDifference(last ?? now)
    seconds = seconds.saturatingSum(min(max(0, step), Self.longestStep))
    last = now
    return seconds
  }
}
