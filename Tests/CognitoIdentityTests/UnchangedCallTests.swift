internal import CognitoIdentity
internal import ServiceOperations
internal import Testing

/// Calls that find what their operation would otherwise make report that they changed nothing, so that they need
/// no audit line. A call that makes or links something does not.
@Suite struct UnchangedCallTests {
  private static let google = "accounts.google.com"

  private func changedNothing(
    _ f: Fixture, _ operation: String, _ body: String, by caller: IdentityPoolOperations.Caller = .unsigned
  ) async throws -> Bool {
    let route = try #require(try IdentityPoolService.route(operation))
    let call = try await IdentityPoolOperations(f.service).call(route, Array(body.utf8), by: caller)
    return try await call.respond(.init(caller: caller, at: Fixture.now), requestID: "r").changedNothing
  }

  @Test(arguments: Fixture.Kind.allCases)
  func aKnownUsersTokenChangesNothing(_ kind: Fixture.Kind) async throws {
    let f = try await Fixture(kind)
    defer { f.remove() }
    let caller = IdentityPoolOperations.Caller.developer(
      accessKeyID: try await f.service.createAccessKey().id)
    func token(_ logins: String, identity: String? = nil) async throws -> Bool {
      let member = identity.map { #","IdentityId":"\#($0)""# } ?? ""
      return try await changedNothing(
        f, "GetOpenIdTokenForDeveloperIdentity",
        #"{"IdentityPoolId":"\#(f.pool.id)","Logins":{\#(logins)}\#(member)}"#, by: caller)
    }
    let jane = #""login.my.app":"jane""#
    #expect(try await !token(jane))
    #expect(try await token(jane))
    let id = try await f.token("jane").identityID
    #expect(try await token(jane, identity: id))
    // A login is linked, and then it is there.
    let both = jane + #","\#(Self.google)":"\#(try f.issuers.token(Self.google, "g-jane"))""#
    #expect(try await !token(both))
    #expect(try await token(both))
    // The user is unlinked, so the next call makes an identity.
    try await f.service.unlinkDeveloperIdentity(
      id, user: "jane", provider: Fixture.developer, poolID: f.pool.id, at: Fixture.now)
    #expect(try await !token(jane))
  }

  @Test func aKnownLoginChangesNothing() async throws {
    let f = try await Fixture(.memory)
    let guest = #"{"IdentityPoolId":"\#(f.pool.id)"}"#
    // Each makes a new guest.
    #expect(try await !changedNothing(f, "GetId", guest))
    #expect(try await !changedNothing(f, "GetId", guest))
    let logins = #""Logins":{"\#(Self.google)":"\#(try f.issuers.token(Self.google, "g-jane"))"}"#
    let user = #"{"IdentityPoolId":"\#(f.pool.id)",\#(logins)}"#
    #expect(try await !changedNothing(f, "GetId", user))
    #expect(try await changedNothing(f, "GetId", user))
    let id = try await f.service.resolveIdentity(poolID: f.pool.id, at: Fixture.now)
    #expect(try await changedNothing(f, "GetOpenIdToken", #"{"IdentityId":"\#(id)"}"#))
    // The guest signs in, which merges the identities.
    let signIn = #"{"IdentityId":"\#(id)",\#(logins)}"#
    #expect(try await !changedNothing(f, "GetOpenIdToken", signIn))
  }
}
