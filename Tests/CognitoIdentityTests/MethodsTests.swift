internal import CognitoIdentity
internal import JOSE
internal import Testing

/// Trust policies see the `amr` of an identity's token, element by element, in both flows.
@Suite struct MethodsTests {
  enum Caller: String, CaseIterable, Sendable { case guest, publicLogins, developer }

  /// An identity, its logins for the enhanced flow, and its token for the basic flow.
  static func signIn(
    _ caller: Caller, _ f: Fixture
  ) async throws -> (identity: String, logins: NameMap<String>, token: String) {
    var logins: NameMap<String> = [:]
    if caller != .guest {
      for (index, provider) in ["accounts.google.com", Fixture.userPool, "id.example/tenant"].enumerated() {
        // Users' names have separators and small and capital letters.
        logins[provider] = try f.issuers.token(provider, "User:\(index)/x")
      }
    }
    if caller == .developer {
      let issued = try await f.token("Jane:1", with: logins)
      return (issued.identityID, [CredentialsTests.tokenName: issued.token], issued.token)
    }
    let identity = try await f.service.resolveIdentity(poolID: f.pool.id, logins: logins, at: Fixture.now)
    let issued = try await f.service.issueOpenIDToken(for: identity, logins: logins, at: Fixture.now)
    return (identity, logins, issued.token)
  }

  /// The outcome of both flows with a role whose trust policy has this condition on `amr`.
  static func outcomes(
    _ condition: String, _ values: [String], _ f: Fixture,
    _ caller: (identity: String, logins: NameMap<String>, token: String)
  ) async throws -> [String] {
    let condition =
      #""\#(condition)": {"cognito-identity.amazonaws.com:amr": \#(JSONValue.array(values.map { .string($0) }))}}}]}"#
    let policy = Fixture.trust(f.pool.id, "*").replacing(
      #""ForAnyValue:StringLike": {"cognito-identity.amazonaws.com:amr": "*"}}}]}"#, with: condition)
    for arn in [Fixture.role, Fixture.guestRole] {
      try await f.service.putRole(StoredRole(arn: arn, trustPolicy: policy))
    }
    let role = caller.logins.isEmpty ? Fixture.guestRole : Fixture.role
    return [
      await code {
        _ = try await f.service.issueCredentials(for: caller.identity, logins: caller.logins, at: Fixture.now)
      },
      await code {
        _ = try await f.service.assumeRole(
          .init(roleARN: role, sessionName: "methods", token: caller.token), at: Fixture.now)
      },
    ]
  }

  @Test(arguments: Caller.allCases)
  func bothFlowsSeeTheTokensMethods(_ caller: Caller) async throws {
    let f = try await Fixture(.memory)
    let signedIn = try await Self.signIn(caller, f)
    let methods = try #require(UnverifiedToken(signedIn.token).claims["amr"]?.strings)
    #expect(methods.count == [.guest: 1, .publicLogins: 7, .developer: 9][caller])
    // `amr` has no other elements.
    #expect(try await Self.outcomes("ForAllValues:StringEquals", methods, f, signedIn) == ["", ""])
    for method in methods {
      // Each element is unchanged, and all are different.
      #expect(
        try await Self.outcomes("ForAnyValue:StringEquals", [method], f, signedIn) == ["", ""], "\(method)")
      let others = methods.filter { Array($0.utf8) != Array(method.utf8) } + ["another"]
      #expect(
        try await Self.outcomes("ForAllValues:StringEquals", others, f, signedIn)
          == ["role_refused", "role_refused"], "\(method)")
    }
  }
}
