internal import OneTimeCodes
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityVectorFiles

@Suite struct CodeVectorTests {
  static let hotp = (try? VectorFile.load("rfc4226-hotp").cases) ?? []
  static let totp = (try? VectorFile.load("rfc6238-totp").cases) ?? []
  static let base32 = (try? VectorFile.load("rfc4648-base32").cases) ?? []

  @Test func theFilesAreThere() {
    #expect(Self.hotp.count == 10)
    #expect(Self.totp.count == 18)
    #expect(Self.base32.count == 31)
  }

  @Test(arguments: hotp) func counters(_ vector: VectorFile.Case) throws {
    try VectorFile.Case.check(vector.input, knows: ["secret", "counter"])
    let expect = try #require(vector.expect)
    try VectorFile.Case.check(expect, knows: ["code"])
    let code = try #require(expect["code"]?.string)
    let counter = try #require(vector.input["counter"]?.number.flatMap { UInt64("\($0)") })
    let hex = try #require(vector.input["secret"]?.string)
    let secret = try OTPSecret(Material.secret(Hex.decode(hex)))
    let hotp = try HOTP(secret: secret)
    #expect(try hotp.code(counter: counter) == code)
    #expect(try hotp.verify(code, counter: counter, window: 0).next == counter + 1)
  }

  @Test(arguments: totp) func times(_ vector: VectorFile.Case) throws {
    try VectorFile.Case.check(vector.input, knows: ["secret", "algorithm", "time"])
    let expect = try #require(vector.expect)
    try VectorFile.Case.check(expect, knows: ["code"])
    let code = try #require(expect["code"]?.string)
    let time = try #require(vector.input["time"]?.number.flatMap { Int64("\($0)") })
    let name = try #require(vector.input["algorithm"]?.string)
    let algorithm = try #require(OTPAlgorithm(name: name))
    let hex = try #require(vector.input["secret"]?.string)
    let secret = try OTPSecret(Material.secret(Hex.decode(hex)))
    let totp = try TOTP(secret: secret, algorithm: algorithm, digits: 8)
    #expect(try totp.code(at: Timestamp(seconds: time)) == code)
    let match = try totp.verify(code, at: Timestamp(seconds: time), window: .none)
    #expect(match.step == UInt64(time / 30) && match.drift == 0)
    // Codes with fewer digits are the last digits of these.
    for digits in [6, 7] {
      let shorter = try TOTP(secret: secret, algorithm: algorithm, digits: digits)
      #expect(try shorter.code(at: Timestamp(seconds: time)) == String(code.suffix(digits)))
    }
  }

  @Test(arguments: base32) func secrets(_ vector: VectorFile.Case) throws {
    try VectorFile.Case.check(vector.input, knows: ["text"])
    let text = Material.secret(try #require(vector.input["text"]?.string))
    let weak = OTPSecret.Strength.weakAccepted(because: "the RFC's examples are short")
    guard let expect = vector.expect else {
      #expect(
        Material.code { _ = try OTPSecret(base32: text, form: .strict, strength: weak) }?.rawValue
          == vector.reject)
      return
    }
    try VectorFile.Case.check(expect, knows: ["bytes"])
    let bytes = try Hex.decode(#require(expect["bytes"]?.string))
    guard !bytes.isEmpty else {
      #expect(
        throws: OTPError.secretTooShort(bits: 0, least: 8)
      ) { _ = try OTPSecret(base32: text, form: .strict, strength: weak) }
      return
    }
    let secret = try OTPSecret(base32: text, form: .strict, strength: weak)
    #expect(Material.bytes(secret.bytes) == bytes)
    let unpadded = Material.text(text).filter { $0 != "=" }
    #expect(Material.text(secret.base32()) == unpadded)
    // As users type it.
    for typed in [
      unpadded, unpadded.lowercased(), unpadded.map { "\($0) " }.joined(), "- " + unpadded.lowercased() + " ",
      Material.text(text).lowercased(),
    ] {
      let same = try OTPSecret(base32: Material.secret(typed), strength: weak)
      #expect(Material.bytes(same.bytes) == bytes)
    }
  }
}
