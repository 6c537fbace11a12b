@testable internal import CognitoIdentity
internal import PostgreSQLTestServer
internal import RecordsPostgreSQL
internal import Testing
internal import TokenLifetime
internal import TokenSecurityCrypto
internal import TokenSecurityTesting

/// Signed calls that arrive at two nodes.
@Suite struct SharedCallTests {
  /// The clock by which a node waits for the other one.
  private let timers = SettableClock()

  private func with(_ body: ([RepeatedCalls], any RecordStore) async throws -> Void) async throws {
    let database = try await TestServer.shared.makeDatabase()
    var stores: [PostgreSQLRecordStore] = []
    for _ in 0..<2 {
      stores.append(
        try await PostgreSQLRecordStore(TestServer.shared.settings(database), tables: IdentityTables.all))
    }
    let sealing = try SealingKeys(master: SecretBytes.random(count: SealingKeys.masterSize))
    var limits = RepeatedCalls.Limits()
    (limits.patience, limits.timers) = (.seconds(1 << 32), timers)
    limits.kept.sameSecond = .seconds(1 << 32)
    let nodes = stores.map { RepeatedCalls(store: $0, sealing: sealing, limits: limits) }
    try await body(nodes, stores[0])
    for store in stores { try await store.close() }
  }

  @Test func eachIsExecutedOnce() async throws {
    try await with { nodes, _ async throws in
      let (count, gate, ended) = (Tally(), Gate(), Tally())
      let outcomes = try await withThrowingTaskGroup(of: [UInt8].self) { group in
        for number in 0..<32 {
          group.addTask {
            defer { ended.add() }
            return try await nodes[number % 2].once("K", "signature") { () throws(IdentityError) in
              await gate.pass()
              return Array("\(count.add())".utf8)
            }
          }
        }
        // One node executes it, and the other one has found that.
        try await eventually { gate.waiting > 0 && timers.sleepers > 0 }
        gate.open()
        try await timers.advance(by: .milliseconds(100)) { ended.value == 32 }
        return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
      }
      #expect(count.value == 1 && outcomes == [Array("1".utf8)])
    }
  }

  @Test func refusalsAreRepeatedToo() async throws {
    try await with { nodes, _ async throws in
      let count = Tally()
      func call(_ node: Int, _ error: IdentityError, signature: String) async -> IdentityError? {
        do throws(IdentityError) {
          _ = try await nodes[node].once("K", signature) { () throws(IdentityError) in
            count.add()
            throw error
          }
          return nil
        } catch {
          return error
        }
      }
      #expect(await call(0, .developerUserUnknown, signature: "a") == .developerUserUnknown)
      let repeated = await call(1, .poolUnknown("x"), signature: "a")
      #expect(count.value == 1)
      #expect(repeated?.codeText == "developer_user_unknown")
      #expect(repeated?.type == "ResourceNotFoundException" && repeated?.status == 400)
      #expect(repeated?.description == "\(IdentityError.developerUserUnknown)")
      // Errors of the service are not kept, nor are calls that the access key does not allow.
      for (number, error) in [IdentityError.storeFailed("x"), .storeBusy, .callerForbidden(rule: "x")]
        .enumerated()
      {
        #expect(await call(0, error, signature: "b\(number)") == error)
        #expect(await call(1, .parameterMissing("x"), signature: "b\(number)") == .parameterMissing("x"))
      }
    }
  }

  /// As one node does: see `RepeatedCallsTests`.
  @Test func otherCallsOfTheSameSecondAreExecuted() async throws {
    try await with { nodes, _ async throws in
      let count = Tally()
      func call(_ node: Int, _ invocation: String, from address: String = "192.0.2.1") async throws -> String
      {
        let origin = RepeatedCalls.Origin(invocation: invocation, address: address)
        return String(
          decoding: try await nodes[node].once("K", "s", from: origin) { () throws(IdentityError) in
            count.add()
            return Array(invocation.utf8)
          }, as: UTF8.self)
      }
      #expect(try await call(0, "one") == "one")
      #expect(try await call(1, "one") == "one")
      #expect(try await call(1, "two", from: "192.0.2.2") == "one")
      #expect(count.value == 1)
    }
  }

  /// Two calls of a second have one signature. The second one is executed once, although the first one fails.
  @Test func aFirstCallThatFails() async throws {
    try await with { nodes, _ async throws in
      let (count, gate) = (Tally(), Gate())
      func call(_ node: Int, _ invocation: String) async throws -> [UInt8] {
        let origin = RepeatedCalls.Origin(invocation: invocation, address: "192.0.2.1")
        return try await nodes[node].once("K", "s", from: origin) { () throws(IdentityError) in
          [UInt8(count.add())]
        }
      }
      let origin = RepeatedCalls.Origin(invocation: "one", address: "192.0.2.1")
      let first = Task {
        await code {
          _ = try await nodes[0].once("K", "s", from: origin) { () throws(IdentityError) in
            await gate.pass()
            throw .storeBusy
          }
        }
      }
      try await eventually { gate.waiting == 1 }
      #expect(try await call(1, "two") == [1])
      gate.open()
      #expect(await first.value == "store_busy")
      #expect(try await call(0, "two") == [1])
      #expect(try await call(1, "one") == [2])
      #expect(try await call(0, "one") == [2])
      #expect(count.value == 2)
    }
  }

  /// The node that claimed a call has failed: its copies are not executed, and expire with the signature.
  @Test func abandonedCallsAreNotExecuted() async throws {
    let database = try await TestServer.shared.makeDatabase()
    let store = try await PostgreSQLRecordStore(
      TestServer.shared.settings(database), tables: IdentityTables.all)
    let now = Fixture.now
    let call = try RepeatedCalls.Call([1], RepeatedCalls.Origin(), validity: StoredCall.validity)
    try await store.write(at: now) { rows throws(IdentityError) in
      try rows.put(
        StoredCall(
          name: call.first, invocation: call.invocation, address: call.address, started: now),
        in: IdentityTables.calls)
    }
    let limits = SharedCalls.Limits(patience: .seconds(15), sameSecond: .seconds(2), timers: timers)
    let calls = SharedCalls(store, try SealingKeys(master: .random(count: 32)), limits)
    @Sendable func outcome(after seconds: Int64) async -> String {
      await code {
        _ = try await calls.once(call, at: now.advanced(bySeconds: seconds)) { () throws(IdentityError) in [5]
        }
      }
    }
    for seconds in [1, 1_860] as [Int64] {
      let code = try await timers.advancing(by: .seconds(1)) { await outcome(after: seconds) }
      #expect(code == "outcome_unknown")
    }
    #expect(await outcome(after: 1_862) == "")
    try await store.close()
  }
}
