internal import CognitoUserPool
internal import TokenSecurityEncodings
internal import Metrics
internal import Synchronization

/// Counts calls by operation and code, and measures their durations.
final class CallMetrics: Sendable {
  private let counters = Mutex<[ExactString: [ExactString: Counter]]>([:])
  private let timers = Mutex<[ExactString: Metrics.Timer]>([:])

  /// Records a wrong answer of a second factor. There are a few factors.
  func record(_ failures: FactorFailures) {
    let dimensions = [("factor", failures.factor)]
    Counter(label: "identity_factor_failures_total", dimensions: dimensions).increment()
    if failures.closes { Counter(label: "identity_factors_closed_total", dimensions: dimensions).increment() }
  }

  /// Records a call. Neither text may come from the caller, which could make any number of series.
  func record(_ operation: String, code: String, nanoseconds: Int64) {
    let (name, codeName) = (ExactString(operation), ExactString(code))
    let counter = counters.withLock { counters in
      if let counter = counters[name]?[codeName] { return counter }
      let counter = Counter(
        label: "identity_calls_total", dimensions: [("operation", operation), ("code", code)])
      counters[name, default: [:]][codeName] = counter
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
