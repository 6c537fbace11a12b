internal import SigV4
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityCrypto
internal import TokenSecurityTesting
internal import TokenSecurityVectorFiles

/// Requests that a client repeats within a second: on purpose, or when it tries again.
@Suite struct RepeatedRequestTests {
  private static func message(_ name: String) throws -> HTTPMessage {
    let file = try #require(ToolTests.file)
    let test = try #require(file.cases.first { $0.id == name })
    return try HTTPMessage(parsing: Array(#require(test.input["message"]?.string).utf8))
  }

  private func verified(
    _ head: RequestHead, _ verifier: RequestVerifier, at now: Timestamp
  ) throws -> VerifiedRequest<HashBinding> {
    try verifier.verify(
      verifier.parse(head, at: now), key: .credentials(Material.credentials()), body: [])
  }

  /// boto3 1.44.8: two calls of head_object in one second have one signature and two invocations.
  @Test func equalReadsOfASecond() throws {
    let now = try Timestamp(amzDate: "20261128T091727Z")
    let policy = VerifierPolicy(
      service: "s3", region: "us-east-1", hosts: .oneOf(["127.0.0.1:9100"]))
    let usual = try RequestVerifier(policy: policy)
    let strict = try RequestVerifier(policy: policy, replays: ReplayCache())
    let heads = try ["same-second-1", "same-second-2"].map { try Self.message($0).head }
    for head in heads { _ = try verified(head, usual, at: now) }
    _ = try verified(heads[0], strict, at: now)
    #expect(Material.code { _ = try verified(heads[1], strict, at: now) } == .replayed)
  }

  private func signed(_ target: String = "/", _ invocation: String) throws -> RequestHead {
    var head = try Material.signer().sign(
      Material.head("POST", target), with: Material.credentials(), at: Material.now
    ).head
    // Sent unsigned, as by some SDKs.
    head.headers.append(HeaderField("amz-sdk-invocation-id", invocation))
    return head
  }

  @Test func changesAreExecutedOnce() async throws {
    let (clock, count) = (SettableClock(), Tally())
    let verifier = try Material.verifier()
    let repeated = RepeatedRequests<Int>(
      limits: RepetitionLimits(), size: { _ in 8 }, uptime: { clock.elapsed })
    func send(
      _ invocation: String, _ target: String = "/", from address: String = "192.0.2.1"
    ) async throws -> Int? {
      let head = try signed(target, invocation)
      let request = try verified(head, verifier, at: Material.now)
      return await repeated.once(request, from: RequestOrigin(of: head, address: address)) { count.add() }
    }
    #expect(try await send("one") == 1)
    // A retry, and a copy that an attacker sends under another name.
    #expect(try await send("one") == 1)
    #expect(try await send("two", from: "192.0.2.2") == 1)
    // Another call of the same second, and its retry.
    #expect(try await send("two") == 2)
    #expect(try await send("two") == 2)
    // Another request.
    #expect(try await send("one", "/other") == 3)
    clock.advance(by: .seconds(2))
    #expect(try await send("three") == 1)
    clock.advance(by: .seconds(898))
    #expect(try await send("three") == 1)
    clock.advance(by: .seconds(1))
    #expect(try await send("three") == 4)
    #expect(repeated.kept.requests == 3 && count.value == 4)
  }

  /// A response is kept as long as the signature is valid, to the end of the last second.
  @Test(
    arguments: [
      (.seconds(900), 0, nil, 901), (.seconds(900), -900, nil, 1_801), (.seconds(900), 900, nil, 1),
      (.seconds(86_400), 60, nil, 86_341), (.seconds(900), 10, 604_800, 604_791),
    ] as [(Duration, Int64, Int64?, Int64)])
  func responsesAreKeptWhileSignaturesAreValid(
    skew: Duration, offset: Int64, expires: Int64?, expected: Int64
  ) async throws {
    let (clock, count) = (SettableClock(), Tally())
    var policy = Material.policy()
    policy.skew = skew
    let verifier = try RequestVerifier(policy: policy)
    let head =
      try expires.map {
        try Material.signer().presign(
          Material.head(), expiresIn: .seconds($0), with: Material.credentials(), at: Material.now
        ).head
      } ?? signed("/", "one")
    let request = try verified(head, verifier, at: Material.now.advanced(bySeconds: offset))
    let repeated = RepeatedRequests<Int>(
      limits: RepetitionLimits(), size: { _ in 8 }, uptime: { clock.elapsed })
    for (seconds, response) in [(0, 1), (expected - 1, 1), (1, 2)] {
      clock.advance(by: .seconds(seconds))
      #expect(await repeated.once(request, from: RequestOrigin()) { count.add() } == response)
    }
  }

  /// No sum of times traps.
  @Test func longestSkew() async throws {
    var policy = Material.policy()
    policy.skew = .seconds(Int64.max)
    let request = try verified(signed("/", "one"), RequestVerifier(policy: policy), at: Material.now)
    let (repeated, count) = (RepeatedRequests<Int>(size: { _ in 8 }), Tally())
    for _ in 0..<2 {
      #expect(await repeated.once(request, from: RequestOrigin()) { count.add() } == 1)
    }
  }

  /// A copy of a running request waits for its response.
  @Test func copiesWait() async throws {
    let (repeated, count, gate) = (RepeatedRequests<Int>(size: { _ in 8 }), Tally(), Gate())
    let request = try verified(signed("/", "one"), Material.verifier(), at: Material.now)
    let ended = Tally()
    let responses = try await withThrowingTaskGroup(of: Int?.self) { group in
      for _ in 0..<8 {
        group.addTask {
          defer { ended.add() }
          return await repeated.once(request, from: RequestOrigin()) {
            await gate.pass()
            return count.add()
          }
        }
      }
      try await eventually { gate.waiting == 1 && repeated.waiting == 7 }
      #expect(ended.value == 0)
      gate.open()
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(responses == Array(repeating: 1, count: 8) && count.value == 1)
  }

  struct Failed: Error {}

  /// Two requests of a second have one signature. The second one is executed once, although the first one fails.
  @Test func aFirstRequestThatFails() async throws {
    var limits = RepetitionLimits()
    limits.sameSecond = .seconds(1 << 32)
    let (repeated, count, gate) = (
      RepeatedRequests<Int>(limits: limits, size: { _ in 8 }), Tally(), Gate()
    )
    let request = try verified(signed("/", "one"), Material.verifier(), at: Material.now)
    func send(_ invocation: String) async -> Int? {
      await repeated.once(request, from: RequestOrigin(invocation: invocation)) { count.add() }
    }
    let first = Task {
      try await repeated.once(request, from: RequestOrigin(invocation: "one")) { () throws(Failed) -> Int in
        await gate.pass()
        throw Failed()
      }
    }
    try await eventually { gate.waiting == 1 }
    #expect(await send("two") == 1)
    gate.open()
    await #expect(throws: Failed.self) { try await first.value }
    #expect(await send("two") == 1)
    // The client tries the first one again.
    #expect(await send("one") == 2)
    #expect(await send("one") == 2)
    #expect(await send("two") == 1)
    #expect(count.value == 2)
  }

  @Test func failuresAreTriedAgain() async throws {
    let count = Tally()
    let repeated = RepeatedRequests<Int>(size: { _ in 8 })
    let request = try verified(signed("/", "one"), Material.verifier(), at: Material.now)
    func send() async throws(Failed) -> Int? {
      try await repeated.once(request, from: RequestOrigin()) { () throws(Failed) -> Int in
        guard count.add() > 1 else { throw Failed() }
        return count.value
      }
    }
    await #expect(throws: Failed.self) { try await send() }
    #expect(repeated.kept.requests == 0)
    #expect(try await send() == 2)
    #expect(try await send() == 2)
  }

  /// Nothing is executed when there is no room for the response.
  @Test func aFullMemory() async throws {
    var limits = RepetitionLimits()
    limits.entries = 1
    let (repeated, count) = (RepeatedRequests(limits: limits), Tally())
    let verifier = try Material.verifier()
    for (target, expected) in [("/a", [1]), ("/b", nil), ("/a", [1])] as [(String, [UInt8]?)] {
      let request = try verified(signed(target, "one"), verifier, at: Material.now)
      #expect(
        await repeated.once(request, from: RequestOrigin()) { [UInt8(truncatingIfNeeded: count.add())] }
          == expected)
    }
    #expect(count.value == 1)
  }
}
