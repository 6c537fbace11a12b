internal import CognitoUserPool
internal import Metrics
internal import ServiceOperations
internal import Synchronization
internal import TokenSecurityBase

/// Counts calls by operation and code, and measures their durations.
final class CallMetrics: Sendable {
  private let counters = Counters(label: "identity_calls_total", names: "operation", "code")
  private let ignored = Counters(
    label: "identity_ignored_members_total", names: "operation", "member")
  private let labels = Mutex(IgnoredMemberLabels())
  private let questions = Counters(label: "identity_session_keys_total", names: "api", "code")
  private let apis = Mutex<Set<ExactString>>([])
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

  /// Maximum number of APIs with counters of their own. A policy may allow a key to ask for keys of any name.
  private static let apiLimit = 64

  /// Records a question for a session's key that its caller may ask.
  func record(_ question: (api: String, code: String)) {
    let name = ExactString(question.api)
    let isNamed = apis.withLock { apis in
      if apis.count < Self.apiLimit { apis.insert(name) }
      return apis.contains(name)
    }
    questions.increment(isNamed ? question.api : "other", question.code)
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

  /// The counters of a metric with two dimensions.
  private final class Counters: Sendable {
    private let label: String
    private let names: (String, String)
    private let all = Mutex<[ExactString: [ExactString: Counter]]>([:])

    init(label: String, names first: String, _ second: String) {
      self.label = label
      names = (first, second)
    }

    func increment(_ first: String, _ second: String) {
      let (name, valueName) = (ExactString(first), ExactString(second))
      let counter = all.withLock { all in
        if let counter = all[name]?[valueName] { return counter }
        let counter = Counter(label: label, dimensions: [(names.0, first), (names.1, second)])
        all[name, default: [:]][valueName] = counter
        return counter
      }
      counter.increment()
    }
  }
}
