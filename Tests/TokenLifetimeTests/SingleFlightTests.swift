internal import Synchronization
internal import Testing
internal import TokenLifetime

@Suite struct SingleFlightTests {
  /// A flight that ends when the gate opens, and the gate.
  private func flight(
    _ starts: Counter
  ) -> (flight: SingleFlight<Int>, gate: AsyncStream<Void>.Continuation) {
    let (stream, gate) = AsyncStream.makeStream(of: Void.self)
    let flight = SingleFlight {
      starts.add()
      for await _ in stream {}
      return 7
    }
    return (flight, gate)
  }

  private final class Counter: Sendable {
    private let value = Mutex(0)
    var count: Int { value.withLock { $0 } }
    func add() { value.withLock { $0 += 1 } }
  }

  @Test func runsOnceForAllCallers() async {
    let starts = Counter()
    let (flight, gate) = flight(starts)
    let values = await withTaskGroup(of: Int?.self) { group in
      for _ in 0..<50 { group.addTask { await flight.value } }
      for _ in 0..<10 { await Task.yield() }
      gate.finish()
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(values == Array(repeating: 7, count: 50))
    #expect(starts.count == 1)
    // The value stays for callers that come later.
    #expect(await flight.value == 7)
  }

  @Test func aCancelledCallerLeavesAndTheOperationContinues() async {
    let starts = Counter()
    let (flight, gate) = flight(starts)
    let leaver = Task { await flight.value }
    let other = Task { await flight.value }
    leaver.cancel()
    #expect(await leaver.value == nil)
    gate.finish()
    #expect(await other.value == 7)
    #expect(await flight.value == 7)
    #expect(starts.count == 1)
  }

  /// The first caller's cancellation does not reach the operation.
  @Test func anAbandonedOperationEnds() async {
    let (stream, gate) = AsyncStream.makeStream(of: Void.self)
    let starter = Task {
      let flight = SingleFlight {
        for await _ in stream {}
        return Task.isCancelled
      }
      let value = await flight.value
      return (flight, value)
    }
    starter.cancel()
    let (flight, value) = await starter.value
    #expect(value == nil)
    gate.finish()
    #expect(await flight.value == false)
  }
}
