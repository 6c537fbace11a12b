internal import CognitoIdentity
internal import Testing

/// Access keys are read once for a call.
@Suite struct AccessKeyReadTests {
  /// The scope that was read with the key is used as it is; without it, the key is read again.
  @Test func scopeIsNotReadTwice() async throws {
    let f = try await Fixture(.memory)
    let scope = try AccessKeyScope(pools: [f.pool.id], capabilities: [.reading])
    let id = try await f.service.createAccessKey(scope: scope).id
    let opened = try #require(try await f.service.openedAccessKey(id))
    #expect(opened.scope == scope)
    try await f.store.write { rows throws(IdentityError) in try rows.removeAccessKey(id) }
    func describe(_ scope: AccessKeyScope?) async -> String {
      await code {
        _ = try await f.service.call(
          "DescribeIdentityPool", Array(#"{"IdentityPoolId": "\#(f.pool.id)"}"#.utf8),
          by: .developer(accessKeyID: id, scope: scope))
      }
    }
    #expect(await describe(opened.scope) == "")
    #expect(await describe(nil) == "caller_forbidden")
    #expect(try await f.service.openedAccessKey(id) == nil)
    // The scope limits the call.
    #expect(await describe(try AccessKeyScope(pools: ["us-east-1:0"])) == "caller_forbidden")
    #expect(await describe(try AccessKeyScope(capabilities: [.administering])) == "caller_forbidden")
  }
}
