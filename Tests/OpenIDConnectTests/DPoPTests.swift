internal import JOSE
internal import OpenIDConnect
internal import Testing
internal import TokenSecurityBase

/// DPoP proofs from untrusted senders.
@Suite struct DPoPTests {
  let now = NumericDate(seconds: 1_767_225_600)
  let key: JWK

  init() throws { key = try JWK.generate(.es256) }

  private func proof(
    jwk: JSONObject? = nil, address: String = "https://api.example/orders", id: String = "1",
    more: JSONObject = [:]
  ) throws -> String {
    var claims: JSONObject = [
      "jti": .string(id), "htm": "GET", "htu": .string(address), "iat": .number(JSONNumber(now.seconds)),
    ]
    for member in more.members { claims[member.name] = member.value }
    return try JWSSigner(key: key).sign(
      JSONWriter.write(claims), header: ["typ": "dpop+jwt", "jwk": .object(jwk ?? key.publicJWK ?? [:])])
  }

  private func verify(
    _ proof: String, address: String = "https://api.example/orders",
    change: (inout DPoPRules) -> Void = { _ in }
  ) throws(OpenIDError) -> DPoPProof {
    let cache = TokenReplayCache()
    var rules = DPoPRules { cache.insert($0, until: $1, at: $2) }
    change(&rules)
    return try rules.verify(
      proof, method: "GET", address: try HTTPURL(openID: address), accessToken: nil, at: now)
  }

  @Test func aPublicKeyIsAccepted() throws { _ = try verify(proof()) }

  /// The private member is refused by name. Its value is malformed, so the message shows that it was not
  /// used.
  @Test(arguments: ["d", "p", "q", "dp", "dq", "qi", "oth", "k"])
  func privateMembersAreRefusedByName(_ name: String) throws {
    for (type, value): (String, JSONValue) in [
      ("EC", "Aw"), ("RSA", .string(String(repeating: "A", count: 4_000))), ("oct", "!"), ("OKP", .null),
      ("x", []),
    ] {
      var jwk = key.publicJWK ?? [:]
      jwk["kty"] = .string(type)
      jwk[name] = value
      let proof = try proof(jwk: jwk)
      let fault = ClaimError.proofKey("\(JOSEError.keyNotPublic(member: name))")
      let refusal = CheckRefusal(code: fault.codeText, message: fault.description)
      #expect(throws: OpenIDError.token(.ruleBroken(refusal))) { try verify(proof) }
    }
  }

  /// (`htu`, the request's URL, whether they are equal after normalisation by RFC 3986 section 6.2).
  @Test(arguments: [
    ("https://api.example/a%2fb", "https://api.example/a%2Fb", true),
    ("https://api.example/%7Eme", "https://api.example/~me", true),
    ("https://api.example/a/./b/../c", "https://api.example/a/c", true),
    ("https://api.example/a/..", "https://api.example/", true),
    ("https://api.example/a/.", "https://api.example/a/", true),
    ("https://api.example/%2e%2E/x", "https://api.example/x", true),
    ("https://api.example", "https://api.example/", true),
    ("HTTPS://API.EXAMPLE:443/x?y#z", "https://api.example/x", true),
    ("https://api.example/x?q=a b|\u{e9}%2", "https://api.example/x", true),
    ("https://api.example/x#a?[b] %", "https://api.example/x", true),
    ("https://api.example?q=<>", "https://api.example/", true),
    ("https://api.example/x y?q", "https://api.example/x", false),
    ("https://api.example/a/", "https://api.example/a", false),
    ("https://api.example/a%2Fb", "https://api.example/a/b", false),
    ("https://api.example//a", "https://api.example/a", false),
    ("https://api.example/%4B", "https://api.example/K", true),
    ("https://api.example/K", "https://api.example/k", false),
  ])
  func addressesAreCompared(_ found: String, _ wanted: String, _ isSame: Bool) throws {
    let proof = try proof(address: found)
    if isSame {
      _ = try verify(proof, address: wanted)
    } else {
      #expect { try verify(proof, address: wanted) } throws: {
        ($0 as? OpenIDError)?.codeText == "proof_mismatch"
      }
    }
  }

  /// Claims of access tokens mean nothing in a proof.
  @Test(arguments: ["cnf", "act"])
  func otherClaimsAreIgnored(name: String) throws {
    for value: JSONValue in [["jkt": "x"], ["sub": "x"], "text"] {
      _ = try verify(proof(more: [name: value]))
    }
  }

  /// The cache keeps proofs as long as the rules accept them.
  @Test func aProofIsAcceptedOnce() throws {
    let cache = DPoPRules.replays(capacity: 10)
    let rules = DPoPRules { cache.insert($0, until: $1, at: $2) }
    let address = try HTTPURL(openID: "https://api.example/orders")
    let proof = try proof()
    for seconds in [0, 64] as [Int64] {
      let now = now.advanced(bySeconds: seconds)
      let code: String?
      do {
        _ = try rules.verify(proof, method: "GET", address: address, accessToken: nil, at: now)
        code = nil
      } catch { code = error.codeText }
      #expect(code == (seconds == 0 ? nil : "replayed"))
    }
  }

  @Test func extremeLimitsDoNotOverflow() throws {
    let proof = try proof()
    _ = try verify(proof) {
      $0.maximumAge = Duration(attoseconds: .max)
      $0.leeway = .seconds(300)
      $0.isNew = { _, until, now in until > now }
    }
  }

  @Test func namesHaveAFixedLength() throws {
    let proof = try proof(id: String(repeating: "x", count: 5_000))
    _ = try verify(proof) { $0.isNew = { name, _, _ in name.utf8.count == 48 && name.hasPrefix("dpop:") } }
  }
}
