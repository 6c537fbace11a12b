internal import Dispatch
internal import Synchronization

/// Work that must end in time, whatever it does.
enum Deadline {
  /// Runs `work`, and stops waiting for it after `limit`. Work that does not end when it is cancelled is left to itself.
  ///
  /// - Parameters:
  ///   - limit: the longest wait.
  ///   - late: the result where `work` has not ended by then.
  ///   - work: the work. Its task is cancelled at the limit.
  /// - Returns: the result of `work`, or `late`.
  static func run<R: Sendable>(
    within limit: Duration, else late: R, _ work: @escaping @Sendable () async -> R
  ) async -> R {
    let race = Race<R>()
    return await withCheckedContinuation { continuation in
      race.start(continuation)
      let worker = Task.detached { race.finish(await work()) }
      let timer = Task.detached {
        // A cancelled timer has lost already.
        try? await Task.sleep(for: limit)
        race.finish(late)
        worker.cancel()
      }
      race.onFinish { timer.cancel() }
    }
  }

  /// Runs `work` on a thread outside of the pool that all asynchronous work shares: reading a fetched document must not
  /// block that pool. One piece of work runs at a time.
  static func onReadingThread<R: Sendable>(_ work: @escaping @Sendable () -> R) async -> R {
    await withCheckedContinuation { continuation in
      readingQueue.async { continuation.resume(returning: work()) }
    }
  }

  private static let readingQueue = DispatchQueue(label: "OpenIDConnect.reading")

  /// The first result of several.
  private final class Race<R: Sendable>: Sendable {
    private struct State {
      var continuation: CheckedContinuation<R, Never>?
      var isFinished = false
      var cleanUp: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    func start(_ continuation: CheckedContinuation<R, Never>) {
      state.withLock { $0.continuation = continuation }
    }

    func finish(_ result: R) {
      let (continuation, cleanUp) = state.withLock { state in
        defer { (state.continuation, state.cleanUp, state.isFinished) = (nil, nil, true) }
        return (state.continuation, state.cleanUp)
      }
      continuation?.resume(returning: result)
      cleanUp?()
    }

    /// Calls `cleanUp` when there is a result.
    func onFinish(_ cleanUp: @escaping @Sendable () -> Void) {
      let isFinished = state.withLock { state in
        if !state.isFinished { state.cleanUp = cleanUp }
        return state.isFinished
      }
      if isFinished { cleanUp() }
    }
  }
}
