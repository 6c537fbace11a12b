internal import Synchronization

/// A place where tasks wait until a test opens it.
public final class Gate: Sendable {
  private struct State {
    var isOpen: Bool
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Mutex<State>

  /// Makes a gate.
  ///
  /// - Parameter isOpen: true for a gate that holds nobody yet. Default: false.
  public init(isOpen: Bool = false) { state = Mutex(State(isOpen: isOpen)) }

  /// Number of tasks that wait.
  public var waiting: Int { state.withLock { $0.waiters.count } }

  /// Waits until the gate is open. A cancellation does not end it.
  public func pass() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.waiters.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }

  /// Lets those through that wait, and all that come.
  public func open() {
    let waiters = state.withLock { state in
      state.isOpen = true
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Holds those that come from now on.
  public func close() { state.withLock { $0.isOpen = false } }
}

/// Waits until the task is cancelled, as a server that does not answer does.
public func untilCancelled() async {
  let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
  for await _ in stream {}
  withExtendedLifetime(continuation) {}
}
