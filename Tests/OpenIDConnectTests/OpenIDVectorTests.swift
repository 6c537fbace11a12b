internal import JOSE
internal import OpenIDConnect
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityVectorFiles

/// Vectors for each rule of OpenID Connect and the profiles, with the exact error code.
@Suite struct OpenIDVectorTests {
  static let made = Result { try VectorFile.load("openid") }
  static let core = Result { try VectorFile.load("openid-core") }

  static func isProof(_ vector: VectorFile.Case) -> Bool {
    vector.input["profile"]?.object?["kind"]?.string == "dpop"
  }

  @Test(arguments: try made.get().cases.filter { !isProof($0) })
  func tokens(_ vector: VectorFile.Case) throws { try judge(vector, try Self.made.get()) }

  @Test(arguments: try core.get().cases)
  func examplesOfTheStandard(_ vector: VectorFile.Case) throws {
    try judge(vector, try Self.core.get())
  }

  private func judge(_ vector: VectorFile.Case, _ file: VectorFile) throws {
    let profile = try VectorProfile(vector.input, file)
    let verifier = try TokenVerifier(keys: profile.keys, policy: profile.policy)
    let (compact, now) = (
      try vector.input.text("token"), NumericDate(seconds: try vector.input.seconds("at"))
    )
    let explanation = verifier.explain(compact, at: now)
    let verdict = Result { () throws(JOSEError) in try verifier.verify(compact, at: now) }
    switch verdict {
    case .failure(let error):
      #expect(error.codeText == vector.reject)
      #expect(explanation.result == .failure(error))
      if case .ruleBroken(let refusal) = error {
        #expect(
          ClaimError.Code(rawValue: refusal.code) != nil || JOSEError.Code(rawValue: refusal.code) != nil)
        #expect(error.description == refusal.message)
      }
    case .success(let token):
      #expect(vector.reject == nil)
      #expect(explanation.result == .success(token))
      try check(token, vector)
    }
  }

  private func check(_ token: VerifiedToken, _ vector: VectorFile.Case) throws {
    let expect = vector.expect ?? [:]
    switch vector.input["profile"]?.object?["kind"]?.string {
    case "user-pool":
      try VectorFile.Case.check(
        expect, knows: ["use", "username", "client", "groups", "scopes", "roles", "custom"])
      let user = try CognitoUser(token)
      #expect(user.use.name == expect["use"]?.string)
      #expect(user.username == expect["username"]?.string)
      #expect(user.clientID == expect["client"]?.string)
      #expect(user.groups == expect["groups"]?.strings)
      #expect(user.scopes == expect["scopes"]?.strings)
      #expect(user.roles == expect["roles"]?.strings)
      if let code = expect["custom"]?.string {
        #expect { try user.customAttributes } throws: { ($0 as? OpenIDError)?.codeText == code }
      } else {
        let custom =
          expect["custom"]?.object?.members.map { (ExactString($0.name), $0.value.string ?? "") } ?? []
        #expect(try user.customAttributes == Dictionary(uniqueKeysWithValues: custom))
      }
      #expect(user.originTokenID == "o-1")
      #expect(user.subject == "0d1c6e2a")
      #expect(user.signedInAt == token.claims.authenticationTime)
    case "identity-pool":
      try VectorFile.Case.check(expect, knows: ["logins"])
      let logins = try CognitoLogins(token)
      let wanted = expect["logins"]?.array?.compactMap(\.object) ?? []
      #expect(logins.logins.map(\.provider) == wanted.map { $0["provider"]?.string ?? "" })
      #expect(logins.logins.map(\.userIdentifier) == wanted.map { $0["user"]?.string })
      #expect(logins.logins.map(\.source.rawValue) == wanted.map { $0["source"]?.string ?? "" })
      #expect(logins.isAuthenticated == !logins.logins.isEmpty)
    case "logout":
      let logout = try LogoutToken(token)
      #expect(logout.subject == token.claims.subject)
      #expect(logout.sessionID == token.claims["sid"]?.string)
    default: try VectorFile.Case.check(expect, knows: [])
    }
  }

  @Test(arguments: try made.get().cases.filter(isProof))
  func proofs(_ vector: VectorFile.Case) throws {
    let file = try Self.made.get()
    let request = try vector.input.object("profile")
    let now = NumericDate(seconds: try vector.input.seconds("at"))
    let access = try vector.input["access_token"]?.string.map { compact in
      // The access token is verified before its proof.
      var policy = TokenPolicy(issuer: "https://op.example", audience: "https://api.example")
      policy.binding = .only(["jkt"])
      let keys = try JWKSet(json: JSONValue.object(try file.extras.object("keys")).description)
      return try TokenVerifier(keys: keys, policy: policy).verify(compact, at: now)
    }
    let used = vector.input["used"] == true
    let cache = TokenReplayCache()
    let rules = DPoPRules { name, until, now in !used && cache.insert(name, until: until, at: now) }
    let verify = { () throws(OpenIDError) -> DPoPProof in
      try rules.verify(
        vector.input["token"]?.string ?? "", method: request["method"]?.string ?? "",
        address: try HTTPURL(openID: request["address"]?.string ?? ""), accessToken: access,
        nonce: vector.input["nonce"]?.string.map { .exactly($0) }
          ?? .unchecked(because: "none was given out"), at: now)
    }
    let verdict = Result { () throws(OpenIDError) in try verify() }
    switch verdict {
    case .failure(let error): #expect(error.codeText == vector.reject)
    case .success(let proof):
      #expect(vector.reject == nil)
      if let thumbprint = vector.expect?["thumbprint"]?.string { #expect(proof.thumbprint == thumbprint) }
      // The same proof is refused as a replay.
      #expect { try verify() } throws: { ($0 as? OpenIDError)?.codeText == "replayed" }
    }
  }
}
