import CBare
import Foundation
import Glibc
import JOSE
import OneTimeCodes
import SecureRemotePassword

/// Whether run times depend on secrets: two kinds of input, drawn at random and measured alternately, and Welch's t
/// between their times without the slowest (Reparaz, Balasch, Verbauwhede: "dude, is my code constant time?"). Above
/// 4.5 the two kinds are distinguishable with this number of measurements. Reported, never asserted.
///
///     .build/release/token-benchmarks timing
enum Timing {
  static func run() async throws {
    print("| what | first | second | measurements | difference | Welch's t |")
    print("|---|---:|---:|---:|---:|---:|")
    try await users()
    try passwords()
    try codes()
    try await userPools()
    control()
  }

  /// A challenge for a user who exists and for one who does not.
  private static func users() async throws {
    let bench = try SignIns()
    let request = try bench.begin().request
    let record = try bench.user()
    let (salt, verifier) = (
      record.verifier.salt, record.verifier.value.withBytes { bytes in bytes.indices.map { bytes[$0] } }
    )
    try await compare("a challenge", "user known", "user unknown", 6_000) { isFirst in
      let key = try CognitoServerKey()
      let user: CognitoSRPRecord? =
        isFirst
        ? CognitoSRPRecord(
          identity: try SignIns.identity(),
          verifier: try CognitoVerifier(salt: salt, value: SecretBytes(verifier.span))) : nil
      let start = now()
      _ = try bench.answer(request, user, key)
      return now() - start
    }
  }

  /// The response to a challenge with the right password and with a wrong one.
  private static func passwords() throws {
    let bench = try SignIns()
    let begun = try bench.begin()
    let (challenge, pending) = try bench.challenge(begun.request)
    let sent = try begun.respond(to: challenge, password: bench.password(), at: bench.now).responses
    let right = Array(Data(base64Encoded: sent["PASSWORD_CLAIM_SIGNATURE"] ?? "") ?? Data())
    func claim(_ signature: [UInt8]) throws -> CognitoPasswordClaim {
      try CognitoPasswordClaim(
        signature: signature, secretBlock: SignIns.block, timestamp: sent["TIMESTAMP"] ?? "")
    }
    let identity = try SignIns.identity()
    func time(_ claim: CognitoPasswordClaim) throws -> Double {
      let open = try CognitoPendingChallenge(pending.bytes)
      let start = now()
      try? CognitoSRPServer.verify(
        claim, pending: open, identity: identity, context: SignIns.context, at: bench.now)
      return now() - start
    }
    let claims = (try claim(right), try claim([UInt8](0..<32)))
    try compareNow("a response verified", "password right", "password wrong", 200_000) { isFirst in
      try time(isFirst ? claims.0 : claims.1)
    }
    // Which byte of the signature is the first that differs.
    let differing = (
      try claim([right[0] ^ 1] + right[1...]), try claim(right[..<31] + [right[31] ^ 1])
    )
    try compareNow("a response verified", "first byte wrong", "last byte wrong", 200_000) { isFirst in
      try time(isFirst ? differing.0 : differing.1)
    }
  }

  /// A code whose first or last digit is wrong, one of the first or the last step of the window, and a wrong one.
  private static func codes() throws {
    let totp = try TOTP(secret: OTPSecret(SecretBytes(Codes.seed.span)))
    let time = Timestamp(since1970: .seconds(1_788_598_987))
    let right = Array(try totp.code(at: time).utf8)
    func changed(_ place: Int) -> String {
      var code = right
      code[place] = code[place] == 0x39 ? 0x30 : code[place] + 1
      return String(decoding: code, as: UTF8.self)
    }
    func measure(_ what: String, _ first: String, _ second: String, _ codes: (String, String)) throws {
      try compareNow(what, first, second, 1_000_000) { isFirst in
        let code = isFirst ? codes.0 : codes.1
        let start = now()
        _ = try? totp.verify(code, at: time)
        return now() - start
      }
    }
    try measure("a code checked", "first digit wrong", "last digit wrong", (changed(0), changed(5)))
    try measure(
      "a code checked", "of the step before", "of the step after",
      (totp.code(at: time - .seconds(30)), totp.code(at: time + .seconds(30))))
    // A refusal throws, and throwing takes its time: the verdict is not secret.
    try measure("a code checked", "right", "wrong", (String(decoding: right, as: UTF8.self), changed(3)))
  }

  /// The method itself: a comparison that stops at the first difference must be distinguishable.
  private static func control() {
    let bytes = [UInt8](repeating: 7, count: 4_096)
    var early = bytes
    early[0] = 8
    var late = bytes
    late[4_095] = 8
    let texts = (early, late)
    try? compareNow("the method: memcmp", "first byte differs", "last byte differs", 100_000) { isFirst in
      let text = isFirst ? texts.0 : texts.1
      let start = now()
      if memcmp(text, bytes, bytes.count) == 0 { return 0 }
      return now() - start
    }
  }

  static func compare(
    _ what: String, _ first: String, _ second: String, _ count: Int, _ measure: (Bool) async throws -> Double
  ) async throws {
    var times: ([Double], [Double]) = ([], [])
    for _ in 0..<count {
      if Bool.random() {
        times.0.append(try await measure(true))
      } else {
        times.1.append(try await measure(false))
      }
    }
    report(what, first, second, times)
  }

  private static func compareNow(
    _ what: String, _ first: String, _ second: String, _ count: Int, _ measure: (Bool) throws -> Double
  ) throws {
    var times: ([Double], [Double]) = ([], [])
    for _ in 0..<count {
      if Bool.random() { times.0.append(try measure(true)) } else { times.1.append(try measure(false)) }
    }
    report(what, first, second, times)
  }

  private static func report(_ what: String, _ first: String, _ second: String, _ times: ([Double], [Double]))
  {
    // The slowest tenth includes other work of the machine.
    let all = (times.0 + times.1).sorted()
    let limit = all[all.count * 9 / 10]
    let (a, b) = (times.0.filter { $0 <= limit }, times.1.filter { $0 <= limit })
    func moments(_ values: [Double]) -> (mean: Double, variance: Double) {
      let mean = values.reduce(0, +) / Double(values.count)
      return (mean, values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count - 1))
    }
    let (left, right) = (moments(a), moments(b))
    let t =
      (left.mean - right.mean)
      / (left.variance / Double(a.count) + right.variance / Double(b.count)).squareRoot()
    func text(_ value: Double, _ digits: Int) -> String { String(format: "%.\(digits)f", value) }
    print(
      "| \(what) | \(first): \(text(left.mean, 3)) | \(second): \(text(right.mean, 3)) | \(all.count) | "
        + "\(text((right.mean - left.mean) / left.mean * 100, 3)) % | \(text(t, 1)) |")
  }

  static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
  }
}

extension SignIns {
  func password() -> SecretBytes { SecretBytes(Array("Tr0ub4dor&3".utf8).span) }
}
