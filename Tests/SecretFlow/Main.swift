internal import CMemcheck
internal import CTokenSecurityOpenSSL
internal import Dispatch
internal import Glibc
internal import OneTimeCodes
internal import SecureRemotePassword
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// Runs sign-ins and one-time codes with their secrets marked as undefined, so that valgrind's memcheck
/// reports each branch or address that depends on a secret. Random numbers are secret until they are
/// declassified.
@main
struct SecretFlow {
  static func main() throws {
    guard memcheck_is_running() != 0 else {
      print("this is to be run under valgrind: see run.sh")
      exit(2)
    }
    try check("SRP-6a, both sides") {
      for hash in [SRPHash.sha1, .sha256] {
        try exchange(SRPParameters(group: SRPGroup(.bits1024), hash: hash))
        try exchange(SRPParameters(group: SRPGroup(.bits1024), hash: hash, proof: .rfc2945))
      }
    }
    try check("sign-ins to a user pool, both sides, known and unknown") { try poolSignIns() }
    #if SERVICES
      // In another thread, because memcheck crashes at the end of an asynchronous main.
      let done = DispatchSemaphore(value: 0)
      Task.detached {
        do {
          try await services()
          try await clientSignIns()
        } catch { fatalError("\(error)") }
        done.signal()
      }
      done.wait()
    #endif
    try check("devices") { try devices() }
    try check("one-time codes") { try codes() }
    try check("base32 and URIs") { try uris() }
    try check("recovery codes") { try recoveryCodes() }
    // Checks the method: a comparison that stops at the first difference is reported.
    let before = memcheck_errors()
    let secret = marked("a secret")
    var same = 0
    secret.withBytes { bytes in
      for index in bytes.indices where bytes[index] == UInt8(ascii: "a") { same += 1 }
    }
    memcheck_make_defined(&same, MemoryLayout<Int>.size)
    guard memcheck_errors() > before else {
      print("the method finds nothing: a branch on a secret went unseen")
      exit(3)
    }
    print("a branch on a secret, put in on purpose: found (\(same))")
    exit(found == 0 ? 0 : 1)
  }

  nonisolated(unsafe) static var found: UInt32 = 0

  /// Runs `body` and returns the number of reported branches and addresses.
  static func check(_ name: String, _ body: () throws -> Void) rethrows {
    let before = memcheck_errors()
    try body()
    report(name, memcheck_errors() - before)
  }

  static func report(_ name: String, _ errors: UInt32) {
    found += errors
    print(
      "\(name): \(errors == 0 ? "no branch and no place in memory depends on a secret" : "\(errors) reports")"
    )
  }

  /// A text as a secret that memcheck tracks.
  static func marked(_ text: String) -> SecretBytes {
    let bytes = Array(text.utf8)
    return SecretBytes(count: bytes.count) { span in
      for index in bytes.indices { span[index] = bytes[index] }
      span.withUnsafeBytes { memcheck_make_undefined($0.baseAddress, $0.count) }
    }
  }

  static func exchange(_ parameters: SRPParameters) throws {
    let identity = Array("alice".utf8)
    let record = try SRPVerifier(identity: identity, password: marked("password123"), parameters: parameters)
    let stored = try SRPVerifier(salt: record.salt, value: record.value, group: parameters.group)
    for password in ["password123", "password124"] {
      let client = try SRPClient(parameters)
      let publicKey = client.publicKey
      let challenge = try SRPServer(parameters).challenge(identity: identity, verifier: stored)
      let proof = try client.respond(
        identity: identity, password: marked(password), salt: challenge.salt,
        serverPublicKey: challenge.publicKey)
      let m1 = proof.proof
      do {
        let session = try challenge.verify(clientPublicKey: publicKey, proof: m1)
        _ = try proof.verify(serverProof: session.proof)
      } catch { precondition(password == "password124") }
    }
    let false1 = try SimulatedVerifiers(key: marked("0123456789abcdef0123456789abcdef"))
    _ = try false1.verifier(identity: identity, group: parameters.group)
  }

  static func poolSignIns() throws {
    let pool = "eu-west-1_AbCdEfGhI"
    let now = Timestamp(since1970: .seconds(1_788_598_987))
    let app = try CognitoAppClient(id: "client", secret: marked("an app client's secret"))
    let users = try CognitoSimulatedUsers(key: marked("0123456789abcdef0123456789abcdef"), identity: .uuid)
    let identity = try CognitoSRPIdentity.user(userPoolID: pool, userIDForSRP: "alice")
    let block = [UInt8](0..<40)
    for (password, exists) in [("right", true), ("wrong", true), ("right", false)] {
      let user: CognitoSRPRecord? =
        exists
        ? CognitoSRPRecord(
          identity: identity, verifier: try CognitoVerifier(identity: identity, password: marked("right")))
        : nil
      let record = try users.record(of: user, userPoolID: pool, canonicalUsername: "alice")
      let client = try CognitoPasswordSignIn(userPoolID: pool, client: app, username: "alice")
      let (challenge, pending) = try self.challenge(client.request, record, block)
      let response = try client.respond(to: challenge, password: marked(password), at: now)
      try app.check(secretHash: response.responses["SECRET_HASH"], username: record.identity.name)
      let claim = try CognitoPasswordClaim(
        signature: Base64.decode(response.responses["PASSWORD_CLAIM_SIGNATURE"] ?? ""), secretBlock: block,
        timestamp: response.responses["TIMESTAMP"] ?? "")
      do {
        try CognitoSRPServer.verify(
          claim, pending: CognitoPendingChallenge(pending.bytes), identity: record.identity,
          context: ["PASSWORD_VERIFIER"], at: now)
        precondition(password == "right" && exists)
      } catch { precondition(error.code == .passwordMismatch && !(password == "right" && exists)) }
    }
  }

  /// The challenge as a server sends it, and the bytes of the pending challenge.
  static func challenge(
    _ request: CognitoAuthRequest, _ record: borrowing CognitoSRPRecord, _ block: [UInt8]
  ) throws(SRPError) -> (message: CognitoChallenge, pending: RetainedSecret) {
    let made = try CognitoSRPServer.challenge(
      publicKey: CognitoNumber.publicKey(hexadecimal: request.parameters["SRP_A"] ?? ""), record: record,
      key: CognitoServerKey(), context: ["PASSWORD_VERIFIER"])
    let message = CognitoChallenge(
      name: "PASSWORD_VERIFIER",
      parameters: [
        "SALT": CognitoNumber.hexadecimal(record.verifier.salt),
        "SRP_B": CognitoNumber.hexadecimal(made.publicKey), "SECRET_BLOCK": Base64.string(block),
        "USER_ID_FOR_SRP": record.identity.name, "USERNAME": record.identity.name,
      ])
    return (message, RetainedSecret(made.pending.bytes()))
  }

  static func devices() throws {
    let made = try CognitoDeviceConfirmation(groupKey: "-AbCdEfGh", deviceKey: "eu-west-1_0d1c6e2a")
    _ = try CognitoVerifier(deviceSalt: made.salt, passwordVerifier: made.passwordVerifier)
  }

  static func codes() throws {
    for algorithm in OTPAlgorithm.allCases {
      for digits in 6...8 {
        let secret = try OTPSecret(marked("12345678901234567890"))
        let totp = try TOTP(secret: secret, algorithm: algorithm, digits: digits)
        _ = try totp.code(at: Timestamp(since1970: .seconds(59)))
        for code in [String(repeating: "0", count: digits), "94287082".suffix(digits).description] {
          _ = try? totp.verify(code, at: Timestamp(since1970: .seconds(59)))
          _ = try? totp.verify(code, at: Timestamp(since1970: .seconds(59)), state: TOTP.State(lastStep: 1))
          _ = try? totp.hotp.resynchronize(code, code, counter: 0, limit: 20)
        }
      }
    }
    _ = try OTPSecret.random()
  }

  static func uris() throws {
    let secret = try OTPSecret(base32: marked("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"))
    _ = try OTPSecret(base32: marked("gezd gnbv-gy3tqojqgezdgnbvgy3tqojq"))
    _ = secret.base32()
    let uri = try OTPAuthURI(issuer: "Example", account: "alice", secret: secret)
    _ = uri.text()
  }

  static func recoveryCodes() throws {
    let key = try RecoveryCodes.Key(marked("0123456789abcdef0123456789abcdef"))
    let made = try RecoveryCodes.generate(user: "alice", key: key)
    var codes = made.codes
    _ = try? codes.redeem("0000-0000-0000-0000", user: "alice", key: key)
  }
}

/// Replaces libcrypto's function of this name: random bytes are marked as secret.
@c(RAND_bytes)
public func randomBytes(_ start: UnsafeMutablePointer<UInt8>?, _ count: CInt) -> CInt {
  let result = RAND_priv_bytes(start, count)
  memcheck_make_defined(start, Int(count))
  memcheck_make_undefined(start, Int(count))
  return result
}
