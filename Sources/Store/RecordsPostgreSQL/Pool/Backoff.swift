internal import TokenSecurityPlatform

/// Pauses between attempts.
enum Backoff {
  /// A pause that grows with the number of failures, at random between its half and its whole, so that those
  /// that failed together do not return together.
  static func milliseconds(_ failures: Int, first: Int, most: Int) -> Int {
    let longest = min(most, first << min(max(failures, 1) - 1, 16))
    return Int.random(in: (longest / 2)...longest)
  }

  /// Stops this thread for a while.
  static func sleep(milliseconds: Int) { usleep(UInt32(clamping: max(0, milliseconds)) * 1_000) }
}
