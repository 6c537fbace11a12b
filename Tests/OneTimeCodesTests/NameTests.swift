@testable internal import OneTimeCodes
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityVectorFiles

/// Names in URIs and codes are compared by bytes: U+212A KELVIN SIGN differs from K, and `e` with U+0301 from
/// `é`.
@Suite struct NameTests {
  static let secret = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"

  static func code(_ uri: String) -> OTPError.Code? {
    Material.code { _ = try OTPAuthURI(Material.secret(uri), form: .strict) }
  }

  static let uris: [(String, OTPError.Code?)] = [
    ("otpauth://totp/Kunden:k?secret=\(secret)&issuer=Kunden", nil),
    ("OTPAUTH://Totp/Kunden:k?SECRET=\(secret)&Issuer=Kunden", nil),
    ("otpauth://totp/Kunden:k?secret=\(secret)&issuer=%E2%84%AAunden", .uriIssuerMismatch),
    ("otpauth://totp/%E2%84%AAunden:k?secret=\(secret)&issuer=Kunden", .uriIssuerMismatch),
    ("otpauth://totp/Ren%C3%A9:k?secret=\(secret)&issuer=Rene%CC%81", .uriIssuerMismatch),
    ("otpauth://totp/Ren%C3%A9:k?secret=\(secret)&issuer=Ren%C3%A9", nil),
    // U+017F LATIN SMALL LETTER LONG S, U+0130 and U+0131, which Unicode's case folding maps to s and i.
    ("otpauth://totp/k?%C5%BFecret=\(secret)", .uriParameterMissing),
    ("otpauth://totp/k?secret=\(secret)&d%C4%B1gits=9", nil),
    ("otpauth://totp/k?secret=\(secret)&D%C4%B0GITS=9", nil),
    ("otpauth://totp/k?secret=\(secret)&DIGITS=9", .uriParameterInvalid),
    ("otpauth://totp/k?secret=\(secret)&digits=6&DIGITS=6", .uriParameterRepeated),
    ("otpauth://totp/k?secret=\(secret)&algorithm=sha1", nil),
    ("otpauth://totp/k?secret=\(secret)&algorithm=%C5%BFha1", .uriParameterInvalid),
    ("otpauth://totp/k?secret=\(secret)&algorithm=SHA1%CC%81", .uriParameterInvalid),
    ("otpauth://totp/k?secret=\(secret)&algorithm=", .uriParameterInvalid),
    ("otpauth://totp/k?secret=JBSWY3DPEHP%E2%84%AA3PXPJBSWY3DPEHPK3PXP", .base32Character),
    ("otpauth://totp/k?secret=JBSWY3DPEHP\u{212A}3PXPJBSWY3DPEHPK3PXP", .base32Character),
    ("otpauth://hotp/k?secret=\(secret)&counter=1", nil),
    ("otpauth://hotp/k?secret=\(secret)&co%CC%88unter=1", .uriParameterMissing),
    ("otpauth\u{37E}//totp/k?secret=\(secret)", .uriKind),
  ]

  @Test(arguments: uris) func inURIs(_ uri: String, _ expected: OTPError.Code?) {
    #expect(Self.code(uri) == expected)
  }

  @Test func algorithms() {
    for name in ["SHA1", "sha1", "Sha256", "sHA512"] { #expect(OTPAlgorithm(anyCase: name) != nil) }
    for name in ["SHA-1", "\u{17F}HA1", "SHA1\u{301}", "ＳＨＡ１", "SHA1 ", ""] {
      #expect(OTPAlgorithm(anyCase: name) == nil && OTPAlgorithm(name: name) == nil)
    }
  }

  /// A recovery code is valid for one user, and has only ASCII letters.
  @Test func inRecoveryCodes() throws {
    let key = try RecoveryCodes.Key(Material.secret([UInt8](repeating: 1, count: 32)))
    for (user, other) in [("Karl", "\u{212A}arl"), ("ren\u{E9}", "rene\u{301}")] {
      let made = try RecoveryCodes.generate(count: 1, user: user, key: key)
      let text = String(Material.text(made.text).dropLast())
      var codes = made.codes
      #expect(Material.code { try codes.redeem(text, user: other, key: key) } == .recoveryCodeUnknown)
      let odd = String(text.dropLast()) + "\u{212A}"
      #expect(Material.code { try codes.redeem(odd, user: user, key: key) } == .recoveryCodeMalformed)
      try codes.redeem(text, user: user, key: key)
      #expect(codes.count == 0)
    }
  }

  /// The same inputs with n, 2n and 4n bytes: inputs above the limit are refused.
  @Test func bounds() throws {
    for count in [4_096, 8_192, 16_384, 1 << 20] {
      let repeated = String(repeating: "&a=b", count: count / 4)
      #expect(Self.code("otpauth://totp/k?secret=\(Self.secret)" + repeated) == .uriTooLong)
      let long = String(repeating: "A", count: count)
      #expect(Material.code { _ = try OTPSecret(base32: Material.secret(long)) } == .secretTooLong)
      #expect(
        Material.code {
          _ = try OTPSecret(base32: Material.secret(String(repeating: " ", count: count)))
        } == .secretTooLong)
      let totp = try Material.totp()
      #expect(Material.code { _ = try totp.verify(long, at: Material.now) } == .codeMalformed)
      var codes = try RecoveryCodes(stored: [])
      let key = try RecoveryCodes.Key(Material.secret([UInt8](repeating: 1, count: 32)))
      #expect(Material.code { try codes.redeem(long, user: "a", key: key) } == .recoveryCodeMalformed)
      #expect(
        Material.code {
          _ = try RecoveryCodes(stored: [[UInt8]](repeating: [UInt8](repeating: 0, count: 32), count: count))
        } == .recoverySetMalformed)
      #expect(
        Material.code {
          _ = try OTPAuthURI(issuer: long, account: long, secret: OTPSecret(Material.secret(Material.seed)))
        } == .uriTooLong)
    }
  }
}
