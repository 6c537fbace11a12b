internal import JOSE
internal import OpenIDConnect
internal import Testing

/// The messages of errors.
@Suite struct ErrorTests {
  @Test func messagesNameRuleAndValue() {
    let now = NumericDate(seconds: 1_767_225_600)
    let cases: [(OpenIDError, String)] = [
      (
        .token(.expired(at: now.advanced(bySeconds: -125), now: now)),
        "the token expired at 2025-12-31T23:57:55Z, 2 minutes 5 seconds ago"
      ),
      (
        .issuerUnknown(actual: "https://a.example", known: ["https://b.example", "https://c.example"]),
        #"the issuer "https://a.example" is not trusted; trusted issuers: "https://b.example", "https://c.example""#
      ),
      (
        .keysUnavailable(address: "https://a.example/k", .transport(.timeout(.seconds(5)))),
        #"no keys from "https://a.example/k": no complete response arrived within 5 s"#
      ),
      (
        .keysUnavailable(address: "a", .transport(.timeout(.milliseconds(1_500)))),
        #"no keys from "a": no complete response arrived within 1.5 s"#
      ),
      (
        .keysUnavailable(address: "a", .redirect(status: 302, location: "https://evil.example")),
        #"no keys from "a": redirects are not followed: status 302, location "https://evil.example""#
      ),
    ]
    for (error, sentence) in cases { #expect(error.description == sentence) }
    #expect(
      ClaimError.wrongKind(expected: .idToken, actual: .accessToken).description
        == "this is an access token; expected: an ID token")
  }

  @Test func onlyErrorsOfTokensAreRefusals() {
    #expect(OpenIDError.token(.tokenEmpty).isRefusal)
    #expect(OpenIDError.issuerUnknown(actual: "", known: []).isRefusal)
    #expect(!OpenIDError.keysUnavailable(address: "", .webPage).isRefusal)
  }

  @Test func foreignTextIsBoundedAndEscaped() {
    let text = String(repeating: "\u{1B}[31m", count: 10_000)
    let errors: [OpenIDError] = [
      .issuerUnknown(actual: text, known: [text, text]), .addressInvalid(.addressInvalid(text, rule: "x")),
      .keysUnavailable(address: text, .transport(.connection(text))),
      .keysUnavailable(address: text, .redirect(status: 301, location: text)),
      .keysUnavailable(address: text, .metadataIssuer(expected: text, actual: text)),
      .token(.ruleBroken(.init(code: "x", message: text))),
    ]
    for error in errors {
      #expect(error.description.utf8.count < 6_000)
      #expect(!error.description.unicodeScalars.contains("\u{1B}"))
    }
  }
}
