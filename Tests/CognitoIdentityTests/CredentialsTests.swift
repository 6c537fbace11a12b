internal import CognitoIdentity
internal import JOSE
internal import SigV4
internal import Testing
internal import TokenSecurityCrypto

/// Temporary credentials: both flows, the requests that they sign, and their session tokens.
@Suite struct CredentialsTests {
  static let tokenName = "cognito-identity.amazonaws.com"

  @Test func enhancedFlow() async throws {
    let f = try await Fixture(.memory)
    let jane = try await f.token("jane")
    let credentials = try await f.service.issueCredentials(
      for: jane.identityID, logins: [Self.tokenName: jane.token], at: Fixture.now)
    #expect(credentials.accessKeyID.hasPrefix("ASIA") && credentials.accessKeyID.utf8.count == 20)
    #expect(credentials.secretAccessKey.count == 40)
    #expect(credentials.expiration == Fixture.now + .seconds(3_600))
    let found = credentials.session
    let session = try #require(found)
    #expect(session.roleARN == Fixture.role && session.identityID == jane.identityID)
    #expect(
      session.assumedRoleARN == "arn:aws:sts::123456789012:assumed-role/app-user/CognitoIdentityCredentials")
  }

  @Test func guestsGetTheirOwnRole() async throws {
    let f = try await Fixture(.memory)
    let guest = try await f.service.resolveIdentity(poolID: f.pool.id, at: Fixture.now)
    let guests = try await f.service.issueCredentials(for: guest, at: Fixture.now)
    let found = guests.session
    let session = try #require(found)
    #expect(session.roleARN == Fixture.guestRole)
    // A guest's token does not open an identity that has signed in.
    let token = try await f.service.issueOpenIDToken(for: guest, at: Fixture.now)
    #expect(
      await code {
        _ = try await f.service.issueCredentials(
          for: guest, logins: [Self.tokenName: token.token], at: Fixture.now)
      } == "login_refused")
    #expect(
      await code {
        _ = try await f.service.assumeRole(
          .init(roleARN: Fixture.role, sessionName: "guest", token: token.token), at: Fixture.now)
      } == "role_refused")
    #expect(
      try await f.service.assumeRole(
        .init(roleARN: Fixture.guestRole, sessionName: "guest", token: token.token), at: Fixture.now
      ).session?.identityID == guest)
  }

  @Test func developerTokensThatOpenNothing() async throws {
    let f = try await Fixture(.memory)
    let jane = try await f.token("jane")
    let joe = try await f.token("joe")
    let other = try await f.service.createPool(named: "other") {
      $0.developerProviderName = Fixture.developer
      $0.roles = ["authenticated": Fixture.role]
    }
    let theirs = try await f.service.issueDeveloperToken(
      poolID: other.id, logins: [Fixture.developer: "jane"], at: Fixture.now)
    func ask(_ identity: String, _ logins: NameMap<String>, _ now: Timestamp = Fixture.now) async -> String {
      await code { _ = try await f.service.issueCredentials(for: identity, logins: logins, at: now) }
    }
    #expect(await ask(jane.identityID, [Self.tokenName: joe.token]) == "identity_forbidden")
    #expect(await ask(jane.identityID, [Self.tokenName: theirs.token]) == "login_refused")
    #expect(
      await ask(jane.identityID, [Self.tokenName: jane.token], Fixture.now.advanced(bySeconds: 900))
        == "login_refused")
    #expect(
      await ask(jane.identityID, [Self.tokenName: jane.token], Fixture.now.advanced(bySeconds: 899)) == "")
    #expect(await ask(jane.identityID, [:]) == "identity_forbidden")
    #expect(await ask(jane.identityID, [Self.tokenName: "x.y.z"]) == "login_refused")
    let google = try f.issuers.token("accounts.google.com", "g")
    #expect(
      await ask(jane.identityID, [Self.tokenName: jane.token, "accounts.google.com": google])
        == "member_refused")
    #expect(await ask("us-east-1:00000000-0000-4000-8000-000000000000", [:]) == "identity_unknown")
    // A developer token cannot be exchanged for another token.
    #expect(
      await code {
        _ = try await f.service.issueOpenIDToken(
          for: jane.identityID, logins: [Self.tokenName: jane.token], at: Fixture.now)
      }
        == "developer_token_misplaced")
    // After the user is unlinked, a token that has not expired is refused.
    try await f.service.unlinkDeveloperIdentity(
      jane.identityID, user: "jane", provider: Fixture.developer, poolID: f.pool.id, at: Fixture.now)
    #expect(await ask(jane.identityID, [Self.tokenName: jane.token]) == "identity_forbidden")
    #expect(
      await code {
        _ = try await f.service.assumeRole(
          .init(roleARN: Fixture.role, sessionName: "jane", token: jane.token), at: Fixture.now)
      } == "identity_forbidden")
    // The other pool's role does not trust it.
    #expect(await ask(theirs.identityID, [Self.tokenName: theirs.token]) == "role_refused")
  }

  static let sessions: [(Int64?, String)] = [
    (nil, ""), (899, "duration_too_short"), (900, ""), (43_200, ""), (43_201, "duration_too_long"),
  ]

  @Test(arguments: sessions)
  func basicFlow(_ duration: Int64?, _ refusal: String) async throws {
    let f = try await Fixture(.memory)
    let jane = try await f.token("jane")
    var end: Int64? = nil
    let found = await code {
      end = try await f.service.assumeRole(
        .init(
          roleARN: Fixture.role, sessionName: "jane@app", token: jane.token,
          duration: duration.map { .seconds($0) }),
        at: Fixture.now
      ).expiration.seconds
    }
    #expect(found == refusal)
    #expect(end == (refusal.isEmpty ? Fixture.now.seconds + (duration ?? 3_600) : nil))
  }

  @Test func basicFlowsBounds() async throws {
    let f = try await Fixture(.memory)
    let jane = try await f.token("jane")
    func ask(_ role: String, _ name: String, _ token: String, _ duration: Int64? = nil) async -> String {
      await code {
        _ = try await f.service.assumeRole(
          .init(
            roleARN: role, sessionName: name, token: token,
            duration: duration.map { .seconds($0) }), at: Fixture.now)
      }
    }
    #expect(await ask(Fixture.role, "j", jane.token) == "member_length")
    #expect(await ask(Fixture.role, String(repeating: "j", count: 65), jane.token) == "member_length")
    #expect(await ask(Fixture.role, "a b", jane.token) == "member_pattern")
    #expect(await ask("arn", "jane", jane.token) == "member_length")
    #expect(await ask("arn:aws:iam::123456789012:role/none", "jane", jane.token) == "role_refused")
    #expect(await ask(Fixture.guestRole, "jane", jane.token) == "role_refused")
    #expect(await ask(Fixture.role, "jane", "abc") == "member_length")
    #expect(await ask(Fixture.role, "jane", "abcd") == "web_identity_refused")
    #expect(
      await ask(Fixture.role, "jane", String(jane.token.dropLast(4)) + "AAAA") == "web_identity_refused")
    try await f.service.putRole(
      StoredRole(
        arn: Fixture.role, trustPolicy: Fixture.trust(f.pool.id, "authenticated"),
        longestSession: .seconds(3_600)))
    #expect(await ask(Fixture.role, "jane", jane.token, 3_601) == "member_range")
  }

  /// The toolkit's verifier accepts requests that the credentials sign, and refuses changed ones.
  @Test func credentialsSign() async throws {
    let f = try await Fixture(.memory)
    let jane = try await f.token("jane")
    let now = Timestamp(seconds: Fixture.now.seconds)
    let given = try await f.service.issueCredentials(
      for: jane.identityID, logins: [Self.tokenName: jane.token], at: Fixture.now)
    let id = given.accessKeyID
    let token = given.sessionToken
    let credentials = try Credentials(
      accessKeyID: id, secretAccessKey: given.secretAccessKey.clone(), sessionToken: token,
      expiration: given.expiration)
    let body = Array("{}".utf8)
    let head = RequestHead(
      "POST", "/orders", headers: ["Host": "api.example", "Content-Type": "application/json"])
    let signed = try Signer(service: "execute-api", region: "us-east-1").sign(
      head, body: .bytes(body), with: credentials, at: now)
    let verifier = try RequestVerifier(
      policy: VerifierPolicy(service: "execute-api", region: "us-east-1", hosts: .oneOf(["api.example"])))
    let pending = try verifier.parse(signed.head, at: now)
    let opened = try f.service.sessions.open(
      pending.parameters.sessionToken ?? "", of: pending.parameters.accessKeyID, at: Fixture.now)
    #expect(try verifier.verify(pending, key: opened.key, body: body).accessKeyID == id)
    #expect(opened.session?.identityID == jane.identityID)
    // A service with the same sealing keys opens the token; one with other keys does not.
    let same = try Fixture.service(MemoryRecordStore(tables: IdentityTables.all))
    #expect(try same.sessions.open(token, of: id, at: Fixture.now).session == opened.session)
    let other = try Fixture.service(MemoryRecordStore(tables: IdentityTables.all), master: 8)
    #expect(
      await code { _ = try other.sessions.open(token, of: id, at: Fixture.now) } == "session_token_invalid")
    #expect(
      await code { _ = try f.service.sessions.open(token, of: "ASIAAAAAAAAAAAAAAAAA", at: Fixture.now) }
        == "session_token_invalid")
    let end = opened.expiration
    #expect(await code { _ = try f.service.sessions.open(token, of: id, at: end) } == "session_expired")
    for text in ["", "TS1.", "TS1.AAAA", "TS2." + token.dropFirst(4), token + "A", String(token.dropLast())] {
      #expect(
        await code { _ = try f.service.sessions.open(text, of: id, at: Fixture.now) }
          == "session_token_invalid")
    }
    // A change of any byte is detected.
    for place in Array(token.utf8).indices.dropFirst(4) {
      var bytes = Array(token.utf8)
      bytes[place] = bytes[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
      let changed = String(decoding: bytes, as: UTF8.self)
      #expect(
        await code { _ = try f.service.sessions.open(changed, of: id, at: Fixture.now) }
          == "session_token_invalid")
    }
  }

  @Test func rolesFollowFromClaims() async throws {
    let f = try await Fixture(.memory)
    let admin = "arn:aws:iam::123456789012:role/app-admin"
    try await f.service.putRole(
      StoredRole(arn: admin, trustPolicy: Fixture.trust(f.pool.id, "authenticated")))
    func role(_ custom: String? = nil, _ change: (inout TokenClaims) -> Void) async throws -> String {
      let token = try f.issuers.token(Fixture.userPool, "user", change)
      let id = try await f.service.resolveIdentity(
        poolID: f.pool.id, logins: [Fixture.userPool: token], at: Fixture.now)
      let credentials = try await f.service.issueCredentials(
        for: id, logins: [Fixture.userPool: token], customRole: custom, at: Fixture.now)
      let session = credentials.session
      return try #require(session).roleARN
    }
    #expect(try await role { _ in } == Fixture.role)
    #expect(await code { _ = try await role(admin) { _ in } } == "custom_role_refused")
    // Without a mapping the roles in the token are ignored.
    #expect(
      await code { _ = try await role(admin) { $0["cognito:roles"] = [.string(admin)] } }
        == "custom_role_refused")
    func map(_ mapping: RoleMapping) async throws {
      try await f.service.setRoles(
        f.pool.roles, mappings: ["\(Fixture.userPool):client1": mapping], ofPool: f.pool.id)
    }
    try await map(RoleMapping(kind: .token, ambiguity: .deny, rules: []))
    #expect(try await role { $0["cognito:preferred_role"] = .string(admin) } == admin)
    #expect(try await role { $0["cognito:roles"] = [.string(admin)] } == admin)
    #expect(
      await code { _ = try await role { $0["cognito:roles"] = [.string(admin), .string(Fixture.role)] } }
        == "role_ambiguous")
    #expect(await code { _ = try await role { _ in } } == "role_ambiguous")
    for (match, value, holds, fails) in [
      (RoleMapping.Rule.Match.equals, "boss", "boss", "bosses"), (.contains, "oss", "boss", "bass"),
      (.startsWith, "bo", "boss", "oboe"), (.notEqual, "boss", "clerk", "boss"),
    ] {
      let rule = RoleMapping.Rule(claim: "custom:job", match: match, value: value, roleARN: admin)
      try await map(RoleMapping(kind: .rules, ambiguity: .authenticatedRole, rules: [rule]))
      #expect(try await role { $0["custom:job"] = .string(holds) } == admin)
      #expect(try await role { $0["custom:job"] = .string(fails) } == Fixture.role)
      #expect(try await role { _ in } == Fixture.role)
    }
    // An unknown role, and a pool without roles.
    try await f.service.setRoles(["authenticated": admin + "-not"], ofPool: f.pool.id)
    #expect(await code { _ = try await role { _ in } } == "role_unknown")
    try await f.service.setRoles([:], ofPool: f.pool.id)
    #expect(await code { _ = try await role { _ in } } == "role_not_set")
  }
}
