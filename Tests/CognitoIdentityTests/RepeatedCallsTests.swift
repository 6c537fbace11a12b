internal import CognitoIdentity
internal import Testing
internal import TokenSecurityTesting

/// A repeated signed call gets the first response.
@Suite struct RepeatedCallsTests {
  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test func executedOncePerSignature() async throws {
    let clock = SettableClock()
    let calls = RepeatedCalls(uptime: { clock.elapsed })
    func once(_ key: String, _ signature: String, _ answer: String) async throws -> String {
      text(try await calls.once(key, signature) { () throws(IdentityError) in Array(answer.utf8) })
    }
    #expect(try await once("K", "s", "first") == "first")
    #expect(try await once("K", "s", "second") == "first")
    #expect(try await once("K", "t", "third") == "third")
    #expect(try await once("L", "s", "fourth") == "fourth")
    // Keys are compared by their bytes.
    #expect(try await once("\u{212A}", "s", "fifth") == "fifth")
    clock.advance(by: .seconds(1_800))
    #expect(try await once("K", "s", "sixth") == "first")
    clock.advance(by: .seconds(1))
    #expect(try await once("K", "s", "seventh") == "seventh")
  }

  /// Equal calls of one second are distinguished by the client's name for them; copies are not.
  @Test func otherCallsOfTheSameSecondAreExecuted() async throws {
    let clock = SettableClock()
    let calls = RepeatedCalls(uptime: { clock.elapsed })
    let count = Tally()
    func call(_ invocation: String?, from address: String = "192.0.2.1") async throws -> String {
      let origin = RepeatedCalls.Origin(invocation: invocation, address: address)
      return text(
        try await calls.once("K", "s", from: origin) { () throws(IdentityError) in
          count.add()
          return Array((invocation ?? "none").utf8)
        })
    }
    #expect(try await call("one") == "one")
    #expect(try await call("one") == "one")
    // A copy from another address is not executed, whatever its name.
    #expect(try await call("two", from: "192.0.2.2") == "one")
    clock.advance(by: .seconds(1))
    #expect(try await call("two") == "two")
    #expect(try await call("one") == "one")
    #expect(try await call(nil) == "none")
    #expect(count.value == 3)
    clock.advance(by: .seconds(1))
    // Later it is not executed either; executed calls keep their responses.
    #expect(try await call("three") == "one")
    #expect(try await call("two", from: "192.0.2.2") == "two")
    #expect(try await call(nil) == "none")
    #expect(count.value == 3)
    #expect(calls.size.entries == 3)
  }

  @Test func refusalsAreRememberedAndFaultsAreNot() async throws {
    let calls = RepeatedCalls()
    let count = Tally()
    func failing(_ signature: String, _ error: IdentityError) async -> String {
      await code {
        _ = try await calls.once("K", signature) { () throws(IdentityError) in
          count.add()
          throw error
        }
      }
    }
    #expect(await failing("refused", .poolUnknown("p")) == "pool_unknown")
    #expect(await failing("refused", .poolUnknown("p")) == "pool_unknown")
    #expect(count.value == 1)
    #expect(await failing("fault", .storeFailed("full")) == "store_failed")
    #expect(await failing("fault", .storeFailed("full")) == "store_failed")
    #expect(count.value == 3)
    let done = try await calls.once("K", "fault") { () throws(IdentityError) in Array("done".utf8) }
    #expect(text(done) == "done")
  }

  /// An access key without permission to administer cannot fill the memory.
  @Test func forbiddenCallsTakeNoRoom() async throws {
    var limits = RepeatedCalls.Limits()
    limits.kept.entries = 10
    let calls = RepeatedCalls(limits: limits)
    for number in 0..<100 {
      let found = await code {
        _ = try await calls.once("K", "\(number)") { () throws(IdentityError) in
          throw .callerForbidden(rule: "the access key may not administer")
        }
      }
      #expect(found == "caller_forbidden")
    }
    #expect(calls.size.entries == 0 && calls.size.bytes == 0)
  }

  @Test func manyAtOnceAreOne() async throws {
    let calls = RepeatedCalls()
    let count = Tally()
    try await withThrowingTaskGroup(of: String.self) { group in
      for number in 0..<64 {
        group.addTask {
          let bytes = try await calls.once("K", "s") { () throws(IdentityError) in
            count.add()
            for _ in 0..<100 { await Task.yield() }
            return Array("\(number)".utf8)
          }
          return String(decoding: bytes, as: UTF8.self)
        }
      }
      var answers: Set<String> = []
      for try await answer in group { answers.insert(answer) }
      #expect(answers.count == 1)
    }
    #expect(count.value == 1)
  }

  @Test func entriesAndBytesAreBounded() async throws {
    let clock = SettableClock()
    var limits = RepeatedCalls.Limits()
    limits.kept.entries = 100
    limits.kept.bytes = 1 << 20
    let calls = RepeatedCalls(limits: limits, uptime: { clock.elapsed })
    func call(_ number: Int, size: Int) async -> String {
      await code {
        _ = try await calls.once("K", "\(number)") { () throws(IdentityError) in
          [UInt8](repeating: 0x20, count: size)
        }
      }
    }
    for number in 0..<100 { #expect(await call(number, size: 2) == "") }
    #expect(await call(100, size: 2) == "too_many_requests")
    #expect(await call(7, size: 2) == "")
    clock.advance(by: .seconds(1_801))
    #expect(await call(101, size: 1 << 20) == "")
    #expect(calls.size.entries == 1)
    #expect(await call(102, size: 2) == "too_many_requests")
    clock.advance(by: .seconds(1_801))
    #expect(await call(102, size: 2) == "")
    #expect(calls.size.entries == 1)
    #expect(calls.size.bytes < 1_024)
  }
}
