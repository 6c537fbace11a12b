internal import CognitoUserPool
internal import Synchronization
internal import TokenSecurityBase
internal import TokenSecurityTesting

/// Functions that a test defines, and the events that they got. A pool names them by any ARN.
final class RecordingHooks: UserPoolHooks {
  /// The members of `response`; nil for the event's own.
  typealias Function = @Sendable (JSONObject) throws(HookError) -> JSONObject?

  private struct State {
    var functions: [HookTrigger: Function] = [:]
    var events: [(trigger: HookTrigger, source: String, event: JSONObject)] = []
  }

  private let state = Mutex(State())

  /// The ARN with which a test's pool names a function.
  static func arn(_ trigger: HookTrigger) -> String {
    "arn:aws:lambda:us-east-1:123456789012:function:\(trigger.name)"
  }

  /// Settings of a pool with functions for all of these triggers.
  static func arns(_ triggers: HookTrigger...) -> [ExactString: String] {
    Dictionary(uniqueKeysWithValues: triggers.map { ($0.rawValue, arn($0)) })
  }

  /// Sets a trigger's function.
  func on(_ trigger: HookTrigger, _ function: @escaping Function) {
    state.withLock { $0.functions[trigger] = function }
  }

  /// Calls wait here while it is closed.
  let gate = Gate(isOpen: true)

  /// The events of a trigger so far.
  func events(_ trigger: HookTrigger) -> [JSONObject] {
    state.withLock { state in state.events.filter { $0.trigger == trigger }.map(\.event) }
  }

  /// The sources of all events so far, such as `PreSignUp_SignUp`.
  var sources: [String] { state.withLock { $0.events.map(\.source) } }

  func serves(_ functionARN: String) -> Bool { functionARN.hasPrefix("arn:") }

  func invoke(_ event: HookEvent) async throws(HookError) -> HookResponse {
    var object = event.json.object
    let function = state.withLock { state in
      state.events.append((event.trigger, event.source, object))
      return state.functions[event.trigger]
    }
    await gate.pass()
    if let response = try function?(object) { object["response"] = .object(response) }
    return HookResponse(json: JSONWriter.write(object))
  }
}

extension HookRunner.Limits {
  /// Limits of functions that a test holds: their time does not end.
  static var patient: Self {
    var limits = Self()
    limits.timeout = .seconds(3_600)
    return limits
  }
}
