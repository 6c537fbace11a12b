internal import TokenSecurityCrypto
internal import Testing
internal import TokenSecurityTesting
internal import TokenSecurityVectorFiles

internal import SecureRemotePassword
@testable internal import CognitoSRP

/// The replay cache and the store of challenges are bounded, never refuse new sign-ins, and never accept a
/// block twice.
@Suite struct CognitoReplayTests {
  static func id(_ number: Int) -> [UInt8] {
    (0..<16).map { UInt8(truncatingIfNeeded: number >> (8 * min($0, 7))) }
  }

  @Test func aFullMemoryForgetsWhatEndsFirst() {
    let memory = CognitoReplayCache(capacity: 2)
    #expect(memory.insert([1], until: 10, at: 0))
    #expect(memory.insert([2], until: 20, at: 0))
    #expect(!memory.insert([1], until: 10, at: 9))
    // The first entry is removed. Blocks with its end are refused.
    #expect(memory.insert([3], until: 30, at: 9))
    #expect(memory.count == 2)
    #expect(!memory.insert([1], until: 10, at: 9))
    #expect(!memory.insert([4], until: 10, at: 9))
    #expect(memory.insert([5], until: 15, at: 9))
    #expect(!memory.insert([5], until: 15, at: 9))
    #expect(!memory.insert([2], until: 20, at: 9))
    #expect(!memory.insert([3], until: 30, at: 9))
  }

  @Test func thePresentIsTheDefault() {
    let cache = CognitoReplayCache()
    #expect(cache.insert([1], until: .now + .seconds(600)))
    #expect(cache.insert([2], until: .now - .seconds(600)))
    // The block that had ended was removed, and others with its end are refused.
    #expect(cache.insert([3], until: .now + .seconds(600)))
    #expect(cache.count == 2)
  }

  /// A block is valid in the second of its end, so that it is stored for that second too.
  @Test func entriesAreFreedAfterTheirEnd() {
    let memory = CognitoReplayCache(capacity: 100)
    for number in 0..<50 { #expect(memory.insert(Self.id(number), until: 10, at: 0)) }
    #expect(!memory.insert(Self.id(0), until: 10, at: 10))
    #expect(memory.count == 50)
    // A few at each call, before the cache is full.
    #expect(memory.insert(Self.id(50), until: 20, at: 11))
    #expect(memory.count == 43)
    for number in 51..<60 { #expect(memory.insert(Self.id(number), until: 20, at: 11)) }
    #expect(memory.count == 10)
  }

  /// A clock that is ahead for a moment removes entries whose blocks are valid again afterwards.
  @Test func aClockThatIsAheadForAMomentLetsNothingInTwice() {
    let memory = CognitoReplayCache(capacity: 100)
    for number in 0..<20 { #expect(memory.insert(Self.id(number), until: 300, at: 0)) }
    for number in 20..<40 {
      #expect(memory.insert(Self.id(number), until: 1_000_000_300, at: 1_000_000_000))
    }
    for number in 0..<40 {
      #expect(!memory.insert(Self.id(number), until: number < 20 ? 300 : 1_000_000_300, at: 1))
    }
    #expect(memory.insert(Self.id(40), until: 301, at: 1))
  }

  /// After a clock was ahead for longer than the lifetime of blocks, new sign-ins are accepted.
  @Test(arguments: [3_600, 1_000_000_000, 253_402_280_000] as [Int64])
  func aClockThatWasAheadForLongRefusesNobody(_ ahead: Int64) {
    let memory = CognitoReplayCache(capacity: 100)
    var number = 0
    func isFirstUse(at seconds: Int64) -> Bool {
      number += 1
      let now = Timestamp(seconds: seconds)
      return memory.insert(Self.id(number), until: now + 300, at: now)
    }
    for second in 0..<200 as Range<Int64> { #expect(isFirstUse(at: 7 * second)) }
    for second in 0..<200 as Range<Int64> { #expect(isFirstUse(at: ahead + 7 * second)) }
    for second in 200..<400 as Range<Int64> { #expect(isFirstUse(at: 7 * second)) }
    for used in 1...number {
      let start: Int64 = (201...400).contains(used) ? ahead - 1_400 : used > 400 ? -1_400 : 0
      let end = start + 7 * Int64(used - 1) + 300
      #expect(!memory.insert(Self.id(used), until: Timestamp(seconds: end), at: 2_800))
    }
  }

  /// Ranges against a set: all inserted ends are included, and the number of ranges is limited.
  @Test(arguments: [1, 2, 3, 4] as [UInt64]) func forgottenEndsAreRanges(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let extremes: [Int64] = [.min, .min + 1, -1, 0, 1, .max - 1, .max]
    var forgotten = RemovedEnds()
    var inserted: Set<Int64> = []
    for round in 0..<600 {
      let end =
        round % 40 == 39
        ? extremes[Int.random(in: 0..<extremes.count, using: &random)]
        : Int64.random(in: 0...(round < 300 ? 40 : 100_000), using: &random)
      forgotten.insert(end)
      inserted.insert(end)
      #expect(forgotten.ranges.count <= RemovedEnds.limit)
      if round < 300 {
        #expect((-2...50).allSatisfy { forgotten.contains($0) == inserted.contains($0) })
      }
    }
    #expect(inserted.allSatisfy { forgotten.contains($0) })
    // Ends between the present and the extremes are not included.
    #expect(!forgotten.contains(1_000_000_000) && !forgotten.contains(-1_000_000_000))
  }

  @Test(arguments: [1, 2, 3] as [UInt64]) func nothingIsTakenTwiceWhateverTheClockDoes(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let memory = CognitoReplayCache(capacity: 8)
    var used: Set<[UInt8]> = []
    let instants: [Timestamp] = [.earliest, -1, 0, 1, 50, 299, 300, 301, 100_000, .latest]
    for _ in 0..<TestScale.count(20_000) {
      let number = Int.random(in: 0..<64, using: &random)
      let end = instants[number % instants.count]
      let now = instants[Int.random(in: 0..<instants.count, using: &random)]
      if memory.insert(Self.id(number), until: end, at: now) {
        #expect(used.insert(Self.id(number)).inserted)
      }
      #expect(memory.count <= 8)
    }
    #expect(!used.isEmpty)
  }

  /// A flood of requests for challenges does not prevent sign-ins.
  @Test func aFloodOfChallengesRefusesNobody() async throws {
    let app = try Material.app()
    let stored = StoredSecretBlocks(capacity: 4)
    let server = try Material.server(stored)
    let first = try await Material.answer(server)
    for _ in 0..<3 { _ = try await Material.answer(server) }
    // The challenge is still valid after three others in a store of four.
    _ = try await server.verify(first, client: app, at: Material.now)
    let dropped = try await Material.answer(server)
    for _ in 0..<6 { _ = try await Material.answer(server) }
    #expect(stored.count == 4)
    let last = try await Material.answer(server)
    _ = try await server.verify(last, client: app, at: Material.now)
    #expect(
      await Material.code { _ = try await server.verify(dropped, client: app, at: Material.now) }
        == .secretBlockInvalid)
  }

  /// A flood of wrong responses, which fills the replay cache, does not prevent sign-ins.
  @Test func aFloodOfAnswersRefusesNobody() async throws {
    let app = try Material.app()
    let memory = CognitoReplayCache(capacity: 4)
    let server = try Material.server(Material.sealed(replayGuard: memory))
    var used: [CognitoChallengeResponse] = []
    for second in 0..<12 as Range<Int64> {
      let answer = try await Material.answer(server, password: "guess", at: Material.now + .seconds(second))
      used.append(answer)
      #expect(
        await Material.code {
          _ = try await server.verify(answer, client: app, at: Material.now + .seconds(second))
        }
          == .passwordMismatch)
    }
    let own = try await Material.answer(server, at: Material.now + 12)
    _ = try await server.verify(own, client: app, at: Material.now + 12)
    #expect(memory.count == 4)
    for answer in used + [own] {
      #expect(
        await Material.code { _ = try await server.verify(answer, client: app, at: Material.now + 12) }
          == .secretBlockReplayed)
    }
  }

  /// Challenges from a clock that was ahead do not keep the store full.
  @Test func storedChallengesAfterAClockThatWentBack() async throws {
    let app = try Material.app()
    let stored = StoredSecretBlocks(capacity: 2)
    let server = try Material.server(stored)
    let year: Duration = 31_536_000
    for _ in 0..<2 { _ = try await Material.answer(server, at: Material.now + year * 10) }
    for second in 0..<4 as Range<Int64> {
      let answer = try await Material.answer(server, at: Material.now + .seconds(second))
      _ = try await server.verify(answer, client: app, at: Material.now + .seconds(second))
    }
  }
}
