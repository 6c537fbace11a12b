internal import Synchronization

/// Runs work with a time limit that does not depend on the work's cooperation.
package enum TimeLimit {
  /// The duration, from zero to about 136 years. Clocks and timers trap for durations that they cannot count.
  package static func bounded(_ duration: Duration) -> Duration {
    min(max(.zero, duration), .seconds(1 << 32))
  }

  /// Runs `work`, and stops waiting for it after `limit`. Work that ignores its cancellation continues in the
  /// background.
  ///
  /// - Parameters:
  ///   - limit: the maximum wait. Work with a limit of zero or less is not started.
  ///   - late: the result if `work` has not ended by then, or if the caller is cancelled.
  ///   - timers: the clock that measures the wait. Default: the system's.
  ///   - work: the work. Its task is cancelled at the limit.
  /// - Returns: the result of `work`, or `late`.
  package static func run<R: Sendable>(
    within limit: Duration, else late: R, timers: any Clock<Duration> = ContinuousClock(),
    _ work: @escaping @Sendable () async -> R
  ) async -> R {
    guard limit > .zero else { return late }
    let race = Race<R>()
    // High priority, since callers wait for this work.
    let worker = Task.detached(priority: .high) { race.finish(await work()) }
    let timer = Task.detached(priority: .high) {
      // A cancelled sleep ends at once; the race is decided by then.
      try? await timers.sleep(for: bounded(limit))
      race.finish(late)
    }
    let result = await withTaskCancellationHandler {
      await race.result()
    } onCancel: {
      race.finish(late)
    }
    worker.cancel()
    timer.cancel()
    return result
  }

  /// The first of several results, for one waiting task.
  private final class Race<R: Sendable>: Sendable {
    private enum State: Sendable {
      case open
      case awaited(CheckedContinuation<R, Never>)
      case finished(R)
      /// The result was delivered. It is not kept: it may contain secrets, which their owner wipes.
      case delivered
    }

    private let state = Mutex(State.open)

    func finish(_ result: R) {
      let waiting = state.withLock { state -> CheckedContinuation<R, Never>? in
        switch state {
        case .open:
          state = .finished(result)
          return nil
        case .awaited(let continuation):
          state = .delivered
          return continuation
        case .finished, .delivered: return nil
        }
      }
      waiting?.resume(returning: result)
    }

    func result() async -> R {
      await withCheckedContinuation { continuation in
        let result = state.withLock { state -> R? in
          if case .finished(let result) = state {
            state = .delivered
            return result
          }
          state = .awaited(continuation)
          return nil
        }
        if let result { continuation.resume(returning: result) }
      }
    }
  }
}
