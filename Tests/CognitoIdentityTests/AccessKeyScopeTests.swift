internal import CognitoIdentity
internal import CognitoIdentitySQLite
internal import Testing

/// The scope of access keys: every signed operation checks the key's pools and capabilities.
@Suite struct AccessKeyScopeTests {
  /// A request of each operation for a pool and one of its identities, possibly invalid otherwise.
  static func body(_ operation: IdentityPoolService.Operation, _ pool: String, _ identity: String) -> [UInt8]
  {
    let resource = "arn:aws:cognito-identity:us-east-1:123456789012:identitypool/\(pool)"
    let text = """
      {"IdentityPoolId": "\(pool)", "IdentityId": "\(identity)", "IdentityIdsToDelete": ["\(identity)"],
       "ResourceArn": "\(resource)", "MaxResults": 1, "Unused": "\(operation.name)"}
      """
    return Array(text.utf8)
  }

  static func code(_ f: Fixture, _ key: String, _ operation: IdentityPoolService.Operation, _ body: [UInt8])
    async -> String
  {
    await CognitoIdentityTests.code {
      _ = try await f.service.respond(
        to: operation, body, by: .developer(accessKeyID: key), at: Fixture.now)
    }
  }

  @Test(arguments: IdentityPoolService.Operation.allCases)
  func everyOperationNeedsItsCapability(_ operation: IdentityPoolService.Operation) async throws {
    let f = try await Fixture(.memory)
    let jane = try await f.token("jane")
    let body = Self.body(operation, f.pool.id, jane.identityID)
    guard let capability = operation.capability else {
      #expect(
        ["GetId", "GetOpenIdToken", "GetCredentialsForIdentity", "UnlinkIdentity"].contains(operation.name))
      return
    }
    #expect(
      await CognitoIdentityTests.code {
        _ = try await f.service.respond(to: operation, body, by: .unsigned, at: Fixture.now)
      } == "call_unsigned")
    let others = Set(AccessKeyScope.Capability.allCases).subtracting([capability])
    let without = try await f.service.createAccessKey(scope: AccessKeyScope(capabilities: others)).id
    #expect(await Self.code(f, without, operation, body) == "caller_forbidden")
    #expect(try await f.service.describeIdentity(jane.identityID).identity.id == jane.identityID)
    let with = try await f.service.createAccessKey(scope: AccessKeyScope(capabilities: [capability])).id
    #expect(await Self.code(f, with, operation, body) != "caller_forbidden")
    // A removed key is refused.
    #expect(await Self.code(f, "AKIAAAAAAAAAAAAAAAAA", operation, body) == "caller_forbidden")
  }

  @Test(arguments: IdentityPoolService.Operation.allCases.filter(\.needsSignature))
  func everyOperationKeepsToThePools(_ operation: IdentityPoolService.Operation) async throws {
    let f = try await Fixture(.memory)
    let jane = try await f.token("jane")
    let other = try await f.service.createPool(named: "other")
    let own = try await f.service.createAccessKey(scope: AccessKeyScope(pools: [f.pool.id])).id
    let foreign = try await f.service.createAccessKey(scope: AccessKeyScope(pools: [other.id])).id
    let body = Self.body(operation, f.pool.id, jane.identityID)
    #expect(await Self.code(f, foreign, operation, body) == "caller_forbidden")
    #expect(try await f.service.describeIdentity(jane.identityID).identity.id == jane.identityID)
    let ofAllPools = ["CreateIdentityPool", "ListIdentityPools"].contains(operation.name)
    #expect((await Self.code(f, own, operation, body) == "caller_forbidden") == ofAllPools)
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
}
