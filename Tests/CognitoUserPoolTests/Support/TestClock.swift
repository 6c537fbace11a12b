internal import Synchronization
internal import TokenLifetime

/// The time of a test's calls.
final class TestClock: Sendable {
  private let time: Mutex<Timestamp>

  init(_ start: Timestamp = Timestamp(seconds: 1_800_000_000)) { time = Mutex(start) }

  var now: Timestamp { time.withLock { $0 } }

  /// Moves the time on.
  func advance(_ duration: Duration) { time.withLock { $0 += duration } }
}
