internal import CognitoIdentity
internal import RecordsSQLite
internal import Testing

/// The scope of access keys: every signed operation checks the key's pools and capabilities.
@Suite struct AccessKeyScopeTests {
  /// A request of each operation for a pool and one of its identities, with all members that any operation needs.
  static func body(_ operation: String, _ pool: String, _ identity: String) -> [UInt8] {
    let resource = "arn:aws:cognito-identity:us-east-1:123456789012:identitypool/\(pool)"
    let text = """
      {"IdentityPoolId": "\(pool)", "IdentityId": "\(identity)", "IdentityIdsToDelete": ["\(identity)"],
       "ResourceArn": "\(resource)", "MaxResults": 1, "Unused": "\(operation)",
       "IdentityPoolName": "n", "AllowUnauthenticatedIdentities": true, "Roles": {}, "Tags": {}, "TagKeys": [],
       "Logins": {"\(Fixture.developer)": "jane"}, "DeveloperProviderName": "\(Fixture.developer)",
       "DeveloperUserIdentifier": "jane", "SourceUserIdentifier": "jane", "DestinationUserIdentifier": "jane",
       "IdentityProviderName": "accounts.google.com"}
      """
    return Array(text.utf8)
  }

  static func code(_ f: Fixture, _ key: String, _ operation: String, _ body: [UInt8]) async -> String {
    await CognitoIdentityTests.code {
      try await f.service.call(operation, body, by: .developer(accessKeyID: key))
    }
  }

  /// The names of the signed operations.
  static let signed = identityPools.operations.map { $0.declaration }.filter { $0.access != .anyone }
    .map(\.name.text)

  @Test(arguments: signed)
  func everyOperationNeedsItsCapability(_ operation: String) async throws {
    let f = try await Fixture(.memory)
    let jane = try await f.token("jane")
    let body = Self.body(operation, f.pool.id, jane.identityID)
    let declaration = try #require(try IdentityPoolService.route(operation)).declaration
    guard case .signed(let signature) = declaration.access, let capability = signature.developer else {
      Issue.record("not for developers")
      return
    }
    #expect(
      await CognitoIdentityTests.code { try await f.service.call(operation, body, by: .unsigned) }
        == "call_unsigned")
    // A request that the caller may not make is refused before the members are read.
    #expect(
      await CognitoIdentityTests.code { try await f.service.call(operation, [0], by: .unsigned) }
        == "call_unsigned")
    let others = Set(AccessKeyScope.Capability.allCases).subtracting([capability])
    let without = try await f.service.createAccessKey(scope: AccessKeyScope(capabilities: others)).id
    #expect(await Self.code(f, without, operation, body) == "caller_forbidden")
    #expect(await Self.code(f, without, operation, [0]) == "caller_forbidden")
    #expect(try await f.service.describeIdentity(jane.identityID).identity.id == jane.identityID)
    let with = try await f.service.createAccessKey(scope: AccessKeyScope(capabilities: [capability])).id
    #expect(await Self.code(f, with, operation, body) != "caller_forbidden")
    // A removed key is refused.
    #expect(await Self.code(f, "AKIAAAAAAAAAAAAAAAAA", operation, body) == "caller_forbidden")
  }

  @Test(arguments: signed)
  func everyOperationKeepsToThePools(_ operation: String) async throws {
    let f = try await Fixture(.memory)
    let jane = try await f.token("jane")
    let other = try await f.service.createPool(named: "other")
    let own = try await f.service.createAccessKey(scope: AccessKeyScope(pools: [f.pool.id])).id
    let foreign = try await f.service.createAccessKey(scope: AccessKeyScope(pools: [other.id])).id
    let body = Self.body(operation, f.pool.id, jane.identityID)
    #expect(await Self.code(f, foreign, operation, body) == "caller_forbidden")
    #expect(try await f.service.describeIdentity(jane.identityID).identity.id == jane.identityID)
    let ofAllPools = ["CreateIdentityPool", "ListIdentityPools"].contains(operation)
    #expect((await Self.code(f, own, operation, body) == "caller_forbidden") == ofAllPools)
  }

  /// Credentials of an identity do not allow calls of developers, and every key may ask who it is.
  @Test func callersOfTheTokenService() async throws {
    let f = try await Fixture(.memory)
    let jane = try await f.token("jane")
    let issued = try await f.service.issueCredentials(
      for: jane.identityID, logins: [CredentialsTests.tokenName: jane.token], at: Fixture.now)
    let found = issued.session
    let session = try #require(found)
    #expect(
      await CognitoIdentityTests.code {
        try await f.service.call("ListIdentityPools", Array("{}".utf8), by: .session(session))
      } == "caller_forbidden")
    let key = try await f.service.createAccessKey(
      scope: AccessKeyScope(pools: [f.pool.id], capabilities: [.issuing])
    ).id
    let form = Array("Action=GetCallerIdentity&Version=2011-06-15".utf8)
    for caller in [IdentityPoolOperations.Caller.session(session), .developer(accessKeyID: key)] {
      let route = try IdentityPoolService.router.route(form: form)
      let call = try await IdentityPoolOperations(f.service).call(route, form, by: caller)
      #expect(try await call.respond(.init(caller: caller), requestID: "r").response.status == 200)
    }
    #expect(
      await CognitoIdentityTests.code {
        let route = try IdentityPoolService.router.route(form: form)
        _ = try await IdentityPoolOperations(f.service).call(route, form, by: .unsigned)
      } == "call_unsigned")
  }

  @Test func refusalsAreAccessDenied() {
    #expect(IdentityError.callerForbidden(rule: "x").type == "AccessDeniedException")
  }

  @Test(arguments: Fixture.Kind.allCases)
  func scopesAreStored(_ kind: Fixture.Kind) async throws {
    let f = try await Fixture(kind)
    defer { f.remove() }
    let scopes = [
      AccessKeyScope.everything, try AccessKeyScope(pools: ["us-east-1:1", "us-east-1:0"]),
      try AccessKeyScope(capabilities: [.issuing]),
      try AccessKeyScope(pools: [f.pool.id], capabilities: [.reading, .administering]),
    ]
    for scope in scopes {
      let id = try await f.service.createAccessKey(scope: scope).id
      let stored = try await f.store.read { rows throws(IdentityError) in try rows.accessKey(id) }
      #expect(stored?.scope == scope)
    }
    #expect(scopes[1].pools == ["us-east-1:0", "us-east-1:1"])
  }

  @Test func scopesThatSayNothingAreRefused() async {
    #expect(await CognitoIdentityTests.code { _ = try AccessKeyScope(pools: []) } == "member_length")
    #expect(await CognitoIdentityTests.code { _ = try AccessKeyScope(capabilities: []) } == "member_length")
    #expect(
      await CognitoIdentityTests.code { _ = try AccessKeyScope(pools: ["\u{212A}:0"]) } == "member_pattern")
  }

  /// A call that does not name its pools is refused to a key that is limited to some.
  @Test func poolsAreCompared() throws {
    func allows(_ scope: AccessKeyScope, _ pools: [String]?) -> Bool {
      do throws(IdentityError) {
        try scope.check(pools, IdentityError.self)
        return true
      } catch {
        #expect(error == .callerForbidden(rule: "the access key is limited to other pools"))
        return false
      }
    }
    let limited = try AccessKeyScope(pools: ["us-east-1:0", "us-east-1:1"])
    #expect(allows(limited, ["us-east-1:1", "us-east-1:0"]) && allows(.everything, nil))
    #expect(!allows(limited, nil) && !allows(limited, ["us-east-1:0", "us-east-1:2"]))
  }
}
