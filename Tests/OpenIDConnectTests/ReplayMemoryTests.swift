internal import JOSE
internal import OpenIDConnect
internal import Testing

@Suite struct ReplayMemoryTests {
  let now = NumericDate(seconds: 1_000)

  @Test func remembersUntilTheEnd() {
    let memory = ReplayMemory(capacity: 2)
    let end = NumericDate(seconds: 1_010)
    #expect(memory.admit("a", until: end, at: now))
    #expect(!memory.admit("a", until: end, at: now))
    #expect(!memory.admit("a", until: end, at: end))
    #expect(memory.admit("a", until: end, at: NumericDate(seconds: 1_011)))
  }

  @Test func admitsNothingNewRatherThanForget() {
    let memory = ReplayMemory(capacity: 2)
    let end = NumericDate(seconds: 1_010)
    #expect(memory.admit("a", until: end, at: now))
    #expect(memory.admit("b", until: end, at: now))
    #expect(!memory.admit("c", until: end, at: now))
    #expect(memory.admit("c", until: NumericDate(seconds: 2_000), at: NumericDate(seconds: 1_011)))
    #expect(memory.admit("d", until: NumericDate(seconds: 1_020), at: NumericDate(seconds: 1_011)))
    #expect(!memory.admit("e", until: NumericDate(seconds: 2_000), at: NumericDate(seconds: 1_020)))
    #expect(memory.admit("e", until: NumericDate(seconds: 2_000), at: NumericDate(seconds: 1_021)))
    #expect(!memory.admit("c", until: NumericDate(seconds: 2_000), at: NumericDate(seconds: 1_021)))
  }
}
