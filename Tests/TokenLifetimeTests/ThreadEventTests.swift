internal import Dispatch
internal import Testing
internal import TokenSecurityPlatform
internal import TokenSecurityTesting

/// Events that threads wait for.
@Suite struct ThreadEventTests {
  @Test func itHappensForThoseThatWaitAndThoseThatCome() async throws {
    let (event, woken, waiting) = (ThreadEvent(), Tally(), Tally())
    // On threads of their own: tasks must not block.
    for _ in 0..<4 {
      DispatchQueue(label: "waits").async {
        waiting.add()
        if event.wait(milliseconds: .max) { woken.add() }
      }
    }
    try await eventually { waiting.value == 4 }
    #expect(woken.value == 0)
    event.happen()
    try await eventually { woken.value == 4 }
    event.happen()
    #expect(event.wait(milliseconds: 0) && event.wait(milliseconds: .min))
  }

  @Test(arguments: [Int64.min, -1, 0, 1]) func aWaitEnds(_ milliseconds: Int64) {
    #expect(!ThreadEvent().wait(milliseconds: milliseconds))
  }
}
