internal import JOSE
internal import OpenIDConnect
internal import SigningKeyTesting
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityTesting
internal import TokenSecurityVectorFiles

/// One verifier for many issuers.
@Suite struct OpenIDVerifierTests {
  let fetcher = ScriptedFetcher()

  private func trusted(_ issuer: Issuer) throws -> TrustedIssuer { try issuer.trusted(by: fetcher) }

  @Test func theIssuerSelectsKeysAndPolicy() async throws {
    let issuers = try (0..<20).map { try Issuer("https://issuer-\($0).example", kid: "same") }
    let verifier = try OpenIDVerifier(issuers.map(trusted), transport: fetcher)
    for issuer in issuers {
      #expect(try await verifier.verifyFetchingKeys(issuer.token()).claims.issuer == issuer.name)
      #expect(try verifier.verify(issuer.token()).claims.issuer == issuer.name)
    }
    #expect(fetcher.count == 20)
    // A key of one issuer does not verify tokens of another, even with the same key id.
    let forged = try issuers[0].token(at: .now, ["iss": .string(issuers[1].name)])
    #expect(throws: OpenIDError.token(.signatureInvalid)) { try verifier.verify(forged) }
  }

  @Test func anIssuerThatIsNotTrustedIsRefusedBeforeAnyNetwork() async throws {
    let known = try (0..<9).map { try Issuer("https://issuer-\($0).example", kid: "k") }
    let verifier = try OpenIDVerifier(known.map(trusted), transport: fetcher)
    for name in ["https://issuer-0.example/", "https://issuer-0.examplé", "", "https://ISSUER-0.example"] {
      let token = try Issuer(name, kid: "k").token()
      await #expect(throws: OpenIDError.issuerUnknown(actual: name, known: known.map(\.name))) {
        try await verifier.verifyFetchingKeys(token)
      }
    }
    let error = OpenIDError.issuerUnknown(actual: "x", known: known.map(\.name))
    #expect(error.description.contains("\"https://issuer-0.example\", "))
    #expect(error.description.hasSuffix("and 1 more"))
    #expect(fetcher.count == 0)
  }

  /// Tokens that are refused without a fetch, and the error codes.
  @Test(arguments: [
    ("garbage", "not_compact"), ("no issuer", "issuer_missing"), ("alg none", "alg_none"),
    ("key in header", "header_key_source"), ("too large", "token_too_large"),
  ])
  func tokensWithInvalidHeadersCostNoFetch(_ wrong: String, _ code: String) async throws {
    let issuer = try Issuer("https://issuer.example", kid: "k")
    let verifier = try OpenIDVerifier([trusted(issuer)], transport: fetcher)
    let good = try issuer.token()
    let tail = good.split(separator: ".").dropFirst().joined(separator: ".")
    func headed(_ header: String) -> String { Base64URL.string(Array(header.utf8)) + "." + tail }
    let token =
      switch wrong {
      case "garbage": "garbage"
      case "no issuer": try TokenSigner(key: issuer.key).issue(TokenClaims(subject: "jane"))
      case "alg none": headed(#"{"alg":"none"}"#)
      case "key in header": headed(#"{"alg":"ES256","jku":"https://evil.example"}"#)
      default: String(repeating: "a", count: 16_385)
      }
    for call in 0..<2 {
      await #expect {
        _ = call == 0 ? try await verifier.verifyFetchingKeys(token) : try verifier.verify(token)
      } throws: {
        ($0 as? OpenIDError)?.codeText == code
      }
    }
    #expect(fetcher.count == 0)
  }

  @Test func withoutKeysTheSynchronousCallThrows() async throws {
    let issuer = try Issuer("https://issuer.example", kid: "k")
    let verifier = try OpenIDVerifier([trusted(issuer)], transport: fetcher)
    let token = try issuer.token()
    let error = OpenIDError.keysNotCached(issuer: issuer.name)
    #expect(throws: error) { try verifier.verify(token) }
    #expect(error.codeText == "keys_not_held")
    #expect(!error.isRefusal)
    // The call has started a fetch in the background.
    try await eventually { (try? verifier.verify(token)) != nil }
    #expect(fetcher.count == 1)
  }

  @Test func prefetchFetchesAllAndThrowsTheFirstError() async throws {
    let issuers = try (0..<40).map { try Issuer("https://issuer-\($0).example", kid: "k") }
    let verifier = try OpenIDVerifier(issuers.map(trusted), transport: fetcher)
    try await verifier.prefetch()
    #expect(fetcher.count == 40)
    #expect(fetcher.mostUnderWay <= 16)
    for issuer in issuers { _ = try verifier.verify(issuer.token()) }

    let other = ScriptedFetcher()
    other.answer("https://issuer-1.example/jwks", Issuer.set(issuers[1]))
    other.fail("https://issuer-0.example/jwks", status: 503)
    let half = try OpenIDVerifier([trusted(issuers[0]), trusted(issuers[1])], transport: other)
    await #expect(
      throws: OpenIDError.keysUnavailable(address: "https://issuer-0.example/jwks", .status(503))
    ) { try await half.prefetch() }
    _ = try half.verify(issuers[1].token())
  }

  @Test func twoNamesOfOneIssuerShareAKeySet() async throws {
    let google = try OpenIDVerifier([.google(clientIDs: ["api"])], transport: fetcher)
    var key = try VectorKeys.rsa(2)
    key.keyID = "g"
    let keys = JWKSet(key).publicJSON
    fetcher.answer("https://www.googleapis.com/oauth2/v3/certs", keys)
    for name in ["https://accounts.google.com", "accounts.google.com"] {
      let claims = TokenClaims(issuer: name, subject: "1", audience: ["api"])
      _ = try await google.verifyFetchingKeys(TokenSigner(key: key, algorithm: .rs256).issue(claims))
    }
    #expect(fetcher.count == 1)
  }

  /// Only Cognito identity pools' key sets are parsed loosely.
  @Test func anIdentityPoolsKeysAreParsedLoosely() async throws {
    let file = try VectorFile.load("openid")
    let vector = try file.cases.first { $0.id == "identity-developer" }.orThrow("no such case")
    let (token, now) = (try vector.input.text("token"), NumericDate(seconds: try vector.input.seconds("at")))
    let pool = try vector.input.object("profile").text("pool")
    let keys = JSONValue.object(try file.extras.object("identity_pool_keys")).description
    let address = "https://cognito-identity.amazonaws.com/.well-known/jwks_uri"
    fetcher.answer(address, keys)
    let verifier = try OpenIDVerifier([.cognitoIdentityPool(pool)], transport: fetcher)
    let verified = try await verifier.verifyFetchingKeys(token, at: now)
    #expect(try CognitoLogins(verified).logins.first?.userIdentifier == "jane:doe:7")
    var strict = try TrustedIssuer.cognitoIdentityPool(pool)
    strict.keys = .remote(.address(try HTTPURL(address)))
    let other = try OpenIDVerifier([strict], transport: fetcher)
    await #expect(throws: OpenIDError.token(.keyNotFound(kid: "us-east-11", algorithm: .rs512))) {
      try await other.verifyFetchingKeys(token, at: now)
    }
  }

  @Test func signInsAreVerified() async throws {
    let issuer = try Issuer("https://op.example", kid: "k")
    let rules = IDTokenRules(issuers: [issuer.name], clientIDs: ["api"])
    let keys = JWKSet([issuer.key])
    let verifier = try OpenIDVerifier([.openIDProvider(rules, keys: .fixed(keys))], transport: fetcher)
    let token = try issuer.token(at: .now, ["nonce": "n-1"])
    _ = try await verifier.verifyFetchingKeys(token, signIn: SignIn(nonce: .exactly("n-1")))
    await #expect {
      try await verifier.verifyFetchingKeys(token, signIn: SignIn(nonce: .exactly("n-2")))
    } throws: {
      ($0 as? OpenIDError)?.codeText == "nonce_mismatch"
    }
    let explanation = try await verifier.explainFetchingKeys(token)
    #expect(explanation.checks.contains { $0.name == "azp" && $0.outcome == .passed })
    #expect(fetcher.count == 0)
  }

  @Test func anAuthorizationServerByItsAddress() async throws {
    let issuer = try Issuer("https://login.example", kid: "k")
    fetcher.answer(
      "https://login.example/.well-known/openid-configuration",
      #"{"issuer":"https://login.example","jwks_uri":"https://login.example/keys"}"#)
    fetcher.answer("https://login.example/keys", JWKSet([issuer.key]).publicJSON)
    func code(_ clientIDs: JOSE.Expectation<String>, maximum: Limit, lifetime: Int64) async throws -> String?
    {
      let verifier = try OpenIDVerifier(
        [
          .authorizationServer(
            "https://login.example", audiences: ["api"], clientIDs: clientIDs, maximumLifetime: maximum)
        ], transport: fetcher)
      var claims = TokenClaims(issuer: issuer.name, subject: "jane", audience: ["api"])
      claims["client_id"] = "c"
      claims["jti"] = "1"
      let token = try TokenSigner(key: issuer.key, type: "at+jwt")
        .issue(claims, lifetime: .seconds(lifetime))
      do {
        _ = try await verifier.verifyFetchingKeys(token)
        return nil
      } catch { return error.codeText }
    }
    #expect(try await code(["c"], maximum: .minutes(15), lifetime: 900) == nil)
    #expect(try await code(["c"], maximum: .minutes(15), lifetime: 901) == "lifetime_too_long")
    #expect(try await code(["d"], maximum: .minutes(15), lifetime: 900) == "client_mismatch")
    #expect(try await code(.unchecked(because: "a test"), maximum: .minutes(15), lifetime: 900) == nil)
  }

  /// The shorter limit applies: the issuer's, or the `max_age` of the sign-in.
  @Test(arguments: [
    (Limit.seconds(300), Limit.seconds(3_600), 301), (.seconds(3_600), .seconds(300), 301),
    (.unchecked(because: "any"), .seconds(300), 301), (.seconds(300), .unchecked(because: "any"), 301),
  ])
  func aSignInDoesNotWidenTheIssuersLimit(own: Limit, sent: Limit, age: Int) async throws {
    let issuer = try Issuer("https://op.example", kid: "k")
    var trusted = TrustedIssuer.openIDProvider(
      IDTokenRules(issuers: [issuer.name], clientIDs: ["api"]), keys: .fixed(JWKSet([issuer.key])))
    trusted.policy.maximumAuthenticationAge = own
    let verifier = try OpenIDVerifier([trusted], transport: fetcher)
    let now = NumericDate(seconds: 1_767_225_600)
    let signIn = SignIn(nonce: .absent, maximumAge: sent)
    let time = JSONNumber(Int(now.seconds) - age)
    let token = try issuer.token(at: now, ["auth_time": .number(time)])
    await #expect {
      try await verifier.verifyFetchingKeys(token, signIn: signIn, at: now)
    } throws: {
      ($0 as? OpenIDError)?.codeText == "token_too_old"
    }
    _ = try await verifier.verifyFetchingKeys(token, signIn: signIn, at: now.advanced(bySeconds: -1))
  }

  @Test func eachIssuersLimitsApply() throws {
    let (wide, narrow) = (
      try Issuer("https://wide.example", kid: "k"), try Issuer("https://narrow.example", kid: "k")
    )
    func trusted(_ issuer: Issuer, depth: Int) -> TrustedIssuer {
      var policy = issuer.policy
      policy.signature.limits.depth = depth
      return TrustedIssuer(policy: policy, keys: .fixed(JWKSet([issuer.key])))
    }
    let verifier = try OpenIDVerifier(
      [trusted(wide, depth: 20), trusted(narrow, depth: 3)], transport: fetcher)
    let deep: JSONObject = ["deep": [[["x"]]]]
    _ = try verifier.verify(wide.token(at: .now, deep))
    _ = try verifier.verify(narrow.token(at: .now, ["deep": [["x"]]]))
    #expect { try verifier.verify(narrow.token(at: .now, deep)) } throws: {
      ($0 as? OpenIDError)?.codeText == "json_nesting"
    }
  }

  @Test func invalidVerifiersAreRefused() throws {
    let issuer = try Issuer("https://issuer.example", kid: "k")
    func code(_ issuers: [TrustedIssuer]) -> String? {
      do throws(OpenIDError) {
        _ = try OpenIDVerifier(issuers, transport: fetcher)
        return nil
      } catch { return error.codeText }
    }
    #expect(code([]) == "verifier_invalid")
    #expect(code([try trusted(issuer), try trusted(issuer)]) == "verifier_invalid")
    var anyone = try trusted(issuer)
    anyone.policy.issuer = .unchecked(because: "a mistake")
    #expect(code([anyone]) == "verifier_invalid")
    anyone.policy.issuer = .oneOf([])
    #expect(code([anyone]) == "verifier_invalid")
    anyone.policy.issuer = .exactly("x")
    anyone.policy.leeway = .seconds(301)
    #expect(code([anyone]) == "policy_invalid")
  }
}
