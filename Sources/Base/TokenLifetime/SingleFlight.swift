internal import Synchronization

/// An operation that runs once for all callers that want its result.
///
/// The owner stores the flight while it is under way, so that the next caller waits for it instead of
/// starting another. A caller whose task is cancelled stops waiting. The operation continues, because its
/// result serves later callers: it must have a time limit.
package final class SingleFlight<Value: Sendable>: Sendable {
  private struct State {
    var value: Value?
    var waiters: [Int: AsyncStream<Value>.Continuation] = [:]
    var nextNumber = 0
  }

  private let state = Mutex(State())

  /// Starts the operation in a task that no caller's cancellation reaches.
  ///
  /// The task has a high priority: an urgent caller that waits for it later cannot raise it.
  package init(_ operation: @escaping @Sendable () async -> Value) {
    Task.detached(priority: .high) { self.end(await operation()) }
  }

  /// The operation's value, when it has ended; nil when the caller's task is cancelled before that.
  package var value: Value? {
    get async {
      let (stream, waiter) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: .bufferingOldest(1))
      add(waiter)
      for await value in stream { return value }
      return nil
    }
  }

  private func add(_ waiter: AsyncStream<Value>.Continuation) {
    let (value, number) = state.withLock { state in
      let number = state.nextNumber
      state.nextNumber += 1
      if state.value == nil { state.waiters[number] = waiter }
      return (state.value, number)
    }
    waiter.onTermination = { [weak self] _ in
      _ = self?.state.withLock { $0.waiters.removeValue(forKey: number) }
    }
    if let value { waiter.yield(value) }
  }

  private func end(_ value: Value) {
    let waiters = state.withLock { state in
      state.value = value
      defer { state.waiters = [:] }
      return state.waiters
    }
    for waiter in waiters.values { waiter.yield(value) }
  }
}
