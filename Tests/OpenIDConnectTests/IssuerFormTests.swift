internal import HTTPExchange
internal import JOSE
internal import OpenIDConnect
internal import SigningKeyTesting
internal import Testing
internal import TokenSecurityBase

/// The forms of a user pool's issuer (`IssuerConfiguration.Type`; awslabs/aws-jwt-verify issues 279, 282 and 285).
@Suite struct IssuerFormTests {
  private static let id = "eu-west-1_Example01"
  private static let original = "https://cognito-idp.eu-west-1.amazonaws.com/\(id)"
  private static let updated = "https://issuer-cognito-idp.eu-west-1.amazonaws.com/\(id)"
  private static let replica = "https://cognito-idp.us-east-1.amazonaws.com/\(id)"

  private let fetcher = ScriptedFetcher()
  private let keys: [String: JWK]

  init() throws {
    var keys: [String: JWK] = [:]
    for (index, issuer) in [Self.original, Self.updated, Self.replica].enumerated() {
      var key = try VectorKeys.rsa(index)
      key.keyID = "same"
      keys[issuer] = key
    }
    self.keys = keys
  }

  private func publish(_ issuer: String) {
    fetcher.answer(issuer + "/.well-known/jwks.json", JWKSet([keys[issuer]].compactMap(\.self)).publicJSON)
  }

  private func token(_ issuer: String, signedBy signer: String? = nil) throws -> String {
    let claims: JSONObject = [
      "iss": .string(issuer), "sub": "jane", "client_id": "c-1", "token_use": "access",
    ]
    let key = try #require(keys[signer ?? issuer])
    return try TokenSigner(key: key, algorithm: .rs256).issue(TokenClaims(claims))
  }

  private func verifier(_ regions: [String] = []) throws -> OpenIDVerifier {
    var rules = CognitoUserPoolRules(pool: try CognitoUserPoolIssuer(Self.id), use: .access, clientIDs: "c-1")
    rules.replicaRegions = try regions.map { try AWSRegion($0) }
    return try OpenIDVerifier([.cognitoUserPool(rules)], transport: fetcher)
  }

  @Test func bothFormsAreVerifiedWithTheirKeys() async throws {
    publish(Self.original)
    publish(Self.updated)
    let verifier = try verifier()
    for issuer in [Self.original, Self.updated] {
      #expect(try await verifier.verifyFetchingKeys(token(issuer)).claims.issuer == issuer)
      #expect(try verifier.verify(token(issuer)).claims.issuer == issuer)
    }
    #expect(fetcher.count == 2)
    // The keys of one form do not verify tokens of the other.
    for (issuer, signer) in [(Self.original, Self.updated), (Self.updated, Self.original)] {
      let forged = try token(issuer, signedBy: signer)
      #expect(throws: OpenIDError.token(.signatureInvalid)) { try verifier.verify(forged) }
    }
  }

  /// AWS answers 403 for the second key set until the pool is switched to it.
  @Test func aSecondSetThatIsNotThereDisturbsNothing() async throws {
    publish(Self.original)
    fetcher.fail(Self.updated + "/.well-known/jwks.json", status: 403)
    let verifier = try verifier()
    try await verifier.prefetch()
    #expect(fetcher.count == 1)
    #expect(try verifier.verify(token(Self.original)).claims.issuer == Self.original)
    await #expect {
      try await verifier.verifyFetchingKeys(token(Self.updated))
    } throws: {
      ($0 as? OpenIDError)?.codeText == "fetch_status"
    }
    #expect(try verifier.verify(token(Self.original)).claims.issuer == Self.original)
  }

  @Test func replicasAreNamed() async throws {
    for issuer in [Self.original, Self.updated, Self.replica] { publish(issuer) }
    let replicated = try verifier(["us-east-1", "eu-west-1"])
    #expect(try await replicated.verifyFetchingKeys(token(Self.replica)).claims.issuer == Self.replica)
    #expect(try await replicated.verifyFetchingKeys(token(Self.updated)).claims.issuer == Self.updated)
    let before = fetcher.count
    let single = try verifier()
    await #expect {
      try await single.verifyFetchingKeys(token(Self.replica))
    } throws: {
      ($0 as? OpenIDError)?.codeText == "issuer_unknown"
    }
    #expect(fetcher.count == before)
  }

  @Test func partitionsHaveTheirHosts() throws {
    #expect(
      try CognitoUserPoolIssuer("cn-north-1_Example01").updatedIssuer
        == "https://issuer-cognito-idp.cn-north-1.amazonaws.com.cn/cn-north-1_Example01")
  }

  /// A pool of another service has the issuer that is named, and no other.
  @Test func aNamedIssuerIsTheOnlyOne() throws {
    let issuer = try TrustedIssuer.cognitoUserPool(
      Self.id, use: .access, clientIDs: ["c-1"], issuer: "https://id.example/\(Self.id)")
    #expect(issuer.policy.issuer == .exactly("https://id.example/\(Self.id)") && issuer.separateKeys.isEmpty)
  }

  @Test func keysOfAnIssuerThatIsNotNamedAreAMistake() throws {
    var issuer = try TrustedIssuer.cognitoUserPool(Self.id, use: .access, clientIDs: ["c-1"])
    issuer.policy.issuer = .exactly(Self.original)
    #expect { try OpenIDVerifier([issuer], transport: fetcher) } throws: {
      ($0 as? OpenIDError)?.codeText == "verifier_invalid"
    }
  }
}
