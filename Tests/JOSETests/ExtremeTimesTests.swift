internal import JOSE
internal import Testing
internal import TokenSecurityTesting

/// Clocks, claims and limits of any size: no sum traps, and every refusal is by a rule.
@Suite struct ExtremeTimesTests {
  private static let extremes: [Int64] = [
    .min, .min + 1, -62_135_596_801, -62_135_596_800, -1, 0, 1, 1_767_225_600, 253_402_300_799,
    253_402_300_800, .max - 1, .max,
  ]

  private static func random(_ generator: inout SystemRandomNumberGenerator) -> Int64 {
    if Bool.random(using: &generator), let extreme = extremes.randomElement(using: &generator) {
      return extreme
    }
    return Int64.random(in: .min ... .max, using: &generator) >> Int64.random(in: 0...62, using: &generator)
  }

  @Test func clocksAndClaimsAndLimits() throws {
    var generator = SystemRandomNumberGenerator()
    let key = try JWK.generate(.hs256)
    let signer = try JWSSigner(key: key)
    for _ in 0..<TestScale.count(400) {
      var policy = TokenPolicy(issuer: "i", audience: "a")
      policy.leeway = [nil, .zero, .seconds(5), .seconds(300)].randomElement(using: &generator) ?? nil
      policy.maximumLifetime = .seconds(max(1, Self.random(&generator)))
      policy.maximumAge = .seconds(max(1, Self.random(&generator)))
      policy.maximumAuthenticationAge = .seconds(max(1, Self.random(&generator)))
      var claims: JSONObject = ["iss": "i", "aud": "a"]
      for name in ["exp", "nbf", "iat", "auth_time"] {
        claims[name] = .number(JSONNumber(Self.random(&generator)))
      }
      let token = try signer.sign(Array(JSONValue.object(claims).description.utf8))
      let verifier = try TokenVerifier(keys: JWKSet(key), policy: policy)
      let now = NumericDate(seconds: Self.random(&generator))
      let explanation = verifier.explain(token, at: now)
      #expect(explanation.checks.allSatisfy { !$0.expected.isEmpty })
      do {
        _ = try verifier.verify(token, at: now)
        #expect((try? explanation.result.get()) != nil)
      } catch {
        #expect(!error.description.isEmpty)
        #expect(throws: error) { try explanation.result.get() }
      }
    }
  }

  @Test func instants() {
    for start in Self.extremes {
      for change in Self.extremes {
        let date = NumericDate(seconds: start).advanced(bySeconds: change)
        #expect(NumericDate.range.contains(date.seconds))
        _ = date.seconds(since: NumericDate(seconds: change))
        #expect(TimeSpan(from: NumericDate(seconds: start), to: date).seconds >= 0)
        #expect(!date.relative(to: NumericDate(seconds: start)).isEmpty)
      }
      #expect(TimeSpan(seconds: start).seconds >= 0)
      #expect(!JOSEError.lifetimeNegative(.seconds(start)).description.isEmpty)
    }
  }

  /// Without a leeway, an issuer's clock may be ten seconds ahead, and the end of a token is exact. A leeway
  /// replaces both.
  @Test func theDefaultLeewayIsExplained() throws {
    let key = try JWK.generate(.hs256)
    let signer = try TokenSigner(key: key)
    let now = NumericDate(seconds: 1_767_225_600)
    let token = try signer.issue(TokenClaims(issuer: "i", audience: ["a"]), at: now)
    var policy = TokenPolicy(issuer: "i", audience: "a")
    policy.maximumAge = .seconds(60)
    func demands() throws -> [String: String] {
      let checks = try TokenVerifier(keys: JWKSet(key), policy: policy).explain(token, at: now).checks
      return Dictionary(checks.map { ($0.name, $0.expected) }) { first, _ in first }
    }
    let standard = try demands()
    #expect(standard["exp"] == "in the future")
    #expect(standard["nbf"] == "at most 10 seconds ahead, if present")
    #expect(standard["iat"] == "at most 10 seconds ahead, if present")
    #expect(standard["age"] == "at most 1 minute")
    policy.leeway = .seconds(5)
    let set = try demands()
    #expect(set["exp"] == "in the future, give or take 5 seconds")
    #expect(set["iat"] == "at most 5 seconds ahead, if present")
    #expect(set["age"] == "at most 1 minute, give or take 5 seconds")
    policy.leeway = .zero
    let exact = try demands()
    #expect(exact["iat"] == "not in the future, if present")
  }
}
