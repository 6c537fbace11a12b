@testable internal import CognitoUserPool
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase

/// Attributes that administrators change.
@Suite struct AdminUsersAttributeTests {
  private func update(
    _ given: [(name: String, value: String)], _ place: AdminUsersPlace, _ name: String = "jane"
  ) async throws(UserPoolError) {
    try await place.service.users.updateAttributes(
      given, of: name, in: place.pool.id, CallContext(at: AdminUsersPlace.start))
  }

  private let verified = [
    (name: "email", value: "jane@example.com"), (name: "email_verified", value: "true"),
  ]

  @Test func attributesChange() async throws {
    let place = try await AdminUsersPlace()
    try await place.add("jane", verified)
    try await update([("name", "Jane"), ("nickname", "J")], place)
    try await update([("nickname", "")], place)
    var user = try await place.user("jane")
    #expect(user.attribute("name") == "Jane" && user.attribute("nickname") == nil)
    // A new address is not verified, unless the administrator says so.
    try await update([("email", "j@example.com")], place)
    user = try await place.user("jane")
    #expect(user.attribute("email") == "j@example.com" && user.attribute("email_verified") == "false")
    try await update([("email", "k@example.com"), ("email_verified", "True")], place)
    #expect(try await place.user("jane").isVerified(.email))
    try await update([("email_verified", "false")], place)
    #expect(try await !place.user("jane").isVerified(.email))
    #expect(try await place.messages().isEmpty)
    try await place.service.users.removeAttributes(
      ["email", "name"], of: "jane", in: place.pool.id, CallContext(at: .now))
    #expect(try await place.user("jane").attributes.isEmpty)
  }

  @Test func aNewAddressGetsACode() async throws {
    let place = try await AdminUsersPlace { $0.autoVerified = [.email] }
    let user = try await place.add("jane", verified)
    try await update([("email", "j@example.com")], place)
    let message = try await place.messages().only()
    #expect(message.kind == .updateUserAttribute && message.destination == "j@example.com")
    let secrets = place.service.secrets
    let check = try await place.service.store.write(at: AdminUsersPlace.start) { rows throws(UserPoolError) in
      try rows.checkCode(message.code, .attribute(.email), of: user, secrets: secrets)
    }
    guard case .right(let code) = check else {
      Issue.record("the code is refused")
      return
    }
    #expect(code.value == "j@example.com")
    // Another address makes the code useless.
    try await update([("email", "k@example.com"), ("email_verified", "true")], place)
    let again = try await place.service.store.write(at: AdminUsersPlace.start) { rows throws(UserPoolError) in
      try rows.checkCode(message.code, .attribute(.email), of: user, secrets: secrets)
    }
    guard case .refused(.codeExpired) = again else {
      Issue.record("the code is still valid")
      return
    }
    // Its message is withdrawn, and the same address needs none.
    try await update([("email", "k@example.com")], place)
    #expect(try await place.messages().isEmpty)
  }

  @Test func anAddressWaitsForItsCode() async throws {
    let place = try await AdminUsersPlace {
      $0.autoVerified = [.email]
      $0.verifiedBeforeUpdate = [.email]
    }
    try await place.add("jane", verified)
    try await update([("email", "j@example.com")], place)
    var user = try await place.user("jane")
    #expect(user.attribute("email") == "jane@example.com" && user.isVerified(.email))
    #expect(user.pending == ["email": "j@example.com"])
    #expect(try await place.messages().map(\.destination) == ["j@example.com"])
    try await update([("email", "k@example.com"), ("email_verified", "true")], place)
    user = try await place.user("jane")
    #expect(user.attribute("email") == "k@example.com" && user.isVerified(.email) && user.pending.isEmpty)
  }

  @Test func aliasesMoveWithAttributes() async throws {
    let place = try await AdminUsersPlace { $0.aliasAttributes = [.email, .preferredUsername] }
    try await place.add("jane", verified)
    try await place.add("joe")
    let taken = [(name: "email", value: "jane@example.com"), (name: "email_verified", value: "true")]
    await #expect(throws: UserPoolError.aliasExists(attribute: "email")) {
      try await update(taken, place, "joe")
    }
    #expect(try await place.user("jane@example.com").name == "jane")
    // An attribute that is not verified is no alias.
    try await update([("email_verified", "false")], place)
    await #expect(throws: UserPoolError.userUnknown) { try await place.user("jane@example.com") }
    try await update(taken, place, "joe")
    #expect(try await place.user("jane@example.com").name == "joe")
    await #expect(throws: UserPoolError.aliasExists(attribute: "email")) {
      try await update([("email_verified", "true")], place)
    }
    try await update([("preferred_username", "king")], place, "joe")
    #expect(try await place.user("king").name == "joe")
    // The name of another user is no alias.
    await #expect(throws: UserPoolError.aliasExists(attribute: "preferred_username")) {
      try await update([("preferred_username", "jane")], place, "joe")
    }
    await #expect(throws: UserPoolError.userExists) { try await place.add("king") }
    try await update([("preferred_username", "")], place, "joe")
    await #expect(throws: UserPoolError.userUnknown) { try await place.user("king") }
  }

  @Test func refusals() async throws {
    let place = try await AdminUsersPlace()
    try await place.add("jane")
    for given in [("sub", "x"), ("custom:x", "y"), ("email", "x")] {
      await #expect {
        try await update([(name: given.0, value: given.1)], place)
      } throws: {
        [.attributesRefused, .addressMalformed].contains(($0 as? UserPoolError)?.code)
      }
    }
    await #expect(throws: UserPoolError.userUnknown) { try await update([("name", "x")], place, "joe") }
    await #expect(throws: UserPoolError.userUnknown) {
      try await place.service.users.removeAttributes(
        ["name"], of: "joe", in: place.pool.id, CallContext(at: .now))
    }
  }
}
