internal import CognitoUserPool
internal import Logging
internal import Metrics
internal import Synchronization
internal import TokenLifetime
internal import ServiceHosting

/// Functions whose calls are counted and measured, and whose failures are logged. Each try of a call counts.
///
/// Every caller of a pool can make its functions fail, as often as it calls: a function's "no" is at `debug`, other failures are at
/// `info` once in ten seconds for each code, and metrics have the codes.
final class MeasuredHooks: UserPoolHooks {
  private let hooks: any UserPoolHooks
  private let logger: Logger
  private let reports = ReportLimit()
  private let running = Mutex(0)
  private let runningCalls = Gauge(label: "identity_hook_calls_running")

  init(_ hooks: any UserPoolHooks, _ logger: Logger) {
    self.hooks = hooks
    self.logger = logger
    runningCalls.record(0)
  }

  func serves(_ functionARN: String) -> Bool {
    let isServed = hooks.serves(functionARN)
    if !isServed {
      Counter(label: "identity_hook_functions_missing_total").increment()
      if let before = reports.report(functionARN) {
        logger.log(
          .info, "a pool names a function that is not configured",
          with: [("function", functionARN), ("before", "\(before)")])
      }
    }
    return isServed
  }

  func invoke(_ event: HookEvent) async throws(HookError) -> HookResponse {
    // The trigger alone: each pool may have functions of its own, and each name would make a series.
    let trigger = ("trigger", event.trigger.name)
    let start = ContinuousClock.now
    count(1)
    var code = "ok"
    defer {
      count(-1)
      Counter(label: "identity_hook_calls_total", dimensions: [trigger, ("code", code)]).increment()
      Metrics.Timer(label: "identity_hook_call_seconds", dimensions: [trigger]).recordNanoseconds(
        Int64((ContinuousClock.now - start) / .nanoseconds(1)))
    }
    do throws(HookError) { return try await hooks.invoke(event) } catch {
      code = error.codeText
      var values = [
        ("function", event.functionARN), ("trigger", event.trigger.name), ("code", code),
        ("reason", "\(error)"),
      ]
      if case .refused = error {
        logger.log(.debug, "a function refused", with: values)
      } else if let before = reports.report("\(event.trigger.name) \(code)") {
        values.append(("before", "\(before)"))
        logger.log(.info, "a function failed", with: values)
      }
      throw error
    }
  }

  private func count(_ change: Int) {
    // Within the lock, so that the last figure is that of the last change.
    running.withLock {
      $0 += change
      runningCalls.record($0)
    }
  }
}
