internal import Records
internal import Testing
internal import TokenSecurityTesting

/// Numbers that are counted once at a time.
@Suite struct AgedCountsTests {
  private typealias Counts = AgedCounts<String, Int, RuleError>

  private func isRefused(_ result: Result<Void, RuleError>?) -> Bool {
    if case .failure(.refused)? = result { true } else { false }
  }

  private func isKnown(_ result: Result<Void, RuleError>?) -> Bool {
    if case .success? = result { true } else { false }
  }

  /// All callers that come while a scope is counted wait for that count. It is valid from its end on.
  @Test func oneCountServesAll() async throws {
    let (timers, gate, begun) = (SettableClock(), Gate(), Tally())
    let counts = Counts(validFor: .seconds(1), clock: { timers.instant })
    @Sendable func refresh(_ scope: String) async -> Result<Void, RuleError>? {
      await counts.refresh(scope) {
        begun.add()
        await gate.pass()
        return .success(begun.value)
      }
    }
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<20 { group.addTask { isKnown(await refresh("a")) } }
      try? await eventually { gate.waiting == 1 }
      await letOthersRun()
      // It takes longer than it is valid.
      timers.advance(by: .seconds(60))
      gate.open()
      for await isKnown in group { #expect(isKnown) }
    }
    #expect(begun.value == 1 && counts["a"] == 1 && counts["b"] == nil)
    timers.advance(by: .milliseconds(999))
    #expect(isKnown(await refresh("a")) && begun.value == 1)
    #expect(isKnown(await refresh("b")) && counts["b"] == 2)
    timers.advance(by: .milliseconds(1))
    #expect(isKnown(await refresh("a")) && counts["a"] == 3)
  }

  /// Additions by callers count until the next count, and a number that is not known is not changed.
  @Test func whatIsAddedCounts() async {
    let timers = SettableClock()
    let counts = Counts(validFor: .seconds(1), clock: { timers.instant })
    #expect(counts.update("a", { $0 += 1 }) == nil)
    #expect(isKnown(await counts.refresh("a") { .success(7) }))
    #expect(counts.update("a", { $0 += 1 }) != nil)
    #expect(counts["a"] == 8)
    timers.advance(by: .seconds(1))
    #expect(isKnown(await counts.refresh("a") { .success(7) }) && counts["a"] == 7)
  }

  /// A count that fails serves those who have waited for it. The next call counts again.
  @Test func aFailureIsNotKept() async {
    let counts = Counts(validFor: .seconds(1), clock: { .now })
    #expect(isRefused(await counts.refresh("a") { .failure(.refused) }))
    #expect(counts["a"] == nil)
    #expect(isKnown(await counts.refresh("a") { .success(1) }) && counts["a"] == 1)
  }

  /// Outdated numbers are forgotten where many are known.
  @Test func outdatedNumbersAreForgotten() async {
    let timers = SettableClock()
    let counts = Counts(validFor: .seconds(1), limit: 3, clock: { timers.instant })
    for scope in ["a", "b", "c"] { #expect(isKnown(await counts.refresh(scope) { .success(1) })) }
    timers.advance(by: .seconds(1))
    #expect(isKnown(await counts.refresh("d") { .success(1) }))
    #expect(["a", "b", "c", "d"].map { counts[$0] } == [nil, nil, nil, 1])
  }

  /// A caller that is cancelled stops waiting, and the count goes on.
  @Test func aCancelledCallerStopsWaiting() async throws {
    let gate = Gate()
    let counts = Counts(validFor: .seconds(1), clock: { .now })
    let caller = Task {
      await counts.refresh("a") {
        await gate.pass()
        return .success(1)
      }
    }
    try await eventually { gate.waiting == 1 }
    caller.cancel()
    #expect(await caller.value == nil)
    gate.open()
    try await eventually { counts["a"] == 1 }
    #expect(counts["a"] == 1)
  }
}
