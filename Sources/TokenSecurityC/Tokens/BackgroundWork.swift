internal import OpenIDConnect
internal import Synchronization
internal import TokenSecurityPlatform

/// What the library's own threads are doing, for a fork.
///
/// A child has the locks of the Swift runtime and of libcrypto as they were at the fork: one that a thread of the library had is
/// never released. Those threads work when keys are fetched. A fork waits for the end of a fetch, but not for a server that
/// does not answer: then they wait, too, and have no lock.
enum BackgroundWork {
  /// Fetches in progress, from the first request to the parsed keys.
  private static let fetches = Atomic<Int>(0)
  /// Those that wait for a server, or take its answer.
  private static let requests = Atomic<Int>(0)
  /// When one of them began or ended, in milliseconds of uptime.
  private static let lastChange = Atomic<Int64>(0)
  /// The last change when a fork waited in vain for a server. Until there is another one, no fork waits for it again.
  private static let silentSince = Atomic<Int64>(-1)
  /// How long tasks work before a fetch and after it.
  private static let settlingTime: Int64 = 20
  /// How long a fork waits for servers, and how long while keys are parsed.
  private static let patience: Int64 = 500
  private static let parsingPatience: Int64 = 3_000

  /// What verifiers report.
  static var watch: FetchWatch {
    FetchWatch(
      began: {
        fetches.add(1, ordering: .acquiringAndReleasing)
        noteChange()
      },
      ended: {
        noteChange()
        fetches.subtract(1, ordering: .acquiringAndReleasing)
      })
  }

  /// Notes that tasks start.
  static func noteChange() { lastChange.store(SystemClock.uptimeMilliseconds, ordering: .releasing) }

  static func beginRequest() {
    requests.add(1, ordering: .acquiringAndReleasing)
    noteChange()
  }

  static func endRequest() {
    noteChange()
    requests.subtract(1, ordering: .acquiringAndReleasing)
  }

  /// Waits until no fetch is in progress and its tasks have ended. Where all fetches wait for servers, once for half a second.
  static func waitForPause() {
    let start = SystemClock.uptimeMilliseconds
    while true {
      let now = SystemClock.uptimeMilliseconds
      let inProgress = fetches.load(ordering: .acquiring)
      let change = lastChange.load(ordering: .acquiring)
      let isSettled = now - change >= settlingTime
      if inProgress <= 0, isSettled { return }
      let areWaiting = inProgress <= requests.load(ordering: .acquiring) && isSettled
      if areWaiting, silentSince.load(ordering: .acquiring) == change { return }
      if now - start >= (areWaiting ? patience : parsingPatience) {
        silentSince.store(change, ordering: .releasing)
        return
      }
      usleep(1_000)
    }
  }
}
