internal import Synchronization
internal import TokenSecurityPlatform

/// What the library's own threads are doing, for a fork.
///
/// A child has the locks of the Swift runtime and of libcrypto as they were at the fork: one that a thread of the library had is
/// never released. Those threads work when keys are fetched. A fork waits for the end of a fetch, but not for a server that
/// does not answer: then they wait, too, and have no lock.
enum BackgroundWork {
  private static let fetches = Atomic<Int>(0)
  /// When a fetch began or ended, in milliseconds of uptime.
  private static let lastChange = Atomic<Int64>(0)
  /// How long tasks work before the fetch that they begin, and after it.
  private static let settlingTime: Int64 = 20
  private static let patience: Int64 = 200

  /// Notes that tasks start.
  static func noteStart() { lastChange.store(SystemClock.uptimeMilliseconds, ordering: .releasing) }

  static func beginFetch() {
    fetches.add(1, ordering: .acquiringAndReleasing)
    noteStart()
  }

  static func endFetch() {
    noteStart()
    fetches.subtract(1, ordering: .acquiringAndReleasing)
  }

  /// Waits until no fetch is in progress and its tasks have ended, for a fifth of a second at most.
  static func waitForPause() {
    let start = SystemClock.uptimeMilliseconds
    while true {
      let now = SystemClock.uptimeMilliseconds
      let isQuiet =
        fetches.load(ordering: .acquiring) <= 0
        && now - lastChange.load(ordering: .acquiring) >= settlingTime
      if isQuiet || now - start >= patience { return }
      usleep(1_000)
    }
  }
}
