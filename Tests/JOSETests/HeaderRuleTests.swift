internal import JOSE
internal import Testing

/// Tokens, explanations and JWS are checked by one list of header rules: of several broken rules all report
/// the same one.
@Suite struct HeaderRuleTests {
  /// Headers that break one rule each, in the order of the rules.
  private static let broken: [(code: JOSEError.Code, members: JSONObject)] = [
    (.algorithmUnknown, ["alg": "XS256"]),
    (.headerParameterType, ["cty": 1]),
    (.headerEncryption, ["zip": "DEF"]),
    (.headerKeySource, ["jku": "https://attacker.example"]),
    (.criticalNotUnderstood, ["crit": ["exp"], "exp": 1]),
    (.unencodedNotCritical, ["b64": true]),
    (.typeMismatch, ["typ": "other"]),
  ]

  private static func code(_ body: () throws(JOSEError) -> Void) -> JOSEError.Code? {
    do {
      try body()
      return nil
    } catch {
      return error.code
    }
  }

  @Test func theFirstBrokenRuleIsTheSameForAll() throws {
    let key = try JWK.generate(.es256)
    var policy = TokenPolicy(issuer: "i", audience: "a")
    policy.signature.type = "expected"
    let tokens = try TokenVerifier(keys: JWKSet(key), policy: policy)
    let payloads = try JWSVerifier(keys: JWKSet(key), rules: policy.signature)
    for first in Self.broken.indices {
      for second in Self.broken.indices[first...] {
        var header: JSONObject = ["alg": "ES256", "typ": "expected"]
        for index in [second, first] {
          for member in Self.broken[index].members.members { header[member.name] = member.value }
        }
        let protected = Base64URL.string(Array(JSONValue.object(header).description.utf8))
        let compact = protected + ".e30.AA"
        let json = #"{"payload":"e30","protected":"\#(protected)","signature":"AA"}"#
        let expected = Self.broken[first].code
        #expect(Self.code { () throws(JOSEError) in _ = try tokens.verify(compact) } == expected)
        #expect(
          Self.code { () throws(JOSEError) in _ = try tokens.explain(compact).result.get() } == expected)
        #expect(Self.code { () throws(JOSEError) in _ = try payloads.verify(compact: compact) } == expected)
        #expect(Self.code { () throws(JOSEError) in _ = try payloads.verify(json: json) } == expected)
        let detached = protected + "..AA"
        #expect(
          Self.code { () throws(JOSEError) in _ = try payloads.verify(compact: detached, detachedPayload: [])
          }
            == expected)
      }
    }
  }
}
