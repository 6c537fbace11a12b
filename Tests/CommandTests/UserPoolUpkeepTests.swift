internal import CognitoUserPool
internal import Logging
internal import ServiceLifecycle
internal import Synchronization
internal import Testing
internal import TokenSecurityTesting
@testable internal import identity_service

/// The upkeep of user pools: what is removed takes turns.
@Suite struct UserPoolUpkeepTests {
  private let clock = SettableClock()
  private let events = Events()

  private final class Events: Sendable {
    private let names = Mutex<[String]>([])
    var all: [String] { names.withLock { $0 } }
    func add(_ name: String) { names.withLock { $0.append(name) } }
  }

  private func add(_ event: String) { events.add(event) }
  private var all: [String] { events.all }
  private func count(_ event: String) -> Int { all.count { $0 == event } }

  /// A step that has as many portions as `portions` says, each of which takes a time; a negative number fails.
  private func step(_ name: String, _ portions: Int, _ time: Duration = .zero) -> UserPoolUpkeep.Step {
    let left = Left(portions)
    return UserPoolUpkeep.Step(failure: "no \(name)") { [self] () throws(UserPoolError) in
      add(name)
      clock.advance(by: time)
      guard portions >= 0 else { throw .storeFailed("no disk") }
      return left.next()
    }
  }

  private final class Left: Sendable {
    private let count: Mutex<Int>
    init(_ count: Int) { self.count = Mutex(count) }
    func next() -> Bool {
      count.withLock { count in
        count -= 1
        return count > 0
      }
    }
  }

  /// Runs the upkeep until the steps have ended and the figures were measured as often as said.
  private func round(_ steps: [UserPoolUpkeep.Step], measured times: Int) async throws {
    let upkeep = UserPoolUpkeep(
      steps: steps, measure: { add("measure") },
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, timers: clock)
    let run = Task { try await upkeep.run() }
    try await eventually {
      // Pauses between portions.
      if clock.sleepers == 1, !all.contains("end") { clock.advance(by: .milliseconds(100)) }
      return count("end") == 1 && count("measure") == times
    }
    run.cancel()
    try await run.value
  }

  /// Much of one kind keeps neither the other nor the figures waiting.
  @Test func portionsTakeTurns() async throws {
    let last = UserPoolUpkeep.Step(failure: "") { [self] () throws(UserPoolError) in
      if count("ended") == 4 { add("end") }
      return false
    }
    try await round([step("pools", 3), step("ended", 4, .seconds(2)), last], measured: 2)
    let turn = ["pools", "ended"]
    // Portions take two seconds and have a pause of a tenth: the figures follow after five.
    let expected: [String] = turn + ["measure"] + turn + turn + turn + ["end", "measure"]
    #expect(all == expected)
  }

  /// A step that fails does not keep the others from going on.
  @Test func aFailureStopsNothingElse() async throws {
    let last = UserPoolUpkeep.Step(failure: "") { [self] () throws(UserPoolError) in
      if count("ended") == 2 { add("end") }
      return false
    }
    try await round([step("pools", -1), step("ended", 2), last], measured: 1)
    #expect(all == ["pools", "ended", "measure", "pools", "ended", "end"])
  }
}
