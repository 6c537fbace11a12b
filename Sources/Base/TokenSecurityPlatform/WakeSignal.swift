internal import Synchronization

/// Wakes tasks of this process that wait for work.
package final class WakeSignal: Sendable {
  private struct State {
    var number = 0
    var listeners: [Int: AsyncStream<Void>.Continuation] = [:]
  }

  private let state = Mutex(State())

  package init() {}

  /// Wakes the tasks.
  package func wake() {
    for listener in state.withLock({ $0.listeners }).values { listener.yield() }
  }

  /// An element for each time that the tasks are woken, several in a row as one.
  package func wakings() -> AsyncStream<Void> {
    let (stream, listener) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let number = state.withLock { state in
      state.number += 1
      state.listeners[state.number] = listener
      return state.number
    }
    listener.onTermination = { [weak self] _ in
      _ = self?.state.withLock { $0.listeners.removeValue(forKey: number) }
    }
    return stream
  }
}
