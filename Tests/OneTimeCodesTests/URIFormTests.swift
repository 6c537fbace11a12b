internal import TokenSecurityCrypto
internal import OneTimeCodes
internal import Testing
internal import TokenSecurityVectorFiles

/// URIs and secrets as services and applications write them.
@Suite struct URIFormTests {
  private func read(_ text: String) throws -> OTPAuthURI { try OTPAuthURI(Material.secret(text)) }
  private func strict(_ text: String) -> OTPError.Code? {
    Material.code { _ = try OTPAuthURI(Material.secret(text), form: .strict) }
  }

  /// Codes of pyotp 2.12.1 (`pyotp.contrib.steam.Steam`).
  @Test(arguments: [
    (0, "XQCRV"), (59, "WD6N6"), (1_111_111_109, "WH5JH"), (1_612_380_872, "JMGDP"),
    (20_000_000_000, "3RY5N"),
  ])
  func codesInSteamsForm(seconds: Int64, expected: String) throws {
    let secret = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
    let now = Timestamp(since1970: .seconds(seconds))
    for form in [
      "totp/Steam:me?secret=S&encoder=steam", "totp/Steam:me?secret=S&issuer=Steam&digits=10&encoder=STEAM",
      "totp/Steam:me?secret=S&digits=5&algorithm=SHA1&period=30&encoder=steam", "steam/Steam:me?secret=S",
      "totp/Steam:me?secret=S&issuer=Steam&digits=10", "totp/Steam:me?secret=S&digits=5",
    ] {
      let uri = try read("otpauth://" + form.replacing("secret=S", with: "secret=" + secret))
      #expect(uri.form == .steam && uri.digits == 5 && uri.issuer == "Steam" && uri.warnings.isEmpty)
      let totp = try uri.totp()
      #expect(try totp.code(at: now) == expected)
      #expect(try totp.verify(expected.lowercased(), at: now).step == UInt64(seconds / 30))
      #expect(Material.code { _ = try totp.verify("23456", at: now) } == .codeMismatch)
      for wrong in ["", "2345", "234567", "2345A", "1234B", "2345\u{130}"] {
        #expect(throws: OTPError.steamCodeMalformed) { try totp.verify(wrong, at: now) }
      }
      let again = try OTPAuthURI(uri.text())
      #expect(try again.totp().code(at: now) == expected)
    }
  }

  /// Five and ten digits without an encoder are Steam's alone.
  @Test func otherIssuersHaveNoFormOfSteams() throws {
    for form in [
      "totp/Steam:me?S&issuer=Other&digits=10", "totp/steam:me?S&digits=5",
      "hotp/Steam:me?S&counter=1&digits=5",
    ] {
      let text = "otpauth://" + form.replacing("S&", with: "secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&")
      #expect(Material.code { _ = try read(text) } == .uriParameterInvalid, "\(form)")
    }
    let six = try read("otpauth://totp/Steam:me?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&digits=6")
    #expect(six.form == .decimal && six.digits == 6)
  }

  /// As pyotp 2.12 reads labels: the first colon ends the issuer.
  @Test func labelsWithoutAccountOrWithColons() throws {
    let cases: [(label: String, issuer: String?, account: String)] = [
      ("", nil, ""), ("A:", "A", ""), ("A:b:c", "A", "b:c"), ("A:%20b", "A", "b"), ("A%3Ab", "A", "b"),
    ]
    for (label, issuer, account) in cases {
      let uri = try read("otpauth://totp/\(label)?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP")
      #expect(uri.issuer == issuer && uri.account == account && uri.warnings.isEmpty)
      let again = try OTPAuthURI(uri.text())
      #expect(again.issuer == issuer && again.account == account)
    }
  }

  @Test func anEmptyIssuerCountsAsAbsent() throws {
    let text = "otpauth://totp/A:b?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer="
    let uri = try read(text)
    #expect(uri.issuer == "A" && uri.warnings.isEmpty)
    #expect(strict(text) == nil)
  }

  /// A URI copied from the source of a page has `&amp;` between its parameters.
  @Test(arguments: ["digits=8", "period=60", "issuer=x", "interval=60"])
  func escapedSeparatorsAreRefused(parameter: String) throws {
    let text = "otpauth://totp/a?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&amp;" + parameter
    let expected = "amp;" + String(parameter.prefix { $0 != "=" })
    #expect(throws: OTPError.uriParameterUnsupported(expected)) { _ = try read(text) }
    #expect(try read(text.replacing(parameter, with: "color=red")).digits == 6)
  }

  /// A text that may be a secret is not shown.
  @Test(arguments: [
    ("steam://JBSWY3DPEHPK3PXP", "steam://"), ("otpauth-migration://offline?data=A", "otpauth-migration://"),
    ("otpauth://motp/a", "otpauth://motp/"), ("JBSWY3DPEHPK3PXP", "…"), ("me:JBSWY3DPEHPK3PXP", "…"),
  ])
  func otherTextsAreNamedByTheirScheme(text: String, shown: String) {
    #expect(throws: OTPError.uriKind(shown)) { _ = try read(text) }
  }

  /// The parameter wins (otphp 242; pyotp 120): codes of QR codes that large services show.
  @Test func twoIssuers() throws {
    for (label, parameter) in [
      ("Some+Company", "Microsoft"), ("Slack (Name Company)", "Slack"), ("café", "cafe\u{301}"),
    ] {
      let name = label.replacing(" ", with: "%20")
      let text =
        "otpauth://totp/\(name):me%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=\(parameter)"
      let uri = try read(text)
      #expect(uri.issuer.map { Array($0.utf8) } == Array(parameter.utf8))
      #expect(uri.warnings == [.issuers(label: label, parameter: parameter)])
      #expect(try uri.totp().code(at: Timestamp(since1970: .seconds(1_612_380_872))) == "733710")
      #expect(strict(text) == .uriIssuerMismatch)
    }
  }

  /// Bits after the last byte are dropped (speakeasy 135, pyotp 115), as pyotp 2.12.1 does.
  @Test func bitsAfterTheLastByte() throws {
    let text = "S46SQCPPTCNPROMHWYBDCTBZXV"
    let secret = try OTPSecret(base32: Material.secret(text))
    #expect(secret.deviations == [.trailingBits])
    #expect(try TOTP(secret: secret).code(at: Timestamp(since1970: .seconds(1_612_380_872))) == "100172")
    #expect(
      Material.code { _ = try OTPSecret(base32: Material.secret(text + "======"), form: .strict) }
        == .base32TrailingBits)
    let uri = try read("otpauth://totp/a?secret=\(text.lowercased())")
    #expect(uri.warnings == [.secret(.smallLetters), .secret(.trailingBits)])
    #expect(strict("otpauth://totp/a?secret=\(text)") == .base32TrailingBits)
    #expect(strict("otpauth://totp/a?secret=\(EnrollmentTests.base32)") == nil)
    #expect(strict("otpauth://totp/a?secret=\(EnrollmentTests.base32.lowercased())") == .base32Character)
  }
}
