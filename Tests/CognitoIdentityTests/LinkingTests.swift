internal import CognitoIdentity
internal import JOSE
internal import Testing

/// Logins are linked, merged and unlinked, in both stores.
@Suite struct LinkingTests {
  static let google = "accounts.google.com"
  static let facebook = "graph.facebook.com"

  @Test(arguments: Fixture.Kind.allCases)
  func publicLoginsAreLinkedByTheDeveloper(_ kind: Fixture.Kind) async throws {
    let f = try await Fixture(kind)
    defer { f.remove() }
    let jane = try await f.token("jane")
    let linked = try await f.token(
      "jane",
      with: [
        Self.google: f.issuers.token(Self.google, "g-jane"),
        Self.facebook: f.issuers.token(Self.facebook, "f-jane"),
      ])
    #expect(linked.identityID == jane.identityID)
    #expect(
      try await f.logins(jane.identityID) == [
        "login.my.app=jane", "accounts.google.com=g-jane", "graph.facebook.com=f-jane",
      ])
    // A device with the Google login alone gets the same identity.
    let id = try await f.service.resolveIdentity(
      poolID: f.pool.id, logins: [Self.google: f.issuers.token(Self.google, "g-jane")], at: Fixture.now)
    #expect(id == jane.identityID)
    // A second Google account is refused, and nothing is changed.
    let other = try f.issuers.token(Self.google, "g-other")
    #expect(await code { _ = try await f.token("jane", with: [Self.google: other]) } == "login_conflict")
    #expect(try await f.logins(jane.identityID).count == 3)
  }

  @Test(arguments: Fixture.Kind.allCases)
  func loginLinkedElsewhereMerges(_ kind: Fixture.Kind) async throws {
    let f = try await Fixture(kind)
    defer { f.remove() }
    let token = try f.issuers.token(Self.google, "g-jane")
    let fromDevice = try await f.service.resolveIdentity(
      poolID: f.pool.id, logins: [Self.google: token], at: Fixture.now)
    let jane = try await f.token("jane")
    #expect(fromDevice != jane.identityID)
    let merged = try await f.token("jane", with: [Self.google: token])
    #expect(merged.identityID == jane.identityID)
    // In the order of first linking.
    #expect(try await f.logins(jane.identityID) == ["accounts.google.com=g-jane", "login.my.app=jane"])
    #expect(try await f.logins(fromDevice) == [])
    #expect(try await f.service.describeIdentity(fromDevice).identity.mergedInto == jane.identityID)
    #expect(
      await code {
        _ = try await f.service.issueOpenIDToken(
          for: fromDevice, logins: [Self.google: token], at: Fixture.now)
      }
        == "identity_disabled")
    let listed = try await f.service.listIdentities(inPool: f.pool.id, size: 60, hidesDisabled: true)
    #expect(listed.elements.map(\.identity.id) == [jane.identityID])
  }

  @Test(arguments: Fixture.Kind.allCases)
  func guestBecomesSignedIn(_ kind: Fixture.Kind) async throws {
    let f = try await Fixture(kind)
    defer { f.remove() }
    let guest = try await f.service.resolveIdentity(poolID: f.pool.id, at: Fixture.now)
    #expect(try await f.service.resolveIdentity(poolID: f.pool.id, at: Fixture.now) != guest)
    let jane = try await f.token("jane", identity: guest)
    #expect(jane.identityID == guest)
    // The identity never becomes a guest's again.
    #expect(
      await code { _ = try await f.service.issueCredentials(for: guest, at: Fixture.now) }
        == "identity_forbidden")
    try await f.service.unlinkDeveloperIdentity(
      guest, user: "jane", provider: Fixture.developer, poolID: f.pool.id, at: Fixture.now)
    #expect(try await f.logins(guest) == [])
    #expect(
      await code { _ = try await f.service.issueCredentials(for: guest, at: Fixture.now) }
        == "identity_forbidden")
    #expect(
      await code { _ = try await f.service.issueOpenIDToken(for: guest, at: Fixture.now) }
        == "identity_forbidden")
    // The user's next login makes a new identity.
    #expect(try await f.token("jane").identityID != guest)
  }

  @Test(arguments: Fixture.Kind.allCases)
  func identityOfSomebodyElseIsRefused(_ kind: Fixture.Kind) async throws {
    let f = try await Fixture(kind)
    defer { f.remove() }
    let jane = try await f.token("jane")
    let joe = try await f.token("joe")
    #expect(await code { _ = try await f.token("jane", identity: joe.identityID) } == "developer_user_taken")
    // A new user is linked to an identity that has signed in only with one of its logins.
    #expect(await code { _ = try await f.token("new", identity: joe.identityID) } == "identity_forbidden")
    let google = try f.issuers.token(Self.google, "g-joe")
    _ = try await f.token("joe", with: [Self.google: google])
    #expect(
      try await f.token("new", identity: joe.identityID, with: [Self.google: google]).identityID
        == joe.identityID)
    #expect(
      await code { _ = try await f.token("x", identity: "us-east-1:00000000-0000-4000-8000-000000000000") }
        == "identity_unknown")
    #expect(try await f.logins(jane.identityID) == ["login.my.app=jane"])
    // An identity of another pool is unknown.
    let other = try await f.service.createPool(named: "other") {
      $0.developerProviderName = "login.other.app"
    }
    let theirs = try await f.service.issueDeveloperToken(
      poolID: other.id, logins: ["login.other.app": "jane"], at: Fixture.now)
    #expect(await code { _ = try await f.token("x", identity: theirs.identityID) } == "identity_unknown")
  }

  @Test(arguments: Fixture.Kind.allCases)
  func developersUsersAreMerged(_ kind: Fixture.Kind) async throws {
    let f = try await Fixture(kind)
    defer { f.remove() }
    let jane = try await f.token("jane", with: [Self.google: f.issuers.token(Self.google, "g1")])
    let joe = try await f.token("joe", with: [Self.facebook: f.issuers.token(Self.facebook, "f1")])
    func merge(_ a: String, _ b: String, _ provider: String = Fixture.developer) async throws -> String {
      try await f.service.mergeDeveloperIdentities(
        source: a, destination: b, provider: provider, poolID: f.pool.id, at: Fixture.now)
    }
    #expect(await code { _ = try await merge("jane", "nobody") } == "developer_user_unknown")
    #expect(
      await code { _ = try await merge("jane", "joe", "login.other.app") } == "developer_provider_unknown")
    #expect(try await merge("jane", "joe") == joe.identityID)
    #expect(
      Set(try await f.logins(joe.identityID)) == [
        "login.my.app=joe", "graph.facebook.com=f1", "login.my.app=jane", "accounts.google.com=g1",
      ])
    #expect(try await f.token("jane").identityID == joe.identityID)
    #expect(try await merge("jane", "joe") == joe.identityID)
    // The token of the merged identity is refused.
    #expect(
      await code {
        _ = try await f.service.issueCredentials(
          for: jane.identityID, logins: ["cognito-identity.amazonaws.com": jane.token], at: Fixture.now)
      } == "identity_disabled")
    // Each has a Google account, so that they cannot be merged.
    _ = try await f.token("jill", with: [Self.google: f.issuers.token(Self.google, "g2")])
    #expect(await code { _ = try await merge("jill", "joe") } == "login_conflict")
    #expect(try await f.logins(try await f.token("jill").identityID).count == 2)
  }

  @Test(arguments: Fixture.Kind.allCases)
  func twentyLoginsAreTheMost(_ kind: Fixture.Kind) async throws {
    let f = try await Fixture(kind)
    defer { f.remove() }
    let first = try await f.token("u0")
    for index in 1..<20 {
      _ = try await f.token("u\(index)")
      _ = try await f.service.mergeDeveloperIdentities(
        source: "u\(index)", destination: "u0", provider: Fixture.developer, poolID: f.pool.id,
        at: Fixture.now)
    }
    #expect(try await f.logins(first.identityID).count == 20)
    let google = try f.issuers.token(Self.google, "g")
    #expect(await code { _ = try await f.token("u0", with: [Self.google: google]) } == "logins_full")
    _ = try await f.token("u20")
    #expect(
      await code {
        _ = try await f.service.mergeDeveloperIdentities(
          source: "u20", destination: "u0", provider: Fixture.developer, poolID: f.pool.id, at: Fixture.now)
      } == "logins_full")
    // The lookup has pages.
    var users: [String] = []
    var next: String? = nil
    repeat {
      let page = try await f.service.lookupDeveloperIdentity(
        poolID: f.pool.id, identityID: first.identityID, user: nil, size: 7, next: next)
      #expect(page.users.elements.count <= 7)
      users += page.users.elements
      next = page.users.next
    } while next != nil
    #expect(users == (0..<20).map { "u\($0)" }.sorted())
    let one = try await f.service.lookupDeveloperIdentity(poolID: f.pool.id, identityID: nil, user: "u7")
    #expect(one.identityID == first.identityID && one.users.elements.count == 20)
    #expect(
      await code {
        _ = try await f.service.lookupDeveloperIdentity(
          poolID: f.pool.id, identityID: first.identityID, user: "u20")
      } == "identity_and_user_differ")
    #expect(
      await code {
        _ = try await f.service.lookupDeveloperIdentity(poolID: f.pool.id, identityID: nil, user: nil)
      }
        == "member_refused")
    for size: Int64 in [0, 61, -1] {
      #expect(
        await code {
          _ = try await f.service.lookupDeveloperIdentity(
            poolID: f.pool.id, identityID: nil, user: "u7", size: size)
        } == "member_range")
    }
    #expect(
      await code {
        _ = try await f.service.lookupDeveloperIdentity(
          poolID: f.pool.id, identityID: nil, user: "u7", next: "cG9vbHMKeA")
      } == "next_token_invalid")
  }

  @Test(arguments: Fixture.Kind.allCases)
  func devicesTakeTheirLoginsOff(_ kind: Fixture.Kind) async throws {
    let f = try await Fixture(kind)
    defer { f.remove() }
    let google = try f.issuers.token(Self.google, "g1")
    let jane = try await f.token("jane", with: [Self.google: google])
    let stranger = try f.issuers.token(Self.google, "stranger")
    func unlink(_ logins: NameMap<String>, _ names: [String]) async -> String {
      await code {
        try await f.service.unlinkIdentity(jane.identityID, logins: logins, removing: names, at: Fixture.now)
      }
    }
    #expect(await unlink([:], [Self.google]) == "identity_forbidden")
    #expect(await unlink([Self.google: stranger], [Self.google]) == "identity_forbidden")
    #expect(await unlink([Self.google: google], [Self.facebook]) == "login_not_linked")
    // Only the developer's service unlinks its logins.
    #expect(await unlink([Self.google: google], [Fixture.developer]) == "login_not_linked")
    #expect(await unlink([Self.google: google], [Self.google, Self.facebook]) == "login_not_linked")
    #expect(try await f.logins(jane.identityID).count == 2)
    #expect(await unlink(["cognito-identity.amazonaws.com": jane.token], [Self.google]) == "")
    #expect(try await f.logins(jane.identityID) == ["login.my.app=jane"])
    #expect(await unlink([Self.google: google], [Self.google]) == "identity_forbidden")
  }

  @Test(arguments: Fixture.Kind.allCases)
  func sixtyFourAtOnceGetOneIdentity(_ kind: Fixture.Kind) async throws {
    let f = try await Fixture(kind)
    defer { f.remove() }
    let google = try f.issuers.token(Self.google, "g1")
    let ids = try await withThrowingTaskGroup(of: String.self) { group in
      for index in 0..<64 {
        group.addTask {
          index.isMultiple(of: 2)
            ? try await f.token("jane", with: [Self.google: google]).identityID
            : try await f.service.resolveIdentity(
              poolID: f.pool.id, logins: [Self.google: google], at: Fixture.now)
        }
      }
      return try await group.reduce(into: [String]()) { $0.append($1) }
    }
    // Early callers may have an identity that was merged since. Now there is one.
    let alive = try await f.service.listIdentities(inPool: f.pool.id, size: 60, hidesDisabled: true).elements
    #expect(alive.count == 1)
    let id = try #require(alive.first).identity.id
    #expect(Set(try await f.logins(id)) == ["login.my.app=jane", "accounts.google.com=g1"])
    for other in Set(ids) where other != id {
      #expect(try await f.service.describeIdentity(other).identity.mergedInto == id)
    }
  }

  @Test(arguments: Fixture.Kind.allCases)
  func devicesLinkNothingToDevelopersIdentities(_ kind: Fixture.Kind) async throws {
    let f = try await Fixture(kind)
    defer { f.remove() }
    let google = try f.issuers.token(Self.google, "g1")
    let facebook = try f.issuers.token(Self.facebook, "f1")
    let jane = try await f.token("jane", with: [Self.google: google])
    func ask(_ logins: NameMap<String>) async -> String {
      await code {
        _ = try await f.service.resolveIdentity(poolID: f.pool.id, logins: logins, at: Fixture.now)
      }
    }
    #expect(await ask([Self.google: google]) == "")
    #expect(await ask([Self.google: google, Self.facebook: facebook]) == "linking_needs_developer")
    #expect(
      await code {
        _ = try await f.service.issueCredentials(
          for: jane.identityID, logins: [Self.google: google, Self.facebook: facebook], at: Fixture.now)
      } == "linking_needs_developer")
    // Nor can it be merged into a developer's identity.
    #expect(await ask([Self.facebook: facebook]) == "")
    #expect(await ask([Self.google: google, Self.facebook: facebook]) == "linking_needs_developer")
    #expect(try await f.logins(jane.identityID) == ["login.my.app=jane", "accounts.google.com=g1"])
    // A guest who signs in gets the login's identity. Nothing is linked.
    let guest = try await f.service.resolveIdentity(poolID: f.pool.id, at: Fixture.now)
    let now = try await f.service.issueCredentials(for: guest, logins: [Self.google: google], at: Fixture.now)
    #expect(now.session?.identityID == jane.identityID)
    #expect(try await f.service.describeIdentity(guest).identity.mergedInto == jane.identityID)
    #expect(try await f.logins(jane.identityID) == ["login.my.app=jane", "accounts.google.com=g1"])
    // A device may link logins to an identity without a developer login.
    let apple = try f.issuers.token("appleid.apple.com", "a1")
    #expect(await ask([Self.facebook: facebook, "appleid.apple.com": apple]) == "")
  }

  @Test(arguments: Fixture.Kind.allCases)
  func removedIdentitiesAreGone(_ kind: Fixture.Kind) async throws {
    let f = try await Fixture(kind)
    defer { f.remove() }
    let jane = try await f.token("jane")
    let missing = "us-east-1:00000000-0000-4000-8000-000000000000"
    #expect(try await f.service.deleteIdentities([jane.identityID, missing]) == [missing])
    #expect(await code { _ = try await f.service.describeIdentity(jane.identityID) } == "identity_unknown")
    #expect(try await f.token("jane").identityID != jane.identityID)
    #expect(await code { _ = try await f.service.deleteIdentities([]) } == "member_length")
    try await f.service.deletePool(f.pool.id)
    #expect(await code { _ = try await f.token("jane") } == "pool_unknown")
    #expect(
      await code { _ = try await f.service.listIdentities(inPool: f.pool.id, size: 1) } == "pool_unknown")
  }
}
