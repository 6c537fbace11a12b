internal import OpenIDConnect
internal import Synchronization
internal import TokenSecurityPlatform

/// What the library's own threads are doing, for a fork.
///
/// A child has the locks of the Swift runtime and of libcrypto as they were at the fork: one that a thread of the library had is
/// never released. Those threads work when keys are fetched, and when a verifier is freed. A fork waits for that, but not long for
/// a server that does not answer: then they wait, too, and have no lock.
enum BackgroundWork {
  /// Fetches in progress.
  private static let fetches = Atomic<Int>(0)
  /// Those that wait for a server, or take its answer.
  private static let requests = Atomic<Int>(0)
  /// Responses that are parsed, or wait for that.
  private static let parsing = Atomic<Int>(0)
  /// When something began or ended, in milliseconds of uptime.
  private static let lastChange = Atomic<Int64>(0)
  /// The same of calls.
  private static let lastCall = Atomic<Int64>(0)
  /// The last change when a fork waited in vain for a server. Until there is another one, no fork waits long for it again.
  private static let silentChange = Atomic<Int64>(-1)
  /// How long tasks work before a fetch and after it.
  private static let settlingTime: Int64 = 20
  /// How long a fork waits for servers, how long while keys are parsed, and how long for calls that fetch nothing: senders of
  /// tokens with unknown keys let their tasks start again and again.
  private static let patience: Int64 = 500
  private static let workPatience: Int64 = 3_000
  private static let callPatience: Int64 = 100
  /// A server that has not answered for this time is silent, not slow.
  private static let silence: Int64 = 2_000

  /// What verifiers report.
  static var watch: FetchWatch {
    FetchWatch { event in
      switch event {
      case .fetchBegan: begin(fetches)
      case .fetchEnded: end(fetches)
      case .parsingBegan: begin(parsing)
      case .parsingEnded: end(parsing)
      }
    }
  }

  static func beginRequest() { begin(requests) }
  static func endRequest() { end(requests) }

  /// Notes that tasks start, or that what is freed ends them.
  static func noteChange() { note(lastChange) }

  /// Notes that a call begins or ends that looks for keys. It may fetch none.
  static func noteCall() { note(lastCall) }

  private static func note(_ time: borrowing Atomic<Int64>) {
    // Another thread may have noted a later time.
    _ = time.max(SystemClock.uptimeMilliseconds, ordering: .acquiringAndReleasing)
  }

  private static func begin(_ count: borrowing Atomic<Int>) {
    count.add(1, ordering: .acquiringAndReleasing)
    noteChange()
  }

  private static func end(_ count: borrowing Atomic<Int>) {
    noteChange()
    count.subtract(1, ordering: .acquiringAndReleasing)
  }

  /// Waits until no fetch is in progress and its tasks have ended, for three seconds at most. Where all fetches wait for
  /// servers, for half a second, and after two seconds only once; where calls alone are left, for a tenth of a second.
  static func waitForPause() {
    let start = SystemClock.uptimeMilliseconds
    // Since when nothing was fetched and freed.
    var calm = start
    while true {
      let now = SystemClock.uptimeMilliseconds
      let isParsing = parsing.load(ordering: .acquiring) > 0
      let inProgress = fetches.load(ordering: .acquiring)
      let change = lastChange.load(ordering: .acquiring)
      let isSettled = now - change >= settlingTime
      let areCallsSettled = now - lastCall.load(ordering: .acquiring) >= settlingTime
      let areWaiting = !isParsing && isSettled && inProgress <= requests.load(ordering: .acquiring)
      // A server that no fork waits for any more.
      let isKnown = silentChange.load(ordering: .acquiring) == change
      let isSilent = areWaiting && now - change >= silence && isKnown
      if isParsing || !isSettled || inProgress > 0 && !isSilent {
        calm = now
      } else if areCallsSettled || now - calm >= callPatience {
        return
      }
      if now - start >= (areWaiting ? patience : workPatience) {
        if areWaiting { silentChange.store(change, ordering: .releasing) }
        return
      }
      usleep(1_000)
    }
  }
}
