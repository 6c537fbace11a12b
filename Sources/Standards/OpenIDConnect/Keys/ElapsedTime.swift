internal import TokenLifetime

/// The time that has elapsed on a clock that may jump. A jump back counts as zero, so it never makes a wait
/// that was computed before it longer.
struct ElapsedTime {
  private var last: Int64?
  private var seconds: Int64 = 0

  /// The longest step that counts, in seconds: about 34,000 years. It keeps sums of times in range.
  private static let longestStep: Int64 = 1 << 40

  /// Records a reading of the clock.
  ///
  /// - Parameter now: the reading, in seconds.
  /// - Returns: the seconds that have elapsed since the first call. They never decrease.
  mutating func advance(to now: Int64) -> Int64 {
    let step = now.saturatingDifference(last ?? now)
    seconds = seconds.saturatingSum(min(max(0, step), Self.longestStep))
    last = now
    return seconds
  }
}
