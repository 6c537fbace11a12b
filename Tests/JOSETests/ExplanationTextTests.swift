internal import JOSE
internal import Testing

/// An explanation as text: what `print(verifier.explain(token))` shows.
@Suite struct ExplanationTextTests {
  private let key: JWK
  static let now = NumericDate(seconds: 1_800_000_000)

  init() throws { key = try JWK.generate(.es256) }

  private func explanation(
    subject: String = "alice", audience: String = "my-api", at now: NumericDate = now
  ) throws -> Explanation {
    let claims = TokenClaims(issuer: "https://issuer.example", subject: subject, audience: [audience])
    let token = try TokenSigner(key: key).issue(claims, at: Self.now)
    let policy = TokenPolicy(issuer: "https://issuer.example", audience: "my-api")
    return try TokenVerifier(keys: JWKSet(key), policy: policy).explain(token, at: now)
  }

  @Test func aValidTokenIsATable() throws {
    let text = try "\(explanation())"
    #expect(text.hasPrefix("checked at 2027-01-15T08:00:00Z\n\n  ok    form "))
    #expect(text.contains("\nVALID  ES256, key \"") && text.hasSuffix("minutes\n"))
    #expect(text.contains("  ok    iss         \"https://issuer.example\"\n  "))
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  @Test func aRefusalEndsWithTheFailedChecks() throws {
    let later = try #require(NumericDate(seconds: 1_800_001_000, nanoseconds: 123_456_789))
    let text = try "\(explanation(audience: "other", at: later))"
    #expect(text.hasPrefix("checked at 2027-01-15T08:16:40Z\n"))
    #expect(
      text.contains("  FAIL  aud         \"my-api\"\n          actual    \"other\"\n          error     "))
    #expect(text.hasSuffix("[token_expired]\n         2 checks failed: exp, aud\n"))
  }

  /// Text of a token cannot act on a terminal, nor make a line of its own.
  @Test func textOfTheTokenIsEscaped() throws {
    let text = try "\(explanation(subject: "a\u{1B}[2J\nVALID  "))"
    #expect(!text.unicodeScalars.contains("\u{1B}"))
    #expect(text.contains(#""a\u{1b}[2J\u{a}VALID  ""#))
  }

  @Test func whatCannotBeReadIsOneSentence() throws {
    let verifier = try TokenVerifier(
      keys: JWKSet(key), policy: TokenPolicy(issuer: "https://issuer.example", audience: "my-api"))
    #expect(
      "\(verifier.explain("no token", at: Self.now))".contains(
        "[not_compact]\n         1 check failed: form\n"))
  }
}
