internal import SigV4
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityTesting

/// Two writes with one signature: its string to sign does not have the body.
@Suite struct RepeatedBodyTests {
  private let count = Tally()
  private let repeated = RepeatedRequests<Int>(size: { _ in 8 })

  private func verifier() throws -> RequestVerifier {
    var policy = Material.policy("s3")
    policy.algorithms = Set(SigningAlgorithm.allCases)
    policy.payloads = Set(PayloadBinding.allCases)
    return try RequestVerifier(policy: policy)
  }

  /// The responses to a write, to another one with its signature, and to a copy of the first.
  private func responses(
    _ head: RequestHead, _ bodies: [[UInt8]]
  ) async throws -> [Int?] {
    let (verifier, key) = (try verifier(), VerificationKey.credentials(try Material.credentials()))
    var found: [Int?] = []
    for body in [bodies[0], bodies[1], bodies[0]] {
      var reader = try verifier.verifyBody(verifier.parse(head, at: Material.now), key: key)
      _ = try reader.read(body)
      let request = try reader.finish().request
      found.append(await repeated.once(request, from: RequestOrigin()) { count.add() })
    }
    return found
  }

  private func sign(_ body: Payload) throws -> SignedRequest {
    try Material.signer("s3").sign(
      Material.head("PUT", "/k"), body: body, with: Material.credentials(), at: Material.now)
  }

  @Test(arguments: [nil, .crc32] as [ChecksumAlgorithm?]) func signedChunks(
    checksum: ChecksumAlgorithm?
  ) async throws {
    let layout = try ChunkLayout(decodedLength: 5, chunkSize: 2, checksum: checksum)
    var bodies: [[UInt8]] = []
    for text in ["hello", "jello"] {
      var chunks = try sign(.chunks(layout)).chunkSigner()
      bodies.append(try chunks.write(Array(text.utf8)) + chunks.finish())
    }
    #expect(try await responses(sign(.chunks(layout)).head, bodies) == [1, 2, 1])
  }

  /// Anyone can change such a body: no response belongs to it.
  @Test func unsignedChunks() async throws {
    let layout = try ChunkLayout(decodedLength: 5, chunkSize: 2, checksum: .crc32, isSigned: false)
    var bodies: [[UInt8]] = []
    for text in ["hello", "jello"] {
      var chunks = try sign(.chunks(layout)).chunkSigner()
      bodies.append(try chunks.write(Array(text.utf8)) + chunks.finish())
    }
    #expect(try await responses(sign(.chunks(layout)).head, bodies) == [1, 2, 3])
    #expect(repeated.kept.requests == 0)
  }

  @Test(
    arguments: [
      ("crc32", "NhCmhg==", [1, 2, 3]), ("md5", "XUFAKrxLKna5cZ2REBfFkg==", [1, 2, 3]),
      ("sha256", "LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=", [1, 1, 1]),
    ]) func signedChecksums(name: String, value: String, expected: [Int]) async throws
  {
    var head = Material.head("PUT", "/k")
    head.headers.append(HeaderField("x-amz-checksum-" + name, value))
    let signed = try Material.signer("s3").sign(
      head, body: .unsigned, with: Material.credentials(), at: Material.now)
    let body = Array("hello".utf8)
    #expect(try await responses(signed.head, [body, body]) == expected)
  }

  @Test func aSignedHash() async throws {
    let body = Array("hello".utf8)
    #expect(try await responses(sign(.bytes(body)).head, [body, body]) == [1, 1, 1])
  }

  @Test(arguments: [(.unsigned, [1, 2]), (.bytes(Array("hello".utf8)), [1, 1])] as [(Payload, [Int])])
  func uncheckedBodies(payload: Payload, expected: [Int]) async throws {
    let verifier = try verifier()
    let pending = try verifier.parse(sign(payload).head, at: Material.now)
    for response in expected {
      let request = try verifier.verifyLeavingBodyUnchecked(
        pending, key: .credentials(Material.credentials()), because: "it is ignored")
      #expect(await repeated.once(request, from: RequestOrigin()) { count.add() } == response)
    }
  }

  @Test func events() async throws {
    let verifier = try verifier()
    let pending = try verifier.parse(sign(.events).head, at: Material.now)
    for response in 1...2 {
      let request = try verifier.verifyEvents(pending, key: .credentials(Material.credentials())).request
      #expect(await repeated.once(request, from: RequestOrigin()) { count.add() } == response)
    }
  }
}
