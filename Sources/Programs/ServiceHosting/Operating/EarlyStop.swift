internal import ServiceLifecycle
internal import Synchronization

/// Ends the work of a service at the beginning of a shutdown, while other services go on.
///
/// A group stops one service after the other, and takes one that ends before its turn for one that has failed. So the service
/// itself ends at its turn.
package final class EarlyStop: Sendable {
  private struct State {
    var isStopped = false
    var work: Task<Void, Never>?
  }

  private let state = Mutex(State())

  package init() {}

  /// Performs work until ``stop()``, the service's turn in the shutdown or a cancellation, each of which cancels the work's
  /// task. Returns when the work has ended, and not before the turn.
  ///
  /// - Parameter work: what the service does.
  package func run(_ work: @escaping @Sendable () async -> Void) async {
    let task = Task { await work() }
    let isStopped = state.withLock { state in
      state.work = task
      return state.isStopped
    }
    if isStopped { task.cancel() }
    await withTaskCancellationOrGracefulShutdownHandler {
      await task.value
    } onCancelOrGracefulShutdown: {
      task.cancel()
    }
    // A cancellation ends it, too.
    try? await gracefulShutdown()
  }

  /// Cancels the work, also where it has not begun. Returns at once.
  package func stop() {
    let work = state.withLock { state in
      state.isStopped = true
      return state.work
    }
    work?.cancel()
  }
}
