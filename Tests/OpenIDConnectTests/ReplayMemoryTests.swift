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

  @Test func namesThatLookAlikeAreTwo() {
    let memory = ReplayMemory()
    let end = NumericDate(seconds: 1_010)
    #expect(memory.admit("\u{212A}unden", until: end, at: now))
    #expect(memory.admit("Kunden", until: end, at: now))
    #expect(memory.admit("e\u{301}", until: end, at: now))
    #expect(memory.admit("\u{E9}", until: end, at: now))
  }

  @Test func whatIsTooFarAwayIsRefused() {
    let memory = ReplayMemory(capacity: 2, longestLife: .seconds(100))
    #expect(!memory.admit("a", until: NumericDate(seconds: 1_101), at: now))
    #expect(memory.admit("a", until: NumericDate(seconds: 1_100), at: now))
    #expect(
      !ReplayMemory(capacity: 2, longestLife: Duration(attoseconds: .min)).admit("a", until: now, at: now))
    #expect(
      ReplayMemory(capacity: 2, longestLife: Duration(attoseconds: .max)).admit("a", until: now, at: now))
  }

  /// The clock was ahead for a moment, and the memory was filled.
  @Test func whatAClockThatWasAheadLeftDoesNotFillTheMemory() {
    let memory = ReplayMemory(capacity: 3, longestLife: .seconds(100))
    let ahead = NumericDate(seconds: 10_000_000)
    for name in ["a", "b", "c"] {
      #expect(memory.admit(name, until: ahead.advanced(bySeconds: 50), at: ahead))
    }
    for name in ["a", "d", "e"] { #expect(memory.admit(name, until: now.advanced(bySeconds: 50), at: now)) }
    #expect(!memory.admit("d", until: now.advanced(bySeconds: 50), at: now))
  }

  /// The clock moves at random. What was accepted is refused as long as it could be valid, and a memory that is full
  /// accepts something new after the longest life at the latest.
  @Test(arguments: 0..<20)
  func aClockThatJumpsNeitherLocksNorForgets(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let life: Int64 = 100
    let memory = ReplayMemory(capacity: 16, longestLife: .seconds(life))
    var seconds: Int64 = 1_000_000
    var number = 0
    for _ in 0..<300 {
      let jumps: [Int64] = [0, 1, 7, 50, life, 3_600, 86_400 * 365, -1, -50, -3_600, -86_400 * 365]
      seconds += jumps.randomElement(using: &random) ?? 0
      let now = NumericDate(seconds: seconds)
      let end = now.advanced(bySeconds: Int64.random(in: 0...life, using: &random))
      for _ in 0..<Int.random(in: 1...20, using: &random) {
        number += 1
        let isNew = memory.admit("\(number)", until: end, at: now)
        if isNew {
          #expect(!memory.admit("\(number)", until: end, at: now))
          #expect(!memory.admit("\(number)", until: end, at: end))
        }
      }
      // Minute by minute there is room again.
      let later = now.advanced(bySeconds: life + 61)
      number += 1
      #expect(memory.admit("\(number)", until: later.advanced(bySeconds: 1), at: later))
    }
  }

  /// A memory that is full of names of which few expire at a time, by which each call once walked all of them.
  @Test func aFullMemoryGoesOnWorking() {
    let memory = ReplayMemory(capacity: 20_000)
    for number in 0..<20_000 {
      #expect(memory.admit("\(number)", until: NumericDate(seconds: 1_001 + Int64(number) / 2), at: now))
    }
    for number in 0..<10_000 {
      let later = NumericDate(seconds: 1_002 + Int64(number))
      #expect(memory.admit("again \(number)", until: NumericDate(seconds: 90_000), at: later))
    }
  }
}

/// Random numbers that are the same in each run (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
