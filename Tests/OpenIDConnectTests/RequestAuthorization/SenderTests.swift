internal import HTTPExchange
internal import JOSE
internal import OpenIDConnect
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// Requests whose tokens are bound to a key of their sender.
@Suite struct SenderTests {
  private static let now = NumericDate(seconds: 1_800_000_000)

  private struct Keys: HTTPTransport {
    let set: String

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
      TransportResponse(status: 200, headers: TransportHeaders(), body: Array(set.utf8))
    }
  }

  private let issuer: JWK
  private let sender: JWK

  init() throws {
    var key = try JWK.generate(.es256)
    key.keyID = "1"
    issuer = key
    sender = try JWK.generate(.es256)
  }

  private static let dpop = #""dpop":{"address":"https://api.example"}"#

  private func configuration(
    _ route: String, binding: String? = #""jkt""#, more: String = ""
  ) throws(PolicyDocumentError) -> AuthorizationConfiguration {
    try AuthorizationConfiguration(
      Array(
        #"""
        {"version":1,"listen":"127.0.0.1:0","policies":{"p":{"version":1,"issuers":[{"profile":"token",
          "issuer":"https://a.example","audience":"api",\#(binding.map { "\"binding\":\($0)," } ?? "")
          "keys":{"jwks_uri":"https://a.example/jwks"}}]}},
          "routes":{"r":{"policy":"p",\#(route)}}\#(more)}
        """#.utf8))
  }

  private func authorizer(
    _ route: String = dpop, binding: String? = #""jkt""#, nonces: ProofNonces? = nil,
    replacing former: RequestAuthorizer? = nil
  ) throws -> RequestAuthorizer {
    try RequestAuthorizer(configuration(route, binding: binding), replacing: former, nonces: nonces) { _ in
      Keys(set: JWKSet([issuer]).publicJSON)
    }
  }

  private func token(_ confirmation: JSONObject?) throws -> String {
    var claims: JSONObject = ["iss": "https://a.example", "aud": "api", "sub": "jane"]
    if let confirmation { claims["cnf"] = .object(confirmation) }
    return try TokenSigner(key: issuer).issue(TokenClaims(claims), lifetime: .seconds(900), at: Self.now)
  }

  private func boundToken() throws -> String { try token(["jkt": .string(sender.thumbprint())]) }

  private func proof(
    of token: String, by key: JWK? = nil, method: String = "GET",
    address: String = "https://api.example/orders/1",
    id: String = "1", nonce: String? = nil, at date: NumericDate = now
  ) throws -> String {
    let key = key ?? sender
    let hash = try DigestAlgorithm.sha256.hash(token.utf8.span)
    var claims: JSONObject = [
      "jti": .string(id), "htm": .string(method), "htu": .string(address),
      "iat": .number(JSONNumber(date.seconds)), "ath": .string(Base64URL.string(hash)),
    ]
    if let nonce { claims["nonce"] = .string(nonce) }
    return try JWSSigner(key: key).sign(
      JSONWriter.write(claims), header: ["typ": "dpop+jwt", "jwk": .object(key.publicJWK ?? [:])])
  }

  private static func fields(
    _ token: String, scheme: String = "DPoP", proofs: [String] = [], method: String = "GET",
    target: String = "/orders/1?page=2", more: [String: [String]] = [:]
  ) -> RequestFields {
    var values = [
      "authorization": ["\(scheme) \(token)"], "dpop": proofs, "x-original-method": [method],
      "x-original-uri": [target],
    ]
    for (name, value) in more { values[name] = value }
    let all = values
    return RequestFields { all[$0.lowercased()] ?? [] }
  }

  private func decide(
    _ authorizer: RequestAuthorizer, _ fields: RequestFields, at now: NumericDate = now
  ) async -> AuthorizationDecision {
    await authorizer.decide(route: "r", fields: fields, at: now)
  }

  // MARK: Proofs

  @Test func aRequestWithItsProofPasses() async throws {
    let token = try boundToken()
    let fields = Self.fields(token, proofs: [try proof(of: token)])
    #expect(await decide(try authorizer(), fields) == .allowed([]))
  }

  @Test func aBoundTokenIsNoBearerToken() async throws {
    let token = try boundToken()
    let decision = await decide(
      try authorizer(), Self.fields(token, scheme: "Bearer", proofs: [try proof(of: token)]))
    #expect(decision.status == 401 && decision.code == "proof_missing")
    // A route that checks no proofs does not read the scheme of proofs, and the token is refused by its policy.
    let other = try authorizer(#""realm":"x""#, binding: nil)
    let found = await decide(other, Self.fields(token, proofs: [try proof(of: token)]))
    #expect(found.code == "token_missing")
    let bearer = await decide(other, Self.fields(token, scheme: "Bearer"))
    #expect(bearer.status == 401 && bearer.code == "token_bound")
  }

  /// RFC 7800 section 3.1: `cnf` is an object. A policy that leaves it unchecked leaves that to the route.
  @Test(arguments: [
    (#""text""#, "claim_type"), ("[]", "claim_type"), ("null", "claim_type"), ("{}", "token_bound"),
    (#"{"kid":"1"}"#, "token_bound"), (#"{"jkt":null}"#, "proof_missing"), (#"{"jkt":"x"}"#, "proof_missing"),
  ])
  func aBindingThatIsUnknownMakesNoBearerToken(claim: String, code: String) async throws {
    let claims: JSONObject = [
      "iss": "https://a.example", "aud": "api", "sub": "jane",
      "cnf": try JSONValue(parsing: Array(claim.utf8)),
    ]
    let token = try TokenSigner(key: issuer).issue(
      TokenClaims(claims), lifetime: .seconds(900), at: Self.now)
    let authorizer = try authorizer(binding: #"{"unchecked_because":"a test"}"#)
    let decision = await decide(authorizer, Self.fields(token, scheme: "Bearer"))
    #expect(decision.status == 401 && decision.code == code)
  }

  @Test func tokensWithoutABindingAreBearerTokensUnlessTheRouteSaysMore() async throws {
    let token = try token(nil)
    #expect(await decide(try authorizer(), Self.fields(token, scheme: "Bearer")) == .allowed([]))
    let required = try authorizer(#""dpop":{"address":"https://api.example","required":true}"#)
    let decision = await decide(required, Self.fields(token, scheme: "Bearer"))
    #expect(decision.code == "proof_missing")
    // A proof does not bind a token.
    let fields = Self.fields(token, proofs: [try proof(of: token)])
    #expect(await decide(try authorizer(), fields).code == "not_bound")
  }

  /// RFC 9449 section 4.3, as the proxy passes requests on.
  @Test func proofsOfOtherRequests() async throws {
    let token = try boundToken()
    let thief = try JWK.generate(.es256)
    let cases: [(String, RequestFields)] = [
      ("proof_missing", Self.fields(token)),
      ("proof_repeated", Self.fields(token, proofs: [try proof(of: token), try proof(of: token, id: "2")])),
      ("proof_mismatch", Self.fields(token, proofs: [try proof(of: token)], method: "POST")),
      ("proof_mismatch", Self.fields(token, proofs: [try proof(of: token)], target: "/orders/2")),
      (
        "proof_mismatch",
        Self.fields(
          token, proofs: [try proof(of: token, address: "https://evil.example/orders/1")],
          more: ["host": ["evil.example"]])
      ),
      ("not_bound", Self.fields(token, proofs: [try proof(of: token, by: thief)])),
      ("hash_mismatch", Self.fields(token, proofs: [try proof(of: token + "x")])),
      ("token_too_old", Self.fields(token, proofs: [try proof(of: token, at: Self.now + .seconds(-66))])),
      ("request_target_invalid", Self.fields(token, proofs: [try proof(of: token)], target: "orders/1")),
      ("request_target_invalid", Self.fields(token, proofs: [try proof(of: token)], target: "/orders\\1")),
      ("not_compact", Self.fields(token, proofs: ["abc"])),
    ]
    for (code, fields) in cases {
      let decision = await decide(try authorizer(), fields)
      #expect(decision.status == 401 && decision.code == code)
      guard case .unauthenticated(let challenge, _, nil) = decision else {
        Issue.record("\(decision)")
        continue
      }
      #expect(challenge.hasPrefix("DPoP algs=\"") && challenge.contains("error=\"invalid_dpop_proof\""))
      #expect(challenge.contains(", Bearer"))
    }
  }

  @Test func aProofIsUsedOnce() async throws {
    let token = try boundToken()
    let authorizer = try authorizer()
    let fields = Self.fields(token, proofs: [try proof(of: token)])
    #expect(await decide(authorizer, fields) == .allowed([]))
    #expect(await decide(authorizer, fields).code == "replayed")
    // Also after the configuration was read again.
    #expect(await decide(try self.authorizer(replacing: authorizer), fields).code == "replayed")
  }

  @Test func aProxyThatDoesNotPassTheRequestOnIsNoReasonToLetItPass() async throws {
    let token = try boundToken()
    for name in ["x-original-method", "x-original-uri"] {
      for values in [[], [""], ["GET", "GET"]] {
        let fields = Self.fields(token, proofs: [try proof(of: token)], more: [name: values])
        #expect(await decide(try authorizer(), fields) == .unavailable(code: "proxy_fields_missing"))
      }
    }
  }

  @Test func theNamesOfTheFieldsAreSettings() async throws {
    let token = try boundToken()
    let authorizer = try authorizer(
      #""dpop":{"address":"https://api.example","method_header":"X-Forwarded-Method","target_header":"X-Forwarded-Uri"}"#
    )
    let fields = Self.fields(
      token, proofs: [try proof(of: token)], method: "POST", target: "/x",
      more: ["x-forwarded-method": ["GET"], "x-forwarded-uri": ["/orders/1"]])
    #expect(await decide(authorizer, fields) == .allowed([]))
  }

  // MARK: Nonces

  private func nonces(_ byte: UInt8 = 1) throws -> ProofNonces {
    try ProofNonces(key: SecretBytes([UInt8](repeating: byte, count: 32).span))
  }

  private func nonce(_ decision: AuthorizationDecision) -> String? {
    guard case .unauthenticated(_, _, let nonce) = decision else { return nil }
    return nonce
  }

  @Test func aNonceIsAskedForAndAccepted() async throws {
    let token = try boundToken()
    let authorizer = try authorizer(nonces: nonces())
    let first = await decide(authorizer, Self.fields(token, proofs: [try proof(of: token)]))
    #expect(first.code == "nonce_missing")
    guard case .unauthenticated(let challenge, _, let nonce?) = first else {
      Issue.record("\(first)")
      return
    }
    #expect(challenge.contains(#"error="use_dpop_nonce""#))
    let fields = Self.fields(token, proofs: [try proof(of: token, nonce: nonce)])
    #expect(await decide(authorizer, fields) == .allowed([]))
    // Another sidecar with the same key, and one with another key.
    #expect(await decide(try self.authorizer(nonces: nonces()), fields) == .allowed([]))
    let foreign = await decide(try self.authorizer(nonces: nonces(2)), fields)
    #expect(foreign.code == "nonce_mismatch" && self.nonce(foreign) != nil)
  }

  @Test func noncesEnd() async throws {
    let token = try boundToken()
    let authorizer = try authorizer(nonces: nonces())
    let nonce = try #require(
      self.nonce(await decide(authorizer, Self.fields(token, proofs: [try proof(of: token)]))))
    func after(_ seconds: Int64, _ id: String) async throws -> AuthorizationDecision {
      let later = Self.now + .seconds(seconds)
      let proof = try proof(of: token, id: id, nonce: nonce, at: later)
      return await decide(authorizer, Self.fields(token, proofs: [proof]), at: later)
    }
    #expect(try await after(150, "a") == .allowed([]))
    // In the second half of its time the response has the next one.
    guard case .allowed(let fields) = try await after(151, "b") else {
      Issue.record("it was refused")
      return
    }
    #expect(fields.map(\.name) == ["DPoP-Nonce"] && fields.first?.value != nonce)
    #expect(try await after(300, "c").status == 200)
    #expect(try await after(301, "d").code == "nonce_mismatch")
    #expect(try await after(-5, "e").status == 200)
    #expect(try await after(-6, "f").code == "nonce_mismatch")
  }

  @Test func noncesOfOthersAreRefused() async throws {
    let token = try boundToken()
    let authorizer = try authorizer(nonces: nonces())
    for nonce in ["", "abc", String(repeating: "A", count: 32), String(repeating: "A", count: 40), "é"] {
      let decision = await decide(
        authorizer, Self.fields(token, proofs: [try proof(of: token, nonce: nonce)]))
      #expect(decision.code == "nonce_mismatch")
    }
  }

  @Test func theKeyOfNoncesHas32Bytes() {
    #expect { try ProofNonces(key: SecretBytes([UInt8](repeating: 1, count: 31).span)) } throws: {
      ($0 as? JOSEError)?.codeText == "policy_invalid"
    }
  }

  // MARK: Certificates

  private static let certificate = Array("a certificate in DER".utf8)
  private static let hash = try? DigestAlgorithm.sha256.hash(certificate.span)
  private static let thumbprint = Base64URL.string(hash ?? [])
  private static let pem =
    "-----BEGIN CERTIFICATE-----\n\(Base64.string(certificate))\n-----END CERTIFICATE-----\n"
  private static let escaped = pem.utf8.map { byte -> String in
    let isPlain = (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    let digits = String(byte, radix: 16, uppercase: true)
    return isPlain ? String(UnicodeScalar(byte)) : "%" + (digits.count == 1 ? "0" : "") + digits
  }.joined()

  private func codes(_ form: String, _ values: [String], bound: String = thumbprint) async throws -> String {
    let authorizer = try authorizer(
      #""client_certificate":{"header":"X-Certificate","form":"\#(form)"}"#, binding: #""x5t#S256""#)
    let token = try token(["x5t#S256": .string(bound)])
    return await decide(
      authorizer, Self.fields(token, scheme: "Bearer", more: ["x-certificate": values])
    ).code
  }

  @Test func certificatesInThreeForms() async throws {
    let hash = Hex.string(Self.hash ?? [])
    let forms: [(String, [String])] = [
      ("escaped-pem", [Self.escaped]),
      ("client-cert", [":\(Base64.string(Self.certificate)):"]),
      ("xfcc", ["Hash=\(hash)"]),
      ("xfcc", [#"By=spiffe://a/b;Hash=\#(hash);Subject="CN=a,b;Hash=\"x\"";URI="#]),
      ("xfcc", ["hash=\(hash.uppercased())"]),
    ]
    for (form, values) in forms {
      #expect(try await codes(form, values) == "ok")
      #expect(try await codes(form, values, bound: "other") == "client_certificate_mismatch")
      #expect(try await codes(form, values + values) == "client_certificate_malformed")
      #expect(try await codes(form, []) == "client_certificate_missing")
      #expect(try await codes(form, [""]) == "client_certificate_missing")
    }
  }

  @Test(arguments: [
    ("escaped-pem", "abc"), ("escaped-pem", "%zz"), ("escaped-pem", "%"), ("client-cert", "abc"),
    ("client-cert", "::"), ("client-cert", ":a:"), ("client-cert", ":YQ==:;p"), ("client-cert", "YQ=="),
    ("xfcc", "By=x"), ("xfcc", "Hash="), ("xfcc", "Hash=00"), ("xfcc", "Hash=\"open"), ("xfcc", "Hash"),
  ])
  func certificatesThatCannotBeRead(_ form: String, _ value: String) async throws {
    #expect(try await codes(form, [value]) == "client_certificate_malformed")
  }

  /// Of several elements, the first may be what the client sent. Two hashes contradict each other.
  @Test func elementsOfSeveralProxies() async throws {
    let hash = Hex.string(Self.hash ?? [])
    for value in ["Hash=\(hash),By=b", "By=a,Hash=\(hash)", "Hash=\(hash);Hash=\(hash)"] {
      #expect(try await codes("xfcc", [value]) == "client_certificate_malformed")
    }
    #expect(try await codes("escaped-pem", [Self.escaped + Self.escaped]) == "client_certificate_malformed")
  }

  @Test func aRouteCanRequireCertificates() async throws {
    let authorizer = try authorizer(
      #""client_certificate":{"header":"X-Certificate","form":"escaped-pem","required":true}"#,
      binding: #""x5t#S256""#)
    let fields = Self.fields(
      try token(nil), scheme: "Bearer", more: ["x-certificate": [Self.escaped]])
    #expect(await decide(authorizer, fields).code == "certificate_binding_missing")
  }

  // MARK: Challenges and metadata

  @Test func contextsOfTheSignIn() async throws {
    let authorizer = try authorizer(#""acr":["urn:cognito:loa:2","x"],\#(Self.dpop)"#)
    let decision = await decide(authorizer, Self.fields(try token(nil), scheme: "Bearer"))
    let algorithms = Algorithm.asymmetric.map(\.name).sorted().joined(separator: " ")
    #expect(
      decision
        == .unauthenticated(
          challenge:
            #"Bearer error="insufficient_user_authentication", error_description="acr_mismatch", acr_values="urn:cognito:loa:2 x", DPoP algs="\#(algorithms)""#,
          code: "acr_mismatch"))
  }

  @Test func metadataOfTheResource() async throws {
    let linked = try authorizer(
      #""resource_metadata":"https://api.example/.well-known/oauth-protected-resource",\#(Self.dpop)"#)
    let decision = await decide(linked, RequestFields { _ in [] })
    guard case .unauthenticated(let challenge, "token_missing", nil) = decision else {
      Issue.record("\(decision)")
      return
    }
    let parameter = #"resource_metadata="https://api.example/.well-known/oauth-protected-resource""#
    #expect(challenge.hasPrefix("Bearer \(parameter), DPoP algs=") && challenge.hasSuffix(parameter))
    #expect(linked.metadata(ofRoute: "r") == nil)

    let served = try configuration(
      #""resource_metadata":{"resource":"https://api.example/orders","authorization_servers":"https://a.example","scopes_supported":["read"]},\#(Self.dpop)"#
    )
    let metadata = try #require(served.routes.first?.metadata)
    #expect(metadata.address == "https://api.example/.well-known/oauth-protected-resource/orders")
    #expect(
      try JSONValue(parsing: String(decoding: metadata.document ?? [], as: UTF8.self)) == [
        "resource": "https://api.example/orders", "authorization_servers": ["https://a.example"],
        "scopes_supported": ["read"], "bearer_methods_supported": ["header"],
        "dpop_bound_access_tokens_required": false,
      ])
  }

  // MARK: Configuration

  @Test(arguments: [
    (#""realm":"x""#, #""jkt""#, "", "bound by \"jkt\""),
    (dpop, #""x5t#S256""#, "", "does not check that"),
    (dpop, #"["jkt","x5t#S256"]"#, "", "does not check that"),
    (#""dpop":{"address":"http://api.example"}"#, #""jkt""#, "", "routes.r.dpop.address"),
    (#""dpop":{"address":"https://api.example/"}"#, #""jkt""#, "", "routes.r.dpop.address"),
    (#""dpop":{"address":"https://api.example/a"}"#, #""jkt""#, "", "routes.r.dpop.address"),
    (#""dpop":{}"#, #""jkt""#, "", "routes.r.dpop.address"),
    (#""dpop":{"address":"https://api.example","method_header":"a b"}"#, #""jkt""#, "", "method_header"),
    (#""dpop":{"address":"https://api.example","colour":1}"#, #""jkt""#, "", "colour"),
    (#""client_certificate":{"form":"xfcc"}"#, #""x5t#S256""#, "", "client_certificate.header"),
    (#""client_certificate":{"header":"A","form":"pem"}"#, #""x5t#S256""#, "", "client_certificate.form"),
    (#""resource_metadata":"http://a.example",\#(dpop)"#, #""jkt""#, "", "resource_metadata"),
    (#""resource_metadata":{"resource":"https://a.example?x"},\#(dpop)"#, #""jkt""#, "", "resource"),
    (#""resource_metadata":{"resource":"https://a.example","x":1},\#(dpop)"#, #""jkt""#, "", "\"x\""),
    (#""acr":"a b",\#(dpop)"#, #""jkt""#, "", "acr"),
    (#""headers":{"DPoP-Nonce":"sub"},\#(dpop)"#, #""jkt""#, "", "DPoP-Nonce"),
    (
      #""client_certificate":{"header":"A","form":"xfcc"}"#, #""x5t#S256""#, #","nonce_key_file":"/k""#,
      "nonce_key_file"
    ),
  ])
  func settingsThatAreRefused(_ route: String, _ binding: String, _ more: String, _ text: String) {
    do throws(PolicyDocumentError) {
      _ = try configuration(route, binding: binding, more: more)
      Issue.record("it was accepted")
    } catch {
      #expect(error.codeText == "policy_document_invalid" && "\(error)".contains(text))
    }
  }
}
