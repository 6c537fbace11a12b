internal import CognitoUserPool
internal import Logging
internal import ServiceLifecycle
internal import Synchronization
internal import Testing
internal import TokenSecurityTesting
@testable internal import identity_service

/// The upkeep of the store: kinds of rows take turns.
@Suite struct UpkeepTests {
  private let clock = SettableClock()
  private let seen = Events()

  private final class Events: Sendable {
    private let names = Mutex<[String]>([])
    var all: [String] { names.withLock { $0 } }
    func add(_ name: String) { names.withLock { $0.append(name) } }
  }

  private func add(_ event: String) { seen.add(event) }
  private var all: [String] { seen.all }
  private func count(_ event: String) -> Int { all.count { $0 == event } }

  /// A step that has as many portions as `portions` says, each of which takes a time; a negative number fails.
  private func step(
    _ name: String, _ portions: Int, _ time: Duration = .zero, every pause: Duration = .seconds(5)
  ) -> Upkeep.Step {
    let left = Left(portions)
    return .perform("no \(name)", every: pause) { [self] () throws(UserPoolError) in
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

  /// Runs the upkeep in steps of a tenth of a second until an event has occurred as often as said.
  ///
  /// - Returns: the events until then.
  private func events(of steps: [Upkeep.Step], until event: String, _ times: Int) async throws -> [String] {
    let upkeep = Upkeep(
      steps: steps, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, timers: clock)
    let run = Task { try await upkeep.run() }
    try await eventually {
      // Pauses between portions.
      if clock.sleepers == 1, count(event) < times { clock.advance(by: .milliseconds(100)) }
      return count(event) >= times
    }
    run.cancel()
    try await run.value
    let ends = all.indices.filter { all[$0] == event }
    return Array(all.prefix(through: ends[times - 1]))
  }

  /// Much of one kind keeps neither the other nor the figures waiting.
  @Test func portionsTakeTurns() async throws {
    let measure = Upkeep.Step.measure { [self] in add("measure") }
    let seen = try await events(
      of: [step("pools", 3), step("ended", 4, .seconds(2)), measure], until: "ended", 4)
    let turn = ["pools", "ended"]
    // Portions take two seconds and have a pause of a tenth: the figures follow after five.
    #expect(seen == turn + ["measure"] + turn + turn + ["ended"])
  }

  /// A step that fails does not keep the others from going on. It is tried again after its pause, not after each portion.
  @Test func aFailureStopsNothingElse() async throws {
    let seen = try await events(of: [step("pools", -1), step("ended", 3)], until: "pools", 2)
    #expect(seen == ["pools", "ended", "ended", "ended", "pools"])
  }

  /// A step is repeated after its own pause, whatever the others have to do.
  @Test func eachStepHasItsPause() async throws {
    let seen = try await events(
      of: [step("often", 0), step("seldom", 0, every: .seconds(60)), step("much", 9)], until: "seldom", 2)
    // 13 in 60 seconds, of which the last one is in the round of `seldom`.
    #expect(seen.count { $0 == "often" } == 13)
    #expect(Array(seen.prefix(11)) == ["often", "seldom"] + [String](repeating: "much", count: 9))
  }

  /// At a shutdown the portion that runs is the last one.
  @Test func aShutdownWaitsForOnePortion() async throws {
    let last = Upkeep.Step.perform("no last") { [self] () throws(UserPoolError) in
      add("last")
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return true
    }
    let upkeep = Upkeep(
      steps: [step("pools", 2), last, step("ended", 2)],
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, timers: clock)
    try await upkeep.run()
    #expect(all == ["pools", "last"])
  }
}
