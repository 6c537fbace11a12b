internal import TokenSecurityCrypto
internal import OneTimeCodes
internal import Testing
internal import TokenSecurityVectorFiles

@Suite struct EnrollmentTests {
  static let base32 = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"

  private func read(_ text: String) throws -> OTPAuthURI { try OTPAuthURI(Material.secret(text)) }
  private func code(_ text: String) -> OTPError.Code? { Material.code { _ = try read(text) } }
  private func strict(_ text: String) -> OTPError.Code? {
    Material.code { _ = try OTPAuthURI(Material.secret(text), form: .strict) }
  }

  @Test func urisAsTheyAreShown() throws {
    let secret = try OTPSecret(Material.secret(Material.seed))
    let plain = try OTPAuthURI(issuer: nil, account: "alice", secret: secret)
    #expect(
      Material.text(plain.text())
        == "otpauth://totp/alice?secret=\(Self.base32)&algorithm=SHA1&digits=6&period=30")
    let full = try OTPAuthURI(
      issuer: "Société & Co/1", account: "andré@example.org", secret: secret, kind: .hotp(counter: .max),
      algorithm: .sha512, digits: 8)
    #expect(
      Material.text(full.text())
        == "otpauth://hotp/Soci%C3%A9t%C3%A9%20%26%20Co%2F1:andr%C3%A9%40example.org?secret=\(Self.base32)&issuer=Soci%C3%A9t%C3%A9%20%26%20Co%2F1&algorithm=SHA512&digits=8&counter=18446744073709551615"
    )
    let again = try OTPAuthURI(full.text())
    #expect(again.issuer == "Société & Co/1" && again.account == "andré@example.org")
    #expect(again.kind == .hotp(counter: .max) && again.algorithm == .sha512 && again.digits == 8)
    #expect(Material.bytes(again.secret.bytes) == Material.seed)
    #expect(try plain.totp().code(at: 59) == "287082")
    #expect(try read("otpauth://hotp/a?secret=\(Self.base32)&counter=0").hotp().code(counter: 0) == "755224")
    #expect(Material.code { _ = try plain.hotp() } == .uriCodesMismatch)
    #expect(Material.code { _ = try full.totp() } == .uriCodesMismatch)
  }

  /// A colon followed by a combining mark is still a colon.
  @Test func colonBeforeACombiningMark() throws {
    let marked = try read("otpauth://totp/Example:%D9%8Balice?secret=\(Self.base32)")
    #expect(marked.issuer == "Example" && Array(marked.account.utf8) == Array("\u{64B}alice".utf8))
    let again = try OTPAuthURI(
      OTPAuthURI(issuer: marked.issuer, account: marked.account, secret: marked.secret).text())
    #expect(again.issuer == "Example" && again.account == marked.account)
    let second = try read("otpauth://totp/a:%CC%81b:c?secret=\(Self.base32)")
    #expect(second.issuer == "a" && Array(second.account.utf8) == Array("\u{301}b:c".utf8))
  }

  @Test(
    arguments: [
      "otpauth://totp/Example:alice?secret=S&issuer=Example", "otpauth://totp/Example%3Aalice?secret=S",
      "otpauth://totp/Example:%20alice?secret=S", "OTPAUTH://TOTP/Example:alice?SECRET=S",
      "otpauth://totp/Example:alice?secret=s", "otpauth://totp/alice?issuer=Example&secret=S",
      "otpauth://totp/Example:alice?secret=S&algorithm=sha1&digits=6&period=30",
      "otpauth://totp/Example:alice?secret=S&image=https%3A%2F%2Fexample.org%2Fa.png&color=red",
      "otpauth://totp/Example:alice?&&secret=S&", "otpauth://totp/Example:alice?secret=S#fragment",
      "otpauth://totp/Example:alice?secret=S&flag", "otpauth://totp/Example:alice?secret=S&flag=1&flag=2",
    ])
  func urisAsOthersWriteThem(_ form: String) throws {
    let text = form.replacing("=S", with: "=\(Self.base32)").replacing(
      "=s", with: "=\(Self.base32.lowercased())"
    )
    .replacing("algorithm=\(Self.base32.lowercased())ha1", with: "algorithm=sha1")
    let uri = try read(text)
    #expect(uri.issuer == "Example" && uri.account == "alice" && uri.kind == .totp(period: 30))
    #expect(uri.algorithm == .sha1 && uri.digits == 6)
    #expect(Material.bytes(uri.secret.bytes) == Material.seed)
  }

  @Test func paddingAndSpaces() throws {
    let secret = try OTPSecret(Material.secret([UInt8](repeating: 1, count: 16)))
    let base32 = Material.text(secret.base32())
    for padding in ["", "======", "%3D%3D%3D%3D%3D%3D", "%3d%3d%3d%3d%3d%3d"] {
      let uri = try read("otpauth://totp/a?secret=\(base32)\(padding)&issuer=A+B%2BC")
      #expect(uri.issuer == "A B+C")
      #expect(Material.bytes(uri.secret.bytes) == [UInt8](repeating: 1, count: 16))
    }
    #expect(code("otpauth://totp/a?secret=\(base32)=") == .base32Padding)
    #expect(code("otpauth://totp/a?secret=\(base32)%3D") == .base32Padding)
    for secret in [
      "%20\(base32)", "\(base32.dropLast(4))+\(base32.suffix(4))",
      "\(base32.prefix(4))-\(base32.dropFirst(4))",
    ] {
      let uri = try read("otpauth://totp/a?secret=\(secret)")
      #expect(Material.bytes(uri.secret.bytes) == [UInt8](repeating: 1, count: 16))
      #expect(uri.warnings == [.secret(.separators)])
      #expect(strict("otpauth://totp/a?secret=\(secret)") == .base32Character)
    }
    #expect(code("otpauth://totp/a?secret=%30\(base32)") == .base32Character)
  }

  @Test(
    arguments: [
      ("", .uriKind), ("S", .uriKind), ("https://example.org", .uriKind), ("otpauth://totp", .uriKind),
      ("otpauth://motp/a?secret=S", .uriKind), ("otpauth:totp/a?secret=S", .uriKind),
      ("otpauth-migration://offline?data=AAAA", .uriKind), ("steam://S", .uriKind),
      ("otpauth://totp/", .uriParameterMissing), ("otpauth://totp/:a?secret=S", .uriLabel),
      ("otpauth://totp/%3Aa?secret=S", .uriLabel), ("otpauth://totp/a%2?secret=S", .uriEncoding),
      ("otpauth://totp/a%FF?secret=S", .uriEncoding), ("otpauth://totp/a?secret=S&issuer=%F", .uriEncoding),
      ("otpauth://totp/a?secret=S&%zz=1", .uriEncoding), ("otpauth://totp/a", .uriParameterMissing),
      ("otpauth://totp/a?", .uriParameterMissing), ("otpauth://totp/a?secret", .uriParameterMissing),
      ("otpauth://totp/a?secret=", .uriParameterMissing), ("otpauth://hotp/a?secret=S", .uriParameterMissing),
      ("otpauth://totp/a#?secret=S", .uriParameterMissing),
      ("otpauth://totp/a?secret=S&secret=S", .uriParameterRepeated),
      ("otpauth://totp/a?secret=S&SECRET=S", .uriParameterRepeated),
      ("otpauth://totp/a?secret=S&s%65cret=S", .uriParameterRepeated),
      ("otpauth://totp/a?secret=S&digits=6&digits=8", .uriParameterRepeated),
      ("otpauth://totp/a?secret=S&digits=5", .uriParameterInvalid),
      ("otpauth://totp/a?secret=S&digits=9", .uriParameterInvalid),
      ("otpauth://totp/a?secret=S&digits=", .uriParameterInvalid),
      ("otpauth://totp/a?secret=S&digits=%2B6", .uriParameterInvalid),
      ("otpauth://totp/a?secret=S&digits=6.0", .uriParameterInvalid),
      ("otpauth://totp/a?secret=S&period=0", .uriParameterInvalid),
      ("otpauth://totp/a?secret=S&period=86401", .uriParameterInvalid),
      ("otpauth://totp/a?secret=S&period=-30", .uriParameterInvalid),
      ("otpauth://hotp/a?secret=S&counter=18446744073709551616", .uriParameterInvalid),
      ("otpauth://totp/a?secret=S&algorithm=MD5", .uriParameterInvalid),
      ("otpauth://totp/a?secret=S&algorithm=\u{17F}ha1", .uriParameterInvalid),
      ("otpauth://totp/a?secret=S&encoder=base64", .uriParameterInvalid),
      ("otpauth://hotp/a?secret=S&counter=0&encoder=steam", .uriParameterInvalid),
      ("otpauth://totp/a?secret=S&encoder=steam&digits=6", .uriParameterInvalid),
      ("otpauth://totp/a?secret=S&encoder=steam&algorithm=SHA256", .uriParameterInvalid),
      ("otpauth://totp/a?secret=S&encoder=steam&ENCODER=steam", .uriParameterRepeated),
      ("otpauth://totp/a?secret=S&digits=10", .uriParameterInvalid),
      ("otpauth://totp/a?secret=S&t0=60", .uriParameterUnsupported),
      ("otpauth://totp/a?secret=S&Interval=60", .uriParameterUnsupported),
      ("otpauth://totp/a?secret=S&hash=sha256", .uriParameterUnsupported),
      ("otpauth://totp/a?secret=MZXW6YTB0189MZXW6YTBMZXW6YTB", .base32Character),
      ("otpauth://totp/a?secret=MZXW6YTB", .secretTooShort), ("otpauth://totp/a?secret=M", .base32Length),
    ] as [(String, OTPError.Code)])
  func urisThatAreRefused(_ form: String, _ expected: OTPError.Code) {
    #expect(code(form.replacing("=S", with: "=\(Self.base32)")) == expected)
  }

  @Test func urisThatAreTooLong() {
    #expect(code("otpauth://totp/" + String(repeating: "a", count: 4_100)) == .uriTooLong)
    #expect(code("otpauth://totp/a?secret=" + String(repeating: "A", count: 2_056)) == .secretTooLong)
    #expect(code("otpauth://totp/a?secret=" + String(repeating: "A", count: 1_632)) == nil)
  }

  /// Errors do not show a secret in the wrong place.
  @Test func refusalsShowNoSecret() {
    for text in [Self.base32, "otpauth://totp/a?secret=\(Self.base32)1", "secret=\(Self.base32)"] {
      do {
        _ = try read(text)
        Issue.record("it was read")
      } catch {
        #expect(!"\(error)".contains("GEZD"))
      }
    }
  }

  @Test func namesThatCannotBe() throws {
    let secret = try OTPSecret.random()
    for (issuer, account) in [("a:b", "c"), ("a", "b:c"), ("", "a"), ("a", ""), ("a", "  ")] {
      #expect(
        Material.code { _ = try OTPAuthURI(issuer: issuer, account: account, secret: secret) } == .uriLabel)
    }
    let long = String(repeating: "a", count: 257)
    #expect(Material.code { _ = try OTPAuthURI(issuer: long, account: "a", secret: secret) } == .uriTooLong)
    #expect(
      Material.code { _ = try OTPAuthURI(issuer: nil, account: "a", secret: secret, digits: 5) }
        == .digitsUnsupported)
    #expect(
      Material.code { _ = try OTPAuthURI(issuer: nil, account: "a", secret: secret, kind: .totp(period: 0)) }
        == .periodUnsupported)
  }

  @Test func secretsOfAllSizes() throws {
    #expect(try OTPSecret.random().bytes.count == 20)
    for size in [16, 20, 32, 64, 1_024] { #expect(try OTPSecret.random(size: size).bytes.count == size) }
    for size in [-1, 0, 15] {
      #expect(Material.code { _ = try OTPSecret.random(size: size) } == .secretTooShort)
    }
    #expect(Material.code { _ = try OTPSecret.random(size: 1_025) } == .secretTooLong)
    let short = Material.secret([UInt8](repeating: 1, count: 10))
    #expect(Material.code { _ = try OTPSecret(short) } == .secretTooShort)
    let weak = try OTPSecret(short, strength: .weakAccepted(because: "it was made elsewhere"))
    #expect(weak.bytes.count == 10)
    #expect(
      Material.code { _ = try OTPSecret(Material.secret([]), strength: .weakAccepted(because: "")) }
        == .secretTooShort)
    var seen: Set<[UInt8]> = []
    for _ in 0..<100 { seen.insert(Material.bytes(try OTPSecret.random().bytes)) }
    #expect(seen.count == 100)
    #expect(Set(seen.joined()).count > 240)
  }

  @Test func base32OfAllSizes() throws {
    var random = SeededGenerator(seed: 7)
    for size in 16...200 {
      let bytes = (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) }
      let secret = try OTPSecret(Material.secret(bytes))
      let text = Material.text(secret.base32())
      #expect(Material.bytes(try OTPSecret(base32: Material.secret(text)).bytes) == bytes)
      let padded = text + String(repeating: "=", count: (8 - text.utf8.count % 8) % 8)
      #expect(Material.bytes(try OTPSecret(base32: Material.secret(padded), form: .strict).bytes) == bytes)
    }
    #expect(
      Material.code { _ = try OTPSecret(base32: Material.secret(String(repeating: "A", count: 2_049))) }
        == .secretTooLong)
    #expect(
      Material.code { _ = try OTPSecret(base32: Material.secret(String(repeating: "A", count: 1 << 20))) }
        == .secretTooLong)
  }
}

@Suite struct RecoveryCodeTests {
  private func key(_ byte: UInt8 = 1) throws -> RecoveryCodes.Key {
    try RecoveryCodes.Key(Material.secret([UInt8](repeating: byte, count: 32)))
  }

  @Test func eachIsGoodOnce() throws {
    let key = try key()
    let made = try RecoveryCodes.generate(user: "alice", key: key)
    let codes = Material.text(made.text).split(separator: "\n").map(String.init)
    #expect(codes.count == 10 && Set(codes).count == 10)
    var set = try RecoveryCodes(stored: made.codes.digests)
    for (index, code) in codes.enumerated() {
      let isForm = code.utf8.enumerated().allSatisfy { place, byte in
        place % 5 == 4 ? byte == UInt8(ascii: "-") : "0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8.contains(byte)
      }
      #expect(code.utf8.count == 19 && isForm)
      let typed =
        switch index % 4 {
        case 0: code
        case 1: code.lowercased()
        case 2: code.filter { $0 != "-" }
        default: code.replacing("-", with: " ").replacing("0", with: "o").replacing("1", with: "L")
        }
      try set.redeem(typed, user: "alice", key: key)
      #expect(set.count == 9 - index)
      let left = set
      #expect(
        Material.code {
          var set = left
          try set.redeem(code, user: "alice", key: key)
        } == .recoveryCodeUnknown)
    }
  }

  @Test func ofAnotherUserOrKey() throws {
    let made = try RecoveryCodes.generate(count: 3, user: "alice", key: key())
    let code = String(Material.text(made.text).prefix(19))
    for (user, byte) in [("bob", 1), ("alice", 2)] as [(String, UInt8)] {
      var set = made.codes
      #expect(throws: OTPError.recoveryCodeUnknown) { try set.redeem(code, user: user, key: key(byte)) }
      #expect(set.count == 3)
    }
    #expect(Material.code { _ = try RecoveryCodes.Key(Material.secret([1])) } == .secretTooShort)
    #expect(try RecoveryCodes.generate(count: 0, user: "", key: key()).codes.count == 1)
    #expect(try RecoveryCodes.generate(count: 1_000, user: "", key: key()).codes.count == 100)
  }

  @Test(
    arguments: [
      "", "ABCD-EFGH-JKMN", "ABCD-EFGH-JKMN-PQR", "ABCD-EFGH-JKMN-PQRSS", "ABCD-EFGH-JKMN-PQRU",
      "ABCD-EFGH-JKMN-PQR!",
      "ＡBCD-EFGH-JKMN-PQRS", "ABCD\nEFGH-JKMN-PQRS",
      "                                                                 ",
    ])
  func textsThatAreNoCodes(_ text: String) throws {
    var set = try RecoveryCodes.generate(count: 1, user: "", key: key()).codes
    #expect(throws: OTPError.recoveryCodeMalformed) { try set.redeem(text, user: "", key: key()) }
  }

  @Test func setsThatCannotBeRead() {
    #expect(throws: OTPError.recoverySetMalformed) { try RecoveryCodes(stored: [[1]]) }
    #expect(throws: OTPError.recoverySetMalformed) {
      try RecoveryCodes(stored: [[UInt8]](repeating: [UInt8](repeating: 0, count: 32), count: 101))
    }
  }
}
