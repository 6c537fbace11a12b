internal import Logging
internal import ServiceHosting
internal import ServiceLifecycle
internal import Testing
internal import TokenSecurityTesting

/// Work that ends before its service does.
@Suite struct EarlyStopTests {
  private let early = EarlyStop()
  private let gate = Gate()
  private let begun = Tally()
  private let stopped = Tally()
  private let ended = Tally()
  private let returned = Tally()

  /// Works until it is cancelled, and then until the gate is open.
  private struct Working: Service {
    let test: EarlyStopTests

    func run() async throws {
      await test.early.run { [test] in
        test.begun.add()
        await untilCancelled()
        test.stopped.add()
        await test.gate.pass()
        test.ended.add()
      }
      test.returned.add()
    }
  }

  private struct Other: Service {
    let gate: Gate
    let stops: Tally

    func run() async throws {
      try await gracefulShutdown()
      stops.add()
      await gate.pass()
    }
  }

  private func group(_ others: [any Service] = []) -> ServiceGroup {
    ServiceGroup(
      configuration: .init(
        services: [Working(test: self)] + others,
        logger: Logger(label: "silent") { _ in SwiftLogNoOpLogHandler() }))
  }

  /// The work ends while the service whose turn comes first goes on. That it ends is no failure of the group.
  @Test func theWorkEndsBeforeTheTurn() async throws {
    let (other, stops) = (Gate(), Tally())
    let group = group([Other(gate: other, stops: stops)])
    let run = Task { try await group.run() }
    try await eventually { begun.value == 1 }
    await group.triggerGracefulShutdown()
    try await eventually { other.waiting == 1 }
    #expect(stopped.value == 0)
    early.stop()
    try await eventually { gate.waiting == 1 }
    gate.open()
    try await eventually { ended.value == 1 }
    await letOthersRun()
    #expect(returned.value == 0)
    other.open()
    try await run.value
    #expect(returned.value == 1 && stops.value == 1)
  }

  /// Without an early stop the work ends at the turn, and what has begun is waited for.
  @Test func theTurnEndsTheWork() async throws {
    let group = group()
    let run = Task { try await group.run() }
    try await eventually { begun.value == 1 }
    await group.triggerGracefulShutdown()
    try await eventually { gate.waiting == 1 }
    await letOthersRun()
    #expect(returned.value == 0)
    gate.open()
    try await run.value
    #expect(returned.value == 1)
  }

  /// A stop before the work begins, and a cancellation.
  @Test(arguments: [true, false]) func aStopBeforeTheBeginningCounts(_ isStopped: Bool) async throws {
    gate.open()
    if isStopped { early.stop() }
    let run = Task { try await Working(test: self).run() }
    if isStopped { try await eventually { ended.value == 1 } }
    run.cancel()
    try await run.value
    #expect(ended.value == 1 && returned.value == 1)
  }
}
