internal import CognitoUserPool
internal import Synchronization
internal import TokenSecurityBase
internal import TokenSecurityTesting

/// Functions with scripted responses.
final class HookScript: UserPoolHooks {
  private struct State {
    var events: [HookEvent] = []
    var running = 0
    var mostRunning = 0
  }

  private let state = Mutex(State())
  private let respond: @Sendable (Int) -> Result<HookResponse, HookError>
  private let gate: Gate?
  private let served: @Sendable (String) -> Bool

  /// - Parameters:
  ///   - gate: where calls wait.
  ///   - serves: which functions exist.
  ///   - respond: the response to the call with a number, from 0.
  init(
    gate: Gate? = nil, serves: @escaping @Sendable (String) -> Bool = { _ in true },
    _ respond: @escaping @Sendable (Int) -> Result<HookResponse, HookError>
  ) {
    self.gate = gate
    served = serves
    self.respond = respond
  }

  var events: [HookEvent] { state.withLock { $0.events } }
  var mostRunning: Int { state.withLock { $0.mostRunning } }
  var running: Int { state.withLock { $0.running } }

  func serves(_ functionARN: String) -> Bool { served(functionARN) }

  func invoke(_ event: HookEvent) async throws(HookError) -> HookResponse {
    let number = state.withLock { state in
      state.events.append(event)
      state.running += 1
      state.mostRunning = max(state.mostRunning, state.running)
      return state.events.count - 1
    }
    await gate?.pass()
    state.withLock { $0.running -= 1 }
    return try respond(number).get()
  }
}

extension HookUser {
  /// A user whose pool has a function for each trigger.
  static func test(_ triggers: [HookTrigger] = HookTrigger.allCases, version: String = "V1_0") -> HookUser {
    var pool = UserPool()
    pool.id = "eu-west-1_abcdefghi"
    pool.tokenHookVersion = version
    for trigger in triggers { pool.hooks[trigger.rawValue] = Self.function(trigger) }
    return HookUser(
      pool: pool, clientID: "client1", userName: "jane",
      attributes: ["sub": "0c6a0a4e-6b1f-4f0e-9d6c-0e7a5d1d2f10", "email": "jane@example.com"])
  }

  static func function(_ trigger: HookTrigger) -> String {
    "arn:aws:lambda:eu-west-1:123456789012:function:\(trigger.rawValue.text)"
  }
}
