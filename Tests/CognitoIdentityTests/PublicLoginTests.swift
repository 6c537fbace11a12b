internal import CognitoIdentity
internal import JOSE
internal import OpenIDConnect
internal import Testing

/// Logins of public providers: valid tokens and each kind of invalid one.
@Suite struct PublicLoginTests {
  @Test(arguments: FakeIssuers.names.map(\.name))
  func everyProviderIsTaken(_ provider: String) async throws {
    let f = try await Fixture(.memory)
    let token = try f.issuers.token(provider, "user-1")
    let id = try await f.service.resolveIdentity(
      poolID: f.pool.id, account: "123456789012", logins: [provider: token], at: Fixture.now)
    #expect(try await f.logins(id) == ["\(provider)=user-1"])
    let issued = try await f.service.issueOpenIDToken(for: id, logins: [provider: token], at: Fixture.now)
    #expect(issued.identityID == id)
    let claims = try UnverifiedToken(issued.token).claims
    let amr = try #require(claims["amr"]?.strings)
    let told: String
    switch provider {
    case Fixture.userPool: told = "\(provider):CognitoSignIn:user-1"
    case "id.example/tenant": told = "\(Fixture.openIDProvider):OIDC:user-1"
    default: told = "\(provider):OIDC:user-1"
    }
    #expect(amr == ["authenticated", provider, told])
    #expect(try #require(claims.expiration).seconds - #require(claims.issuedAt).seconds == 600)
    // Verified with the pool's id alone.
    var policy = CognitoIdentityPoolRules(pool: try CognitoIdentityPool(f.pool.id)).policy
    policy.leeway = .seconds(0)
    let keys = try JWKSet(json: String(decoding: f.service.keys.keySet, as: UTF8.self))
    let verified = try TokenVerifier(keys: keys, policy: policy).verify(issued.token, at: Fixture.now)
    #expect(try CognitoLogins(verified).logins.first?.userIdentifier == "user-1")
    // The token assumes the role.
    let session = try await f.service.assumeRole(
      .init(roleARN: Fixture.role, sessionName: "user-1", token: issued.token), at: Fixture.now
    ).session
    #expect(session?.identityID == id)
  }

  enum Spoiling: String, CaseIterable, Sendable {
    case otherKey, expired, otherAudience, otherIssuer, noSubject, future, unsigned, bitFlipped, cut

    var code: String {
      switch self {
      case .otherKey, .bitFlipped: "signature_invalid"
      case .expired: "token_expired"
      case .otherAudience: "audience_mismatch"
      case .otherIssuer: "issuer_unknown"
      case .noSubject: "claim_missing"
      case .future: "token_issued_in_future"
      case .unsigned: "alg_none"
      case .cut: "not_compact"
      }
    }
  }

  @Test(arguments: FakeIssuers.names.map(\.name), Spoiling.allCases)
  func everyKindOfWrongIsRefused(_ provider: String, _ spoiling: Spoiling) async throws {
    let f = try await Fixture(.memory)
    var token = try f.issuers.token(provider, "user-1", key: spoiling == .otherKey ? f.issuers.strange : nil)
    { claims in
      switch spoiling {
      case .expired: claims["exp"] = .number(JSONNumber(Fixture.now.seconds - 1))
      case .otherAudience: claims["aud"] = "somebody-else"
      case .otherIssuer: claims["iss"] = "https://evil.example"
      case .noSubject: claims["sub"] = nil
      case .future:
        claims["iat"] = .number(JSONNumber(Fixture.now.seconds + 400))
        claims["exp"] = .number(JSONNumber(Fixture.now.seconds + 800))
      default: break
      }
    }
    switch spoiling {
    case .bitFlipped:
      var bytes = Array(token.utf8)
      let place = bytes.count - 20
      bytes[place] = bytes[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
      token = String(decoding: bytes, as: UTF8.self)
    case .unsigned: token = "eyJhbGciOiJub25lIn0." + token.split(separator: ".")[1] + "."
    case .cut: token = String(token.split(separator: ".")[0])
    default: break
    }
    var found = ""
    var type = ""
    do {
      _ = try await f.service.resolveIdentity(poolID: f.pool.id, logins: [provider: token], at: Fixture.now)
    } catch {
      type = error.type
      guard case .loginRefused(provider, let code, _) = error else {
        Issue.record("\(error)")
        return
      }
      found = code
    }
    #expect(found == spoiling.code)
    #expect(type == "NotAuthorizedException")
    #expect(try await f.service.listIdentities(inPool: f.pool.id, size: 60).elements.isEmpty)
  }

  @Test func tokenOfOneProviderIsNoLoginOfAnother() async throws {
    let f = try await Fixture(.memory)
    let apple = try f.issuers.token("appleid.apple.com", "user")
    let found = await code {
      _ = try await f.service.resolveIdentity(
        poolID: f.pool.id, logins: ["accounts.google.com": apple], at: Fixture.now)
    }
    #expect(found == "login_refused")
  }

  @Test func onlyWhatThePoolNamesIsTaken() async throws {
    let f = try await Fixture(.memory)
    let bare = try await f.service.createPool(named: "bare") { $0.allowsGuests = false }
    for provider in FakeIssuers.names.map(\.name) + [
      "saml.example", "arn:aws:iam::123456789012:saml-provider/x",
    ] {
      #expect(
        await code {
          _ = try await f.service.resolveIdentity(poolID: bare.id, logins: [provider: "x"], at: Fixture.now)
        }
          == "provider_not_supported")
    }
    #expect(
      await code { _ = try await f.service.resolveIdentity(poolID: bare.id, at: Fixture.now) }
        == "guests_refused")
    #expect(
      await code {
        _ = try await f.service.resolveIdentity(poolID: f.pool.id, account: "999999999999", at: Fixture.now)
      }
        == "pool_unknown")
    #expect(
      await code {
        _ = try await f.service.resolveIdentity(
          poolID: f.pool.id, logins: ["cognito-identity.amazonaws.com": "x"], at: Fixture.now)
      } == "developer_token_misplaced")
  }

  /// Unavailable keys are reported as such, not as an invalid token.
  @Test func keysThatCannotBeHad() async throws {
    let f = try await Fixture(.memory)
    let token = try f.issuers.token("accounts.google.com", "user")
    try await f.store.write { rows throws(IdentityError) in
      try rows.removeLoginProvider("accounts.google.com")
    }
    do {
      _ = try await f.service.resolveIdentity(
        poolID: f.pool.id, logins: ["accounts.google.com": token], at: Fixture.now)
      Issue.record("a login without keys was taken")
    } catch {
      #expect(error.codeText == "login_not_judged")
      #expect(error.type == "ExternalServiceException")
    }
  }

  /// A user pool has one name only.
  @Test(arguments: [
    ("cognito-idp.eu-west-1.amazonaws.com/eu-west-1_A1", true),
    ("cognito-idp.cn-north-1.amazonaws.com.cn/cn-north-1_A1", true),
    ("cognito-idp.eu-west-1.amazonaws.com/us-east-1_A1", false),
    ("cognito-idp.eu-west-1.amazonaws.com.cn/eu-west-1_A1", false),
    ("cognito-idp.cn-north-1.amazonaws.com/cn-north-1_A1", false),
    ("cognito-idp.eu-west-1.amazonaws.com.evil/eu-west-1_A1", false),
    ("cognito-idp.eu-west-1.amazonaws.com", false), ("cognito-idp./_", false),
  ])
  func userPoolsNames(_ name: String, _ isOne: Bool) {
    #expect((LoginProvider(publicName: name) != nil) == isOne)
  }
}
