internal import CognitoUserPool
internal import Synchronization
internal import TokenSecurityBase

/// The functions of pools for commands, which call none: each event comes back as it is, and a warning names the trigger.
final class SkippedHooks: UserPoolHooks {
  private let reported = Mutex<Set<ExactString>>([])

  func serves(_ functionARN: String) -> Bool { true }

  func invoke(_ event: HookEvent) async throws(HookError) -> HookResponse {
    let name = event.trigger.name
    if reported.withLock({ $0.insert(ExactString(name)).inserted }) {
      StandardError.write(
        "identity-service: warning: commands call no functions of pools: \(name) was not called\n")
    }
    return HookResponse(json: JSONWriter.write(event.json.object))
  }
}
