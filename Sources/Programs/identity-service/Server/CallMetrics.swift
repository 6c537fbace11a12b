internal import CognitoUserPool
internal import Metrics
internal import ServiceHosting
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
  private let timers = Timers(label: "identity_call_seconds", name: "operation")

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
    timers.record(operation, nanoseconds: nanoseconds)
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
}
