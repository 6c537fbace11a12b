internal import JOSE
internal import OpenIDConnect
internal import SigningKeyTesting
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityTesting

/// Explanations of a verifier of several issuers: a text that any client may send is explained, and costs no fetch.
@Suite struct ExplainedTokenTests {
  let fetcher = ScriptedFetcher()

  private func verifier(_ issuer: Issuer) throws -> OpenIDVerifier {
    try OpenIDVerifier([issuer.trusted(by: fetcher)], transport: fetcher)
  }

  @Test(arguments: [
    ("garbage", "not_compact", "form"), ("a.b.c", "base64url_length", "form"), ("", "token_empty", "form"),
  ])
  func whatIsNoTokenIsExplained(text: String, code: String, check: String) async throws {
    let explanation = try await verifier(Issuer("https://issuer.example", kid: "k")).explainFetchingKeys(text)
    #expect(throws: JOSEError.self) { try explanation.result.get() }
    #expect(explanation.error?.codeText == code)
    #expect(explanation.checks.first { if case .failed = $0.outcome { true } else { false } }?.name == check)
    #expect("\(explanation)".hasSuffix("[\(code)]\n         1 check failed: \(check)\n"))
    #expect(fetcher.count == 0)
  }

  @Test func anotherIssuerIsExplained() async throws {
    let verifier = try verifier(Issuer("https://issuer.example", kid: "k"))
    let token = try Issuer("https://other.example\u{1B}[2J", kid: "k").token()
    let explanation = try await verifier.explainFetchingKeys(token)
    #expect(explanation.error?.codeText == "issuer_mismatch" && explanation.header?.keyID == "k")
    #expect(explanation.checks.map(\.name) == ["iss"])
    #expect(
      explanation.checks[0].expected == "\"https://issuer.example\""
        && explanation.checks[0].actual == #""https://other.example\u{1b}[2J""#)
    let without = try await verifier.explainFetchingKeys(
      SignedTokens.token(payload: #"{"sub":"a"}"#))
    #expect(without.error?.codeText == "claim_missing" && without.checks[0].actual == "absent")
    #expect(fetcher.count == 0)
  }

  @Test func aRefusedHeaderIsExplainedWithoutKeys() async throws {
    let issuer = try Issuer("https://issuer.example", kid: "k")
    let tail = try issuer.token().split(separator: ".").dropFirst().joined(separator: ".")
    let explanation = try await verifier(issuer).explainFetchingKeys(
      Base64URL.string(Array(#"{"alg":"none"}"#.utf8)) + "." + tail)
    #expect(explanation.error?.codeText == "alg_none" && fetcher.count == 0)
  }

  /// The first of several issuers would accept the size.
  @Test func aTokenThatIsTooLargeForItsIssuerIsExplainedByThisOne() async throws {
    let (wide, narrow) = (
      try Issuer("https://wide.example", kid: "k"), try Issuer("https://narrow.example", kid: "k")
    )
    var policy = narrow.policy
    policy.signature.limits.token = 200
    fetcher.answer("https://narrow.example/jwks", Issuer.set(narrow))
    let keys = TrustedIssuer.Keys.remote(.address(try HTTPURL("https://narrow.example/jwks")))
    let verifier = try OpenIDVerifier(
      [wide.trusted(by: fetcher), TrustedIssuer(policy: policy, keys: keys)], transport: fetcher)
    let explanation = try await verifier.explainFetchingKeys(narrow.token())
    #expect(explanation.error?.codeText == "token_too_large" && fetcher.count == 0)
  }

  /// Nothing is known of a token without keys.
  @Test func withoutKeysNothingIsExplained() async throws {
    let issuer = try Issuer("https://issuer.example", kid: "k")
    let other = ScriptedFetcher()
    let verifier = try OpenIDVerifier(
      [
        TrustedIssuer(
          policy: issuer.policy, keys: .remote(.address(try HTTPURL("https://issuer.example/jwks"))))
      ], transport: other)
    let token = try issuer.token()
    await #expect {
      try await verifier.explainFetchingKeys(token)
    } throws: {
      ($0 as? OpenIDError)?.isRefusal == false
    }
  }
}

extension Explanation {
  fileprivate var error: JOSEError? { if case .failure(let error) = result { error } else { nil } }
}
