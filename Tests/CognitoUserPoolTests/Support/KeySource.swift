internal import CognitoUserPool
internal import SigningKeyTesting
internal import Synchronization
internal import TokenSecurityTesting

/// A source of keys that counts them, and makes its callers wait while it is closed.
final class KeySource: Sendable {
  private struct State {
    var made = 0
    var running = 0
    var mostRunning = 0
    var isOpen = true
    var failures = 0
  }

  private let state = Mutex(State())

  /// The number of keys that were asked for.
  var made: Int { state.withLock { $0.made } }
  /// The number of keys that are being made.
  var running: Int { state.withLock { $0.running } }
  /// The largest number of keys that were made at a time.
  var mostRunning: Int { state.withLock { $0.mostRunning } }

  private var isOpen: Bool { state.withLock { $0.isOpen } }

  func open() { state.withLock { $0.isOpen = true } }
  func close() { state.withLock { $0.isOpen = false } }

  /// Lets the next keys fail.
  func fail(_ times: Int) { state.withLock { $0.failures = times } }

  /// The source as rings and stocks use it. Its waiting ends with its task.
  var maker: SigningKeyMaker {
    SigningKeyMaker { [self] algorithm in
      let (number, fails) = state.withLock { state in
        state.running += 1
        state.mostRunning = max(state.mostRunning, state.running)
        state.made += 1
        state.failures -= 1
        return (state.made - 1, state.failures >= 0)
      }
      defer { state.withLock { $0.running -= 1 } }
      try await TokenSecurityTesting.eventually { isOpen }
      if fails { throw Failure() }
      return try VectorKeys.key(number, for: algorithm)
    }
  }

  struct Failure: Error, CustomStringConvertible {
    let description = "the source is away"
  }
}
