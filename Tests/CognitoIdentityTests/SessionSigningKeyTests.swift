@testable internal import CognitoIdentity
internal import JOSE
internal import Records
internal import ServiceOperations
internal import SigV4
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// Signing keys of sessions, for APIs that verify requests.
@Suite struct SessionSigningKeyTests {
  typealias Caller = IdentityPoolOperations.Caller

  /// 2027-01-15T08:00:00Z.
  private static let today = "20270115"

  static func policy(_ resource: String, _ condition: String = "") throws -> AccessKeyScope {
    let document =
      #"{"Statement": {"Effect": "Allow", "Action": "signing-keys:GetScopedSigningKey", "Resource": "\#(resource)"\#(condition)}}"#
    return try AccessKeyScope(policies: [PermissionPolicy(name: "api", document: document)])
  }

  private static func api(_ scope: AccessKeyScope? = nil) throws -> Caller {
    .developer(
      accessKeyID: "AKIAAPIAPIAPIAPIAPI1",
      scope: try scope ?? policy("arn:aws:signing-keys:*:123456789012:api/orders"))
  }

  /// Credentials of a new identity.
  static func credentials(_ f: Fixture) async throws(IdentityError) -> Given {
    let token = try await f.token("jane")
    let issued = try await f.service.issueCredentials(
      for: token.identityID, logins: [CredentialsTests.tokenName: token.token], at: Fixture.now)
    return Given(issued)
  }

  struct Given {
    private(set) var accessKeyID, sessionToken: String
    let expiration: Timestamp
    let session: SessionTokens.Session?
    fileprivate let secret: RetainedSecret

    init(_ issued: borrowing TemporaryCredentials) {
      accessKeyID = issued.accessKeyID
      sessionToken = issued.sessionToken
      expiration = issued.expiration
      session = issued.session
      secret = issued.secretAccessKey.withBytes { RetainedSecret(SecretBytes($0)) }
    }

    /// The same secret with another id and token.
    func changed(id: String, token: String) -> Given {
      var given = self
      (given.accessKeyID, given.sessionToken) = (id, token)
      return given
    }

    func credentials() throws -> Credentials {
      try Credentials(
        accessKeyID: accessKeyID, secretAccessKey: secret.bytes.clone(), sessionToken: sessionToken,
        expiration: expiration)
    }
  }

  static func ask(
    _ f: Fixture, _ id: String, _ token: String, by caller: Caller? = nil, service: String = "orders",
    region: String = "eu-west-1", day: String? = today, isPresigned: Bool = false,
    at now: Timestamp = Fixture.now
  ) async throws -> IdentityPoolService.SessionSigningKey {
    try await f.service.signingKey(
      GetScopedSigningKey.Input {
        $0.accessKeyID = id
        $0.sessionToken = token
        $0.region = region
        $0.service = service
        $0.day = day
        $0.isPresigned = isPresigned
        $0.algorithm = day == nil ? .ecdsa : nil
      },
      in: .init(caller: try caller ?? api(), at: now, from: "203.0.113.7"))
  }

  @Test func keyVerifiesTheSessionsRequests() async throws {
    let f = try await Fixture(.memory)
    let given = try await Self.credentials(f)
    let (id, token, end) = (given.accessKeyID, given.sessionToken, given.expiration)
    let signer = try Signer(service: "orders", region: "eu-west-1")
    let request = try signer.sign(
      RequestHead("GET", "/orders/1", headers: ["host": "api.example"]), with: given.credentials(),
      at: Fixture.now)
    let verifier = try RequestVerifier(
      policy: VerifierPolicy(service: "orders", region: "eu-west-1", hosts: .oneOf(["api.example"])))
    let pending = try verifier.parse(request.head, at: Fixture.now)
    let found = try await Self.ask(f, id, token)
    guard case .hmac(let key) = found.key else {
      Issue.record("no key of SigV4")
      return
    }
    _ = try verifier.verify(pending, key: .scoped(key), body: [])
    // That of another service, region or day does not verify the request, whatever scope an API says that it has.
    let wide = try Self.api(Self.policy("*"))
    let long = try f.service.sessions.issue(
      try #require(given.session), lifetime: .seconds(86_400), at: Fixture.now)
    let (longID, longToken) = (long.accessKeyID, long.sessionToken)
    let next = Fixture.now.advanced(bySeconds: 57_600)
    let questions: [(String, String, String, String, String, Timestamp)] = [
      (id, token, "other", "eu-west-1", Self.today, Fixture.now),
      (id, token, "orders", "eu-west-2", Self.today, Fixture.now),
      (longID, longToken, "orders", "eu-west-1", Self.today, Fixture.now),
      (longID, longToken, "orders", "eu-west-1", "20270116", next),
    ]
    var keys: Set<[UInt8]> = [key.withStoredBytes { [UInt8](unwipedCopy: $0) }]
    for (id, token, service, region, day, now) in questions {
      let other = try await Self.ask(
        f, id, token, by: wide, service: service, region: region, day: day, at: now)
      guard case .hmac(let made) = other.key else {
        Issue.record("no key of SigV4")
        return
      }
      let bytes = made.withStoredBytes { SecretBytes($0) }
      keys.insert(made.withStoredBytes { [UInt8](unwipedCopy: $0) })
      let renamed = try ScopedSigningKey(
        storedBytes: bytes, accessKeyID: pending.parameters.accessKeyID, scope: key.scope)
      #expect(throws: SigV4Error.signatureMismatch) {
        try verifier.verify(pending, key: .scoped(renamed), body: [])
      }
    }
    #expect(keys.count == 5)
    #expect(found.maximumAge == 60 && found.opened.expiration == end)
    #expect(found.opened.issued == Fixture.now)
    let last = try await Self.ask(f, id, token, at: end.advanced(bySeconds: -5))
    #expect(last.maximumAge == 5)
  }

  @Test func publicKeyOfSigV4A() async throws {
    let f = try await Fixture(.memory)
    let given = try await Self.credentials(f)
    let found = try await Self.ask(f, given.accessKeyID, given.sessionToken, day: nil)
    let expected = try ECDSASigningKey(given.credentials()).publicKey
    guard case .ecdsa(let key) = found.key else {
      Issue.record("no key of SigV4A")
      return
    }
    #expect(key.x == expected.x && key.y == expected.y)
  }

  /// An API asks for keys of its own name, by a policy.
  @Test func whoMayAsk() async throws {
    let f = try await Fixture(.memory)
    let given = try await Self.credentials(f)
    let (id, token) = (given.accessKeyID, given.sessionToken)
    let session = try #require(given.session)
    let wrong = "arn:aws:signing-keys:*:123456789012:api/billing"
    let address = #", "Condition": {"IpAddress": {"aws:SourceIp": "198.51.100.0/24"}}"#
    let cases: [(Caller, String)] = [
      (try Self.api(), ""), (try Self.api(Self.policy("*")), ""),
      (try Self.api(Self.policy(wrong)), "role_policy_refused"),
      (
        try Self.api(Self.policy("arn:aws:signing-keys:us-east-1:123456789012:api/orders")),
        "role_policy_refused"
      ),
      (try Self.api(Self.policy("arn:aws:signing-keys:*:123456789012:api/order?")), ""),
      (try Self.api(Self.policy("*", address)), "role_policy_refused"),
      (
        .developer(
          accessKeyID: "AKIAAPIAPIAPIAPIAPI1",
          scope: try AccessKeyScope(pools: [f.pool.id], policies: Self.policy("*").policies)),
        "caller_forbidden"
      ),
      // Kinds of calls do not allow it, and neither does being an identity.
      (try Self.api(.everything), "caller_forbidden"), (.session(session), "caller_forbidden"),
      (.unsigned, "call_unsigned"), (.developer(accessKeyID: "AKIAAAAAAAAAAAAAAAAA"), "caller_forbidden"),
    ]
    for (caller, expected) in cases {
      let found = await code { _ = try await Self.ask(f, id, token, by: caller) }
      #expect(found == expected, "\(caller)")
    }
    // The caller comes before its members, so that the names of strangers are no metrics.
    let dayless = GetScopedSigningKey.Input {
      $0.accessKeyID = id
      $0.sessionToken = token
      $0.region = "eu-west-1"
      $0.service = "orders"
    }
    let found = await code {
      _ = try await f.service.signingKey(
        dayless, in: .init(caller: .session(session), at: Fixture.now, from: "203.0.113.7"))
    }
    #expect(found == "caller_forbidden")
  }

  /// With a key of the service's own names an API could call it as its users.
  @Test func ownNames() async throws {
    let f = try await Fixture(.memory)
    let given = try await Self.credentials(f)
    let wide = try Self.api(Self.policy("*"))
    for name in ["sts", "cognito-identity", "cognito-idp", "cognito-sync", "signing-keys"] {
      let found = await code {
        _ = try await Self.ask(f, given.accessKeyID, given.sessionToken, by: wide, service: name)
      }
      #expect(found == "caller_forbidden", "\(name)")
    }
    _ = try await Self.ask(f, given.accessKeyID, given.sessionToken, by: wide, service: "STS")
  }

  /// The days of requests that may still be valid, and that the session can have signed.
  @Test func days() async throws {
    let f = try await Fixture(.memory)
    let given = try await Self.credentials(f)
    let (id, token) = (given.accessKeyID, given.sessionToken)
    for (day, isPresigned, expected) in [
      (Self.today, false, ""), (Self.today, true, ""), ("20270114", false, "scope_day_refused"),
      ("20270114", true, "scope_day_refused"), ("20270116", false, "scope_day_refused"),
      ("20270199", false, "scope_day_refused"), ("2027011", false, "scope_day_refused"),
      ("99990101", true, "scope_day_refused"), ("0000000a", false, "scope_day_refused"),
    ] {
      let found = await code {
        _ = try await Self.ask(f, id, token, day: day, isPresigned: isPresigned)
      }
      #expect(found == expected, "\(day) \(isPresigned)")
    }
    // A session of a day, from 08:00 on: a quarter of an hour into the next day, and presigned longer.
    let midnight = Timestamp(seconds: 1_799_971_200 + 86_400)
    let long = try f.service.sessions.issue(
      try #require(given.session), lifetime: .seconds(86_400), at: Fixture.now)
    let (longID, longToken) = (long.accessKeyID, long.sessionToken)
    for (day, offset, isPresigned, expected) in [
      (Self.today, 899, false, ""), (Self.today, 900, false, "scope_day_refused"),
      (Self.today, 900, true, ""),
      (Self.today, 28_799, true, ""), (Self.today, 28_800, true, "session_expired"),
      ("20270116", -900, false, ""),
      ("20270116", -901, false, "scope_day_refused"),
    ] as [(String, Int64, Bool, String)] {
      let found = await code {
        _ = try await Self.ask(
          f, longID, longToken, day: day, isPresigned: isPresigned, at: midnight.advanced(bySeconds: offset))
      }
      #expect(found == expected, "\(day) \(offset) \(isPresigned)")
    }
  }

  /// Why a session is not valid is the code of the answer.
  @Test func sessionsThatAreNotValid() async throws {
    let f = try await Fixture(.memory)
    let given = try await Self.credentials(f)
    let (id, token) = (given.accessKeyID, given.sessionToken)
    func expect(_ expected: String, _ id: String, _ token: String, at now: Timestamp = Fixture.now)
      async throws
    {
      let found = await code { _ = try await Self.ask(f, id, token, at: now) }
      #expect(found == expected)
    }
    try await expect("session_token_invalid", "ASIAAAAAAAAAAAAAAAAA", token)
    try await expect("session_token_invalid", id, token + "A")
    try await expect("session_token_invalid", id, "TS1.")
    try await expect("session_expired", id, token, at: given.expiration)
    try await expect("", id, token)
    let identity = try #require(given.session?.identityID)
    try await f.store.write { rows throws(IdentityError) in try rows.removeRole(Fixture.role) }
    try await expect("caller_forbidden", id, token)
    try await f.service.putRole(
      StoredRole(arn: Fixture.role, trustPolicy: Fixture.trust(f.pool.id, "authenticated")))
    try await expect("", id, token)
    _ = try await f.service.deleteIdentities([identity])
    try await expect("identity_unknown", id, token)
  }

  @Test func sessionsOfAccessKeysEndWithTheKey() async throws {
    let f = try await Fixture(.memory)
    let key = try await f.service.createAccessKey(scope: try Self.policy("*"), at: Fixture.now)
    let keyID = key.id
    let given = try f.service.sessionToken(
      in: .init(caller: .developer(accessKeyID: keyID), at: Fixture.now))
    let found = try await Self.ask(f, given.accessKeyID, given.sessionToken)
    #expect(found.permissions.documents.map(\.name) == ["api"])
    try await f.store.write { rows throws(IdentityError) in try rows.removeAccessKey(keyID) }
    let refused = await code { _ = try await Self.ask(f, given.accessKeyID, given.sessionToken) }
    #expect(refused == "session_token_invalid")
  }

  /// The answer as an API reads it.
  @Test func answerHasSessionAndPolicies() async throws {
    let f = try await Fixture(.memory)
    let document = #"{"Statement": {"Effect": "Allow", "Action": "orders:*", "Resource": "*"}}"#
    try await f.service.putRole(
      StoredRole(
        arn: Fixture.role, trustPolicy: Fixture.trust(f.pool.id, "authenticated"),
        policies: [try PermissionPolicy(name: "orders", document: document)]))
    let given = try await Self.credentials(f)
    let target = (name: "X-Amz-Target", value: "SigningKeyService.GetScopedSigningKey")
    let found = try IdentityPoolService.router.route(
      OperationRequestHead(method: "POST", target: "/", headers: [target]))
    let route = try #require(found)
    func call(_ change: (inout JSONObject) -> Void = { _ in }) async throws -> JSONObject {
      var body: JSONObject = [
        "AccessKeyId": .string(given.accessKeyID), "SessionToken": .string(given.sessionToken),
        "Region": "eu-west-1", "Service": "orders", "Day": .string(Self.today),
      ]
      change(&body)
      let context = IdentityPoolOperations.Context(caller: try Self.api(), at: Fixture.now)
      let call = try await IdentityPoolOperations(f.service).call(route, JSONWriter.write(body), in: context)
      let response = try await call.respond(context, requestID: "r").response.body
      return try JSONDocument(response).object()
    }
    let answer = try await call()
    #expect(answer["SigningKey"]?.string?.utf8.count == 44)
    let session = try #require(answer["Session"]?.object)
    let known = try #require(given.session)
    #expect(
      session["IdentityId"]?.string == known.identityID && session["IdentityPoolId"]?.string == f.pool.id)
    #expect(session["Arn"]?.string == known.assumedRoleARN && session["RoleArn"]?.string == Fixture.role)
    #expect(session["AuthenticationMethods"]?.strings?.first == "authenticated")
    let keys = answer["ConditionKeys"]?.object
    #expect(keys?["cognito-identity.amazonaws.com:sub"]?.strings == [known.identityID])
    #expect(keys?["aws:principaltype"]?.strings == ["AssumedRole"] && keys?["aws:currenttime"] == nil)
    let policies = answer["Policies"]?.array?.compactMap { $0.object }
    #expect(policies?.count == 1 && policies?[0]["Name"]?.string == "orders")
    #expect(policies?[0]["Document"]?.string == document)
    #expect(answer["SessionPolicies"]?.array?.isEmpty == true && answer["MaximumAge"]?.int64 == 60)
    let asymmetric = try await call {
      $0["Day"] = nil
      $0["Algorithm"] = "AWS4-ECDSA-P256-SHA256"
    }
    #expect(
      asymmetric["SigningKey"] == nil && asymmetric["PublicKey"]?.object?["X"]?.string?.utf8.count == 44)
    for (change, expected) in [
      ({ $0["Day"] = nil }, "member_refused"),
      ({ $0["Algorithm"] = "AWS4-ECDSA-P256-SHA256" }, "member_refused"),
      ({ $0["Day"] = "2027-1-5" }, "member_pattern"), ({ $0["Service"] = "a/b" }, "member_pattern"),
      ({ $0["Service"] = "*" }, "member_pattern"), ({ $0["Region"] = "" }, "member_length"),
      ({ $0["SessionToken"] = .string(String(repeating: "a", count: 8_193)) }, "member_length"),
      ({ $0["Secret"] = "x" }, "member_not_supported"),
    ] as [((inout JSONObject) -> Void, String)] {
      let found = await code { _ = try await call(change) }
      #expect(found == expected)
    }
  }
}
