internal import TokenSecurityEncodings
internal import Metrics
internal import Synchronization

/// Counts calls by what they asked for and how they ended, and measures them.
final class CallMetrics: Sendable {
  private let known = Mutex<[ExactString: [ExactString: Counter]]>([:])
  private let timers = Mutex<[ExactString: Metrics.Timer]>([:])

  /// Notes a call. Neither text may come from the caller: there would be no end to the series.
  func note(_ operation: String, code: String, nanoseconds: Int64) {
    let (name, codeName) = (ExactString(operation), ExactString(code))
    let counter = known.withLock { known in
      if let counter = known[name]?[codeName] { return counter }
      let counter = Counter(
        label: "identity_calls_total", dimensions: [("operation", operation), ("code", code)])
      known[name, default: [:]][codeName] = counter
      return counter
    }
    counter.increment()
    let timer = timers.withLock { timers in
      if let timer = timers[name] { return timer }
      let timer = Metrics.Timer(label: "identity_call_seconds", dimensions: [("operation", operation)])
      timers[name] = timer
      return timer
    }
    timer.recordNanoseconds(nanoseconds)
  }
}
