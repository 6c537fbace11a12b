internal import HTTPExchange
internal import OpenIDConnect
internal import Testing

/// Policies in JSON.
@Suite struct PolicyDocumentTests {
  static let keys = #"{"kty":"oct","alg":"HS256","k":"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"}"#

  static func read(_ json: String, keys: JWKSet? = nil) throws(PolicyDocumentError) -> PolicyDocument {
    try PolicyDocument(Array(json.utf8), keys: keys)
  }

  static func issuer(_ members: String) throws(PolicyDocumentError) -> TrustedIssuer? {
    try read(#"{"version":1,"issuers":[{\#(members)}]}"#).issuers.first
  }

  @Test func aUserPoolHasTheRulesOfItsProfile() throws {
    let read = try #require(
      try Self.issuer(
        #""profile":"cognito-user-pool","pool":"eu-west-1_Example01","use":"access","client_ids":["a","b"]"#))
    let made = try TrustedIssuer.cognitoUserPool(
      "eu-west-1_Example01", use: .access, clientIDs: ["a", "b"])
    #expect(read.policy.issuer == made.policy.issuer)
    #expect(read.policy.claims == made.policy.claims)
    #expect(read.policy.maximumLifetime == made.policy.maximumLifetime)
    #expect(read.policy.checks.map(\.name) == made.policy.checks.map(\.name))
    guard case .remote(let location) = read.keys, case .remote(let expected) = made.keys else {
      Issue.record("the keys are not fetched")
      return
    }
    #expect(location == expected)
  }

  @Test func aTokenHasTheRulesOfTheDocument() throws {
    let read = try #require(
      try Self.issuer(
        #"""
        "profile":"token","issuer":"https://a.example","audience":["b","c"],"algorithms":["ES256","RS256"],
        "type":"at+jwt","subject":"s","required_claims":["jti"],"claims":{"use":"x","level":[1,2]},
        "leeway":30,"maximum_lifetime":600,"maximum_age":60
        """#))
    let policy = read.policy
    #expect(policy.issuer == "https://a.example" && policy.audience == .oneOf(["b", "c"]))
    #expect(policy.signature.algorithms == [.es256, .rs256] && policy.signature.type == "at+jwt")
    #expect(policy.subject == "s" && policy.requiredClaims == ["jti"])
    #expect(
      policy.claims == [
        TokenPolicy.ClaimExpectation("use", .exactly("x")), .init("level", .oneOf([1, 2])),
      ])
    #expect(policy.leeway == .seconds(30) && policy.maximumLifetime == .seconds(600))
    #expect(policy.maximumAge == .seconds(60))
    guard case .remote(let location) = read.keys else {
      Issue.record("the keys are not fetched")
      return
    }
    #expect(location == .discovery(issuer: "https://a.example"))
  }

  @Test func whatIsNotCheckedHasAReason() throws {
    let read = try #require(
      try Self.issuer(
        #""profile":"token","issuer":"https://a.example","audience":{"unchecked_because":"internal"}"#))
    #expect(read.policy.audience == .unchecked(because: "internal"))
  }

  @Test func bindingsActorsAndContexts() throws {
    let start = #""profile":"token","issuer":"https://a.example","audience":"b""#
    let plain = try #require(try Self.issuer(start))
    #expect(plain.policy.binding == .refused && plain.policy.actors == .refused)
    let read = try #require(
      try Self.issuer(start + #","binding":["jkt","x5t#S256"],"actors":"assistant","acr":["a","b"]"#))
    #expect(read.policy.binding == .only(["jkt", "x5t#S256"]) && read.policy.actors == .only(["assistant"]))
    #expect(read.policy.checks.map(\.name) == plain.policy.checks.map(\.name) + ["acr"])
    let open = try #require(try Self.issuer(start + #","binding":{"unchecked_because":"a proxy does"}"#))
    #expect(open.policy.binding == .unchecked(because: "a proxy does"))
    for member in [#""binding":[]"#, #""binding":true"#, #""actors":"""#, #""acr":[]"#, #""binding":{}"#] {
      #expect { try Self.issuer(start + "," + member) } throws: {
        ($0 as? PolicyDocumentError)?.codeText == "policy_document_invalid"
      }
    }
  }

  @Test func aUserPoolsReplicas() throws {
    let start = #""profile":"cognito-user-pool","pool":"eu-west-1_Example01","use":"access","client_ids":"a""#
    let read = try #require(try Self.issuer(start + #","replica_regions":["us-east-1"]"#))
    #expect(
      read.policy.issuer
        == .oneOf([
          "https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_Example01",
          "https://issuer-cognito-idp.eu-west-1.amazonaws.com/eu-west-1_Example01",
          "https://cognito-idp.us-east-1.amazonaws.com/eu-west-1_Example01",
        ]))
    #expect(read.separateKeys.count == 2)
    #expect { try Self.issuer(start + #","replica_regions":"Europe""#) } throws: {
      ($0 as? PolicyDocumentError)?.codeText == "policy_document_invalid"
    }
    // Keys at one address are those of all issuers.
    let given = try #require(try Self.issuer(start + #","keys":{"jwks_uri":"https://b.example/keys"}"#))
    #expect(given.separateKeys.isEmpty)
  }

  @Test func keysAreGivenOrAtAnAddress() throws {
    let set = try JWKSet(json: Self.keys)
    let given = try Self.read(
      #"{"version":1,"issuers":[{"profile":"google","client_ids":"a","keys":"given"}]}"#, keys: set)
    #expect(!given.fetchesKeys)
    let address = try #require(
      try Self.issuer(#""profile":"google","client_ids":"a","keys":{"jwks_uri":"https://b.example/keys"}"#))
    guard case .remote(let location) = address.keys else {
      Issue.record("the keys are not fetched")
      return
    }
    #expect(location == (try .address("https://b.example/keys")))
  }

  @Test func fetchingAndTheCacheHaveTheirSettings() throws {
    let read = try Self.read(
      #"""
      {"version":1,"issuers":[{"profile":"apple","client_ids":"a"}],"cache_capacity":7,
       "fetching":{"timeout":9,"trust_roots":"/roots.pem","allows_plain_loopback":true,"public_addresses_only":true}}
      """#)
    #expect(read.fetching.timeout == .seconds(9) && read.fetching.allowsPlainLoopback)
    #expect(read.fetching.addresses.refusal(of: try HTTPURL("https://127.0.0.1/")) != nil)
    #expect(read.trustRoots == "/roots.pem" && read.cacheCapacity == 7 && read.fetchesKeys)
    let plain = try Self.read(#"{"version":1,"issuers":[{"profile":"apple","client_ids":"a"}]}"#)
    #expect(plain.fetching == RemoteKeySetConfiguration() && plain.cacheCapacity == nil)
  }

  static let profiles = [
    #""profile":"token","issuer":"https://a.example","audience":"b""#,
    #""profile":"id-token","issuer":"https://a.example","client_ids":"b","algorithms":"ES256""#,
    #""profile":"access-token","issuer":"https://a.example","audience":"b","client_ids":"c","scopes":["d"]"#,
    #""profile":"cognito-user-pool","pool":"eu-west-1_Example01","use":"id","client_ids":{"unchecked_because":"a"}"#,
    #""profile":"cognito-identity-pool","pool":"eu-west-1:00000000-0000-4000-8000-000000000000","accepts_guests":true"#,
    #""profile":"google","client_ids":"a","hosted_domains":["b.example"]"#,
    #""profile":"apple","client_ids":["a"]"#,
    #""profile":"amazon","client_ids":["a"]"#,
    #""profile":"facebook","client_ids":["a"]"#,
    #""profile":"microsoft-entra","tenant":"00000000-0000-4000-8000-000000000000","client_ids":"a""#,
    #""profile":"okta","issuer":"https://a.example/oauth2/default","audience":"b","client_ids":"c""#,
    #""profile":"auth0","issuer":"https://a.example/","audience":"b","client_ids":"c","permissions":"d""#,
    #""profile":"keycloak","issuer":"https://a.example/realms/b","audience":"c","client_ids":"d","bound_to_proof":true"#,
  ]

  @Test(arguments: profiles) func profilesCanBeRead(members: String) throws {
    let issuer = try #require(try Self.issuer(members))
    _ = try OpenIDVerifier([issuer], transport: NoNetwork())
  }

  @Test func everyProfileIsRead() {
    let error = #expect(throws: PolicyDocumentError.self) { _ = try Self.issuer(#""profile":"none""#) }
    let names = Self.profiles.compactMap { $0.split(separator: #"""#).dropFirst(2).first.map(String.init) }
    #expect(error?.description == #"issuers[0].profile is "none" and must be \#(names.quotedList)"#)
  }

  @Test func amazonAndFacebookHaveTheRulesOfTheirProfiles() throws {
    for (name, made) in [
      ("amazon", try TrustedIssuer.loginWithAmazon(clientIDs: ["a"])),
      ("facebook", try .facebookLimitedLogin(appIDs: ["a"])),
    ] {
      let read = try #require(try Self.issuer(#""profile":"\#(name)","client_ids":"a""#))
      #expect(read.policy.issuer == made.policy.issuer && read.policy.audience == made.policy.audience)
      #expect(read.policy.signature.algorithms == [.rs256])
      guard case .remote(let location) = read.keys, case .remote(let expected) = made.keys else {
        Issue.record("the keys of \(name) are not fetched")
        continue
      }
      #expect(location == expected)
    }
  }

  /// The keys of an issuer that is not a URL may be given.
  @Test func aUserPoolOfAnotherServiceHasGivenKeys() throws {
    let members =
      #""profile":"cognito-user-pool","pool":"eu-west-1_Example01","use":"id","client_ids":"d","issuer":"login.example/eu-west-1_Example01""#
    let error = #expect(throws: PolicyDocumentError.self) { _ = try Self.issuer(members) }
    #expect(error?.codeText == "address_invalid")
    let read = try Self.read(
      #"{"version":1,"issuers":[{\#(members),"keys":"given"}]}"#, keys: try JWKSet(json: Self.keys))
    #expect(read.issuers.first?.policy.issuer == "login.example/eu-west-1_Example01")
  }

  /// The message names the member.
  @Test(arguments: [
    (#"{"versoin":1}"#, #"version is required and must be 1; did you mean it by "versoin"?"#),
    (
      #"{"version":1,"issuers":[{"profile":"google","client_id":"a"}]}"#,
      #"issuers[0].client_ids is required; did you mean it by "client_id"?"#
    ),
    (#"{}"#, "version is required and must be 1"),
    (#"{"version":2}"#, "version must be a whole number from 1 to 1"),
    (#"{"version":1}"#, "issuers must be a list of 1 to 256 objects"),
    (#"{"version":1,"issuers":[1]}"#, "issuers[0] must be an object"),
    (#"{"version":1,"issuers":[{}]}"#, "issuers[0].profile is required"),
    (#"{"version":1,"issuers":[{"profile":"google"}]}"#, "issuers[0].client_ids is required"),
    (
      #"{"version":1,"issuers":[{"profile":"google","client_ids":[""]}]}"#,
      "issuers[0].client_ids must be a text or a list of texts, none of them empty"
    ),
    (
      #"{"version":1,"issuers":[{"profile":"google","client_ids":"a","audience":"b"}]}"#,
      #"issuers[0]."audience" is unknown here"#
    ),
    (
      #"{"version":1,"issuers":[{"profile":"google","client_ids":"a","leeway":301}]}"#,
      "issuers[0].leeway must be a whole number from 0 to 300"
    ),
    (
      #"{"version":1,"issuers":[{"profile":"google","client_ids":"a","keys":"given"}]}"#,
      #"issuers[0].keys are "given", but no keys were given; an address is {"jwks_uri": "https://…"}"#
    ),
    (
      #"{"version":1,"issuers":[{"profile":"google","client_ids":"a"}],"fetching":{"retries":1}}"#,
      #"fetching."retries" is unknown here"#
    ),
    (
      #"{"version":1,"issuers":[{"profile":"google","client_ids":"a"}],"other":1}"#,
      #""other" is unknown here"#
    ),
    (
      #"{"version":1,"issuers":[{"profile":"token","issuer":["https://a.example","https://b.example"],"audience":"c"}]}"#,
      "issuers[0].keys is required for several issuers"
    ),
    (
      #"{"version":1,"issuers":[{"profile":"token","issuer":"https://a.example","audience":"c","algorithms":"none"}]}"#,
      #"issuers[0].algorithms has "none", which is not supported"#
    ),
    (
      #"{"version":1,"issuers":[{"profile":"token","issuer":"https://a.example","audience":"c","claims":{"a":[]}}]}"#,
      "issuers[0].claims has an empty list, which no claim equals"
    ),
  ]) func brokenMembersAreNamed(json: String, rule: String) {
    let error = #expect(throws: PolicyDocumentError.self) { _ = try Self.read(json) }
    #expect(error?.codeText == "policy_document_invalid")
    #expect(error?.description == rule)
  }

  @Test func aTextThatIsNotJSONHasLineAndColumn() {
    let error = #expect(throws: PolicyDocumentError.self) {
      try PolicyDocument(Array("{\n  \"version\": 1\n  \"issuers\": []}".utf8))
    }
    #expect(error?.codeText == "json_syntax")
    #expect(
      error.map { "\($0)" } == "the document: a comma or a closing brace was expected at line 3, column 3")
  }

  @Test func otherErrorsKeepTheirCodes() throws {
    func code(_ json: String, keys: JWKSet? = nil) -> String? {
      do throws(PolicyDocumentError) { _ = try Self.read(json, keys: keys) } catch { return error.codeText }
      return nil
    }
    #expect(code("") == "json_empty")
    #expect(code(#"{"version":1,"version":1}"#) == "json_duplicate_name")
    #expect(
      code(
        #"{"version":1,"issuers":[{"profile":"cognito-user-pool","pool":"x","use":"id","client_ids":"a"}]}"#)
        == "identifier_invalid")
    #expect(
      code(
        #"{"version":1,"issuers":[{"profile":"google","client_ids":"a","keys":{"jwks_uri":"b.example"}}]}"#)
        == "address_invalid")
    // Keys that are given and not used are a mistake, too.
    #expect(
      code(
        #"{"version":1,"issuers":[{"profile":"google","client_ids":"a"}]}"#, keys: try JWKSet(json: Self.keys)
      )
        == "policy_document_invalid")
    // A name that Unicode calls equal to a known one is another name.
    #expect(
      code(#"{"version":1,"issuers":[{"profile":"google","client_ids":"a","ke\u0301ys":"b"}]}"#)
        == "policy_document_invalid")
  }
}

private struct NoNetwork: HTTPTransport {
  func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    throw .connection("there is no network")
  }
}
