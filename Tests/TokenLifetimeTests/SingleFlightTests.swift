internal import Testing
internal import TokenLifetime
internal import TokenSecurityTesting

@Suite struct SingleFlightTests {
  /// A flight that ends when the gate opens, and the gate.
  private func flight(
    _ starts: Tally
  ) -> (flight: SingleFlight<Int>, gate: Gate) {
    let gate = Gate()
    let flight = SingleFlight {
      starts.add()
      await gate.pass()
      return 7
    }
    return (flight, gate)
  }

  @Test func runsOnceForAllCallers() async {
    let starts = Tally()
    let (flight, gate) = flight(starts)
    let values = await withTaskGroup(of: Int?.self) { group in
      for _ in 0..<50 { group.addTask { await flight.value } }
      for _ in 0..<10 { await Task.yield() }
      gate.open()
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(values == Array(repeating: 7, count: 50))
    #expect(starts.value == 1)
    // The value stays for callers that come later.
    #expect(await flight.value == 7)
  }

  @Test func aCancelledCallerLeavesAndTheOperationContinues() async {
    let starts = Tally()
    let (flight, gate) = flight(starts)
    let leaver = Task { await flight.value }
    let other = Task { await flight.value }
    leaver.cancel()
    #expect(await leaver.value == nil)
    gate.open()
    #expect(await other.value == 7)
    #expect(await flight.value == 7)
    #expect(starts.value == 1)
  }

  /// The first caller's cancellation does not reach the operation.
  @Test func anAbandonedOperationEnds() async {
    let gate = Gate()
    let starter = Task {
      let flight = SingleFlight {
        await gate.pass()
        return Task.isCancelled
      }
      let value = await flight.value
      return (flight, value)
    }
    starter.cancel()
    let (flight, value) = await starter.value
    #expect(value == nil)
    gate.open()
    #expect(await flight.value == false)
  }
}
