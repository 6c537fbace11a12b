internal import Metrics
internal import Synchronization

/// Counts calls by what they asked for and how they ended, and measures them.
final class CallMetrics: Sendable {
  private let known = Mutex<[String: [String: Counter]]>([:])
  private let timers = Mutex<[String: Metrics.Timer]>([:])

  /// Notes a call. Neither text may come from the caller: there would be no end to the series.
  func note(_ operation: String, code: String, nanoseconds: Int64) {
    let counter = known.withLock { known in
      if let counter = known[operation]?[code] { return counter }
      let counter = Counter(
        label: "identity_calls_total", dimensions: [("operation", operation), ("code", code)])
      known[operation, default: [:]][code] = counter
      return counter
    }
    counter.increment()
    let timer = timers.withLock { timers in
      if let timer = timers[operation] { return timer }
      let timer = Metrics.Timer(label: "identity_call_seconds", dimensions: [("operation", operation)])
      timers[operation] = timer
      return timer
    }
    timer.recordNanoseconds(nanoseconds)
  }
}
