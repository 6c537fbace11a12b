internal import CognitoUserPool
internal import JOSE
internal import SigningKeyTesting
internal import Synchronization
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityTesting

/// Keys that are made ahead of need.
@Suite struct SpareKeyTests {
  private let source = KeySource()

  private func stock(_ limit: Int = 4) -> SpareSigningKeys {
    SpareSigningKeys(for: .rs256, limit: limit, source: source.maker)
  }

  /// Runs `body` while the stock is refilled.
  private func refilling<Value>(
    _ spares: SpareSigningKeys, _ body: () async throws -> Value
  ) async throws -> Value {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await spares.refill() }
      defer { group.cancelAll() }
      return try await body()
    }
  }

  /// The moduli of a pool's keys.
  private func moduli(_ s: PoolsService, _ poolID: String) async throws -> [String] {
    let set =
      try JSONValue(parsing: await s.service.published.keySet(ofPool: poolID)).object?["keys"]?.array ?? []
    return set.compactMap { $0.object?["n"]?.string }
  }

  /// A key that was taken is made anew, one at a time, and no more than that.
  @Test func theStockIsRefilledToItsLimit() async throws {
    let spares = stock(3)
    try await refilling(spares) {
      try await TokenSecurityTesting.eventually { spares.count == 3 }
      #expect(source.made == 3)
      for taken in 1...5 {
        _ = try await spares.maker.key(for: .rs256)
        try await TokenSecurityTesting.eventually { spares.count == 3 }
        #expect(source.made == 3 + taken)
      }
      // All at once.
      source.close()
      for _ in 0..<3 { _ = try await spares.maker.key(for: .rs256) }
      try await TokenSecurityTesting.eventually { source.running == 1 }
      #expect(spares.count == 0)
      source.open()
      try await TokenSecurityTesting.eventually { spares.count == 3 }
    }
    #expect(source.made == 11)
    #expect(source.mostRunning == 1)
  }

  /// The source makes no key until the new pool has answered.
  @Test func aCallWithSparesDoesNotWait() async throws {
    let spares = stock(2)
    let s = try PoolsService(keyMaker: spares.maker)
    try await refilling(spares) {
      try await TokenSecurityTesting.eventually { spares.count == 2 }
      source.close()
      #expect(try await moduli(s, s.makePoolID()).count == 2)
      #expect(spares.count == 0)
      try await TokenSecurityTesting.eventually { source.running == 1 }
      source.open()
      try await TokenSecurityTesting.eventually { spares.count == 2 }
    }
  }

  @Test func aCallWithoutSparesMakesItsKeys() async throws {
    let spares = stock()
    let s = try PoolsService(keyMaker: spares.maker)
    #expect(try await moduli(s, s.makePoolID()).count == 2)
    #expect(source.made == 2 && spares.count == 0)
    // While the stock's next key is being made, too.
    source.close()
    try await refilling(spares) {
      try await TokenSecurityTesting.eventually { source.running == 1 }
      let pool = try await s.makePoolID()
      async let keys = moduli(s, pool)
      try await TokenSecurityTesting.eventually { source.running == 2 }
      source.open()
      #expect(try await keys.count == 2)
    }
  }

  /// No key serves two pools, or two uses.
  @Test func poolsThatAreMadeAtOnceHaveDifferentKeys() async throws {
    let spares = stock()
    let s = try PoolsService(keyMaker: spares.maker)
    let all = try await refilling(spares) {
      try await withThrowingTaskGroup(of: [String].self) { group in
        for _ in 0..<16 { group.addTask { try await moduli(s, s.makePoolID()) } }
        return try await group.reduce(into: []) { $0 += $1 }
      }
    }
    #expect(all.count == 32)
    #expect(Set(all).count == 32)
  }

  /// The task ends, whether it waits or makes a key, and leaves no spares.
  @Test(arguments: [true, false]) func theEndOfTheTask(_ isIdle: Bool) async throws {
    let spares = stock(2)
    let refill = Task { await spares.refill() }
    try await TokenSecurityTesting.eventually { spares.count == 2 }
    if !isIdle {
      source.close()
      _ = try await spares.maker.key(for: .rs256)
      try await TokenSecurityTesting.eventually { source.running == 1 }
    }
    refill.cancel()
    await refill.value
    #expect(spares.count == 0)
    try await TokenSecurityTesting.eventually { source.running == 0 }
    // Calls go on.
    source.open()
    let made = source.made
    _ = try await spares.maker.key(for: .rs256)
    #expect(source.made == made + 1)
  }

  /// The end does not wait for a key that is made. It is not kept.
  @Test func aKeyThatIsFinishedAfterTheEnd() async throws {
    let source = source
    source.close()
    let spares = SpareSigningKeys(
      for: .rs256, limit: 1,
      source: SigningKeyMaker { algorithm in
        // Like libcrypto, it cannot be interrupted.
        try await Task.detached { try await source.maker.key(for: algorithm) }.value
      })
    let refill = Task { await spares.refill() }
    try await TokenSecurityTesting.eventually { source.running == 1 }
    refill.cancel()
    await refill.value
    #expect(spares.count == 0)
    source.open()
    try await TokenSecurityTesting.eventually { source.made == 1 }
    #expect(spares.count == 0)
  }

  /// At a shutdown no call waits for a key, and spares are still given out.
  @Test func callsDoNotWaitAfterAStop() async throws {
    let spares = stock(1)
    let refill = Task { await spares.refill() }
    try await TokenSecurityTesting.eventually { spares.count == 1 }
    source.close()
    let waiting = Task { try await spares.maker.key(for: .es256) }
    try await TokenSecurityTesting.eventually { source.running == 1 }
    spares.stop()
    await #expect(throws: SpareSigningKeys.Stopped.self) { try await waiting.value }
    try await TokenSecurityTesting.eventually { source.running == 0 }
    _ = try await spares.maker.key(for: .rs256)
    await #expect(throws: SpareSigningKeys.Stopped.self) { try await spares.maker.key(for: .es256) }
    refill.cancel()
    await refill.value
    await #expect(throws: SpareSigningKeys.Stopped.self) { try await spares.maker.key(for: .rs256) }
  }

  @Test func aSourceThatFailsIsAskedAgain() async throws {
    let spares = stock(2)
    source.fail(3)
    let failures = Mutex<[String]>([])
    let refill = Task {
      await spares.refill(pause: .zero) { error in failures.withLock { $0.append("\(error)") } }
    }
    try await TokenSecurityTesting.eventually { spares.count == 2 }
    refill.cancel()
    await refill.value
    #expect(failures.withLock { $0 } == Array(repeating: "the source is away", count: 3))
    #expect(source.made == 5)
  }

  /// A key that a ring would refuse is no spare.
  @Test func unfitKeysAreNotKept() async throws {
    let asked = Mutex(0)
    let spares = SpareSigningKeys(
      for: .rs256,
      source: SigningKeyMaker { _ in
        asked.withLock { $0 += 1 }
        return try JWK.generate(.es256, keyID: "e")
      })
    let failures = Mutex<[JOSEError?]>([])
    let refill = Task {
      await spares.refill(pause: .zero) { error in failures.withLock { $0.append(error as? JOSEError) } }
    }
    try await TokenSecurityTesting.eventually { failures.withLock { $0.count } >= 2 }
    #expect(spares.count == 0)
    refill.cancel()
    await refill.value
    #expect(
      failures.withLock { $0.first }
        == .keyAlgorithmMismatch(kid: "e", keyAlgorithm: "ES256", algorithm: .rs256))
  }

  /// The parent gives out the keys that it has.
  @Test func aForkedProcessHasNoneOfItsParent() async throws {
    let process = Mutex<Int32>(100)
    let spares = SpareSigningKeys(for: .rs256, limit: 2, source: source.maker) { process.withLock { $0 } }
    try await refilling(spares) {
      try await TokenSecurityTesting.eventually { spares.count == 2 }
      source.close()
      process.withLock { $0 = 101 }
      async let key = spares.maker.key(for: .rs256)
      try await TokenSecurityTesting.eventually { source.running >= 1 }
      #expect(spares.count == 0)
      source.open()
      _ = try await key
      // Its own.
      try await TokenSecurityTesting.eventually { spares.count == 2 }
    }
    #expect(source.made == 5)
  }

  @Test func keysForOtherAlgorithmsAreMadeWhenTheyAreNeeded() async throws {
    let spares = stock(1)
    try await refilling(spares) {
      try await TokenSecurityTesting.eventually { spares.count == 1 }
      let key = try await spares.maker.key(for: .rs512)
      #expect(key.algorithmName == "RS512")
      #expect(spares.count == 1 && source.made == 2)
    }
  }
}
