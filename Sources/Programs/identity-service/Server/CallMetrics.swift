internal import CognitoUserPool
internal import Metrics
internal import ServiceOperations
internal import Synchronization
internal import TokenSecurityBase

/// Counts calls by operation and code, and measures their durations.
final class CallMetrics: Sendable {
  private let counters = Counters(label: "identity_calls_total", dimension: "code")
  private let ignored = Counters(label: "identity_ignored_members_total", dimension: "member")
  private let labels = Mutex(IgnoredMemberLabels())
  private let timers = Mutex<[ExactString: Metrics.Timer]>([:])

  /// Records a wrong answer of a second factor. There are a few factors.
  func record(_ failures: FactorFailures) {
    let dimensions = [("factor", failures.factor)]
    Counter(label: "identity_factor_failures_total", dimensions: dimensions).increment()
    if failures.closes { Counter(label: "identity_factors_closed_total", dimensions: dimensions).increment() }
  }

  /// Records codes instead of a password that were closed. There are a few kinds.
  func record(_ closed: ClosedCodes) {
    for bound in closed.bounds {
      let dimensions = [("challenge", closed.step.name), ("bound", bound.name)]
      Counter(label: "identity_codes_closed_total", dimensions: dimensions).increment()
    }
  }

  /// Records a call. Neither text may come from the caller, which could make any number of series.
  func record(_ operation: String, code: String, nanoseconds: Int64) {
    counters.increment(operation, code)
    let name = ExactString(operation)
    let timer = timers.withLock { timers in
      if let timer = timers[name] { return timer }
      let timer = Metrics.Timer(label: "identity_call_seconds", dimensions: [("operation", operation)])
      timers[name] = timer
      return timer
    }
    timer.recordNanoseconds(nanoseconds)
  }

  /// Records the members of a request that are ignored.
  ///
  /// - Parameters:
  ///   - members: the members, whose names the caller chose.
  ///   - operation: the operation's name for metrics.
  ///   - known: the names of members that the service's model has.
  func record(_ members: Set<IgnoredMember>, of operation: String, known: Set<ExactString>) {
    for member in members {
      ignored.increment(operation, labels.withLock { $0.label(of: member, in: operation, known: known) })
    }
  }

  /// The counters of a metric by operation and one more dimension.
  private final class Counters: Sendable {
    private let label: String
    private let dimension: String
    private let all = Mutex<[ExactString: [ExactString: Counter]]>([:])

    init(label: String, dimension: String) {
      self.label = label
      self.dimension = dimension
    }

    func increment(_ operation: String, _ value: String) {
      let (name, valueName) = (ExactString(operation), ExactString(value))
      let counter = all.withLock { all in
        if let counter = all[name]?[valueName] { return counter }
        let counter = Counter(label: label, dimensions: [("operation", operation), (dimension, value)])
        all[name, default: [:]][valueName] = counter
        return counter
      }
      counter.increment()
    }
  }
}
