internal import Synchronization

/// The places for what may happen a number of times at a time.
final class FreePlaces: Sendable {
  private let state: Mutex<Int>

  init(_ count: Int) { state = Mutex(count) }

  var count: Int { state.withLock { $0 } }

  /// Takes a place. False where none is free.
  @discardableResult
  func take() -> Bool {
    state.withLock { count in
      guard count > 0 else { return false }
      count -= 1
      return true
    }
  }

  /// Gives a place back.
  func give() { state.withLock { $0 += 1 } }
}
