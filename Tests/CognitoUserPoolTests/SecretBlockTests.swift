internal import SecureRemotePassword
internal import ServiceOperations
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityCrypto

@testable internal import CognitoUserPool

/// The layout of secret blocks, which nodes of other versions read and write: 16 bytes of id, 8 of end, a digest of 32
/// bytes, a key of 16 bytes, and the session.
@Suite struct SecretBlockTests {
  private static func opened(_ block: String?, _ bench: SignInBench) throws -> [UInt8] {
    let bytes = try Base64.decode(block ?? "")
    guard let secret = try bench.service.secrets.open(bytes.span, for: .session, name: "block") else {
      Issue.record("the block does not open")
      return []
    }
    return secret.withBytes { [UInt8](unwipedCopy: $0) }
  }

  @Test func layout() async throws {
    let bench = try await SignInBench()
    try await bench.addUser()
    let client = try CognitoPasswordSignIn(userPoolID: bench.pool.id, client: bench.app, username: "alice")
    var challenge = try await bench.initiate(.userSRPAuth, client.request.parameters.exact).challenge
    let bytes = try Self.opened(challenge.parameters["SECRET_BLOCK"], bench)
    try #require(bytes.count == 72 + 1_500)
    let end = bytes[16..<24].reduce(0) { $0 << 8 | Int64($1) }
    #expect(end == (bench.now + bench.client.sessionLifetime).seconds)
    var message: [UInt8] = []
    for text in [
      "PASSWORD_VERIFIER", bench.pool.id, bench.client.id, "alice", "AbCdEfGhI", "alice",
    ] { message.append(counted: text.utf8) }
    #expect(try Array(bytes[24..<56]) == DigestAlgorithm.sha256.hash(message.span))
    #expect(try JSONValue(parsing: Array(bytes[72...])).object != nil)

    // The same from another node: an id and an end of its own.
    var other = [UInt8](repeating: 9, count: 16)
    other.append(bigEndian: end + 60)
    let own = other + bytes[24...]
    let sealed = try bench.service.secrets.seal(SecretBytes(own.span), for: .session, name: "block")
    challenge.parameters["SECRET_BLOCK"] = Base64.string(sealed)
    let proof = try bench.proof(client, challenge, SignInBench.password)
    _ = try await bench.respond(.passwordVerifier, proof).tokens
    await #expect(throws: UserPoolError.sessionUsed) { try await bench.respond(.passwordVerifier, proof) }
  }

  @Test func layoutOfDevices() async throws {
    let bench = try await SignInDeviceTests.bench()
    let device = try await SignInDeviceTests.Device(bench)
    let challenge = try await bench.signIn(device: device.key).challenge
    let client = try CognitoDeviceSignIn(device: device.device, client: bench.app, username: "alice")
    let second = try await bench.respond(
      .deviceSRPAuth, client.begin(challenge.srp).responses.exact, session: challenge.session
    ).challenge
    let bytes = try Self.opened(second.parameters["SECRET_BLOCK"], bench)
    try #require(bytes.count > 72)
    var message: [UInt8] = []
    for text in [
      "DEVICE_PASSWORD_VERIFIER", bench.pool.id, bench.client.id, "alice", device.device.groupKey, device.key,
    ] { message.append(counted: text.utf8) }
    #expect(try Array(bytes[24..<56]) == DigestAlgorithm.sha256.hash(message.span))
  }
}
