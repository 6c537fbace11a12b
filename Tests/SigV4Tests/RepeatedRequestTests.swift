internal import SigV4
internal import Synchronization
internal import Testing
internal import TokenSecurityCrypto
internal import TokenSecurityEncodings
internal import TokenSecurityVectorFiles

/// Requests that a client repeats within a second: on purpose, or when it tries again.
@Suite struct RepeatedRequestTests {
  private final class Counter: Sendable {
    private let count = Mutex(0)
    func add() -> Int {
      count.withLock {
        $0 += 1; return $0
      }
    }
    var value: Int { count.withLock { $0 } }
  }

  private final class Clock: Sendable {
    let now = Mutex(Duration.zero)
    func advance(_ seconds: Int) { now.withLock { $0 += .seconds(seconds) } }
  }

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
    let (clock, count) = (Clock(), Counter())
    let verifier = try Material.verifier()
    let repeated = RepeatedRequests<Int>(
      limits: RepetitionLimits(), size: { _ in 8 }, uptime: { clock.now.withLock { $0 } })
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
    clock.advance(2)
    #expect(try await send("three") == 1)
    clock.advance(1_798)
    #expect(try await send("three") == 4)
    #expect(repeated.kept.requests == 3 && count.value == 4)
  }

  /// A signature of ECDSA has a second form, which anyone can derive. It is the same request.
  @Test func whatWasSignedCounts() async throws {
    let count = Counter()
    var policy = Material.policy()
    policy.algorithms = [.ecdsaP256SHA256]
    let verifier = try RequestVerifier(policy: policy)
    let repeated = RepeatedRequests<Int>(size: { _ in 8 })
    let signer = try Signer(service: "execute-api", regionSet: ["us-east-1"])
    var signatures: Set<String> = []
    for _ in 0..<2 {
      let head = try signer.sign(Material.head(), with: Material.credentials(), at: Material.now).head
      let request = try verified(head, verifier, at: Material.now)
      signatures.insert(request.parameters.signatureText)
      #expect(await repeated.once(request, from: RequestOrigin()) { count.add() } == 1)
    }
    #expect(signatures.count == 2)
  }

  private struct Failed: Error {}

  @Test func failuresAreTriedAgain() async throws {
    let count = Counter()
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
    let (repeated, count) = (RepeatedRequests(limits: limits), Counter())
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
