@testable internal import CognitoUserPool
internal import ServiceOperations
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// Users as administrators change them.
@Suite struct AdminUsersStateTests {
  private func set(
    _ password: String, _ place: AdminUsersPlace, _ name: String = "jane", isPermanent: Bool = true
  ) async throws(UserPoolError) {
    try await place.service.users.setPassword(
      SecretText(password), of: name, in: place.pool.id, isPermanent: isPermanent,
      CallContext(at: AdminUsersPlace.start))
  }

  @Test func passwordsThatAdministratorsSet() async throws {
    let place = try await AdminUsersPlace { $0.passwordPolicy.history = 2 }
    try await place.add("jane")
    try await set("Permanent-1", place)
    var user = try await place.user("jane")
    #expect(user.status == .confirmed && user.temporaryUntil == nil)
    #expect(try await place.isPassword("Permanent-1", of: "jane"))
    await #expect(throws: UserPoolError.passwordUsedBefore) { try await set("Permanent-1", place) }
    // A temporary password is no part of the history.
    try await set("Temporary-1", place)
    try await set("Another-2", place, isPermanent: false)
    user = try await place.user("jane")
    #expect(user.status == .forceChangePassword)
    #expect(user.temporaryUntil == AdminUsersPlace.start + .seconds(7 * 86_400))
    // The first one has left the history.
    try await set("Permanent-1", place)
    await #expect(throws: UserPoolError.passwordRefused(rule: "Password must have symbol characters")) {
      try await set("Permanent1", place)
    }
    await #expect(throws: UserPoolError.userUnknown) { try await set("Permanent-1", place, "joe") }
  }

  @Test func aResetSendsACode() async throws {
    let place = try await AdminUsersPlace { $0.autoVerified = [.email] }
    try await place.add("jane", [("email", "jane@example.com"), ("email_verified", "true")])
    func reset(_ name: String = "jane") async throws(UserPoolError) {
      try await place.service.users.resetPassword(
        of: name, in: place.pool.id, CallContext(at: AdminUsersPlace.start))
    }
    await #expect(throws: UserPoolError.statusRefused("User password cannot be reset in the current state."))
    {
      try await reset()
    }
    try await set("Permanent-1", place)
    try await reset()
    #expect(try await place.user("jane").status == .resetRequired)
    let message = try await place.messages().only()
    #expect(message.kind == .forgotPassword && message.destination == "jane@example.com")
    let (user, secrets) = (try await place.user("jane"), place.service.secrets)
    let check = try await place.service.store.write(at: AdminUsersPlace.start) { rows throws(UserPoolError) in
      try rows.checkCode(message.code, .forgottenPassword, of: user, secrets: secrets)
    }
    guard case .right = check else {
      Issue.record("the code is refused")
      return
    }
    try await place.add("joe")
    try await set("Permanent-1", place, "joe")
    await #expect(throws: UserPoolError.noVerifiedAddress) { try await reset("joe") }
  }

  @Test func administratorsConfirmUsers() async throws {
    let place = try await AdminUsersPlace {
      $0.hooks["PostConfirmation"] = "arn:aws:lambda:us-east-1:1:function:x"
      $0.aliasAttributes = [.preferredUsername]
    }
    var user = try await place.add("jane", [("preferred_username", "queen")])
    await #expect(
      throws: UserPoolError.statusRefused("User cannot be confirmed. Current status is FORCE_CHANGE_PASSWORD")
    ) { try await place.service.users.confirmUser("jane", in: place.pool.id, CallContext(at: .now)) }
    user.name = "joe"
    user.canonicalName = "joe"
    user.sub = "0b7c5a36-0c3f-4e5c-9d0b-2f2a3f1d9a10"
    user.status = .unconfirmed
    try await place.put(user)
    // Another user has the preferred user name.
    await #expect(throws: UserPoolError.aliasExists(attribute: "preferred_username")) {
      try await place.service.users.confirmUser("joe", in: place.pool.id, CallContext(at: .now))
    }
    user.attributes["preferred_username"] = "king"
    try await place.put(user)
    try await place.service.users.confirmUser(
      "joe", in: place.pool.id, clientMetadata: ["from": "test"], CallContext(at: .now))
    #expect(try await place.user("king").status == .confirmed)
    #expect(place.hooks.sources.last == "PostConfirmation_ConfirmSignUp")
    await #expect(
      throws: UserPoolError.statusRefused("User cannot be confirmed. Current status is CONFIRMED")
    ) { try await place.service.users.confirmUser("joe", in: place.pool.id, CallContext(at: .now)) }
  }

  /// All ends of sign-ins count in the same way, so that each is another epoch.
  @Test func theLastEpoch() async throws {
    let place = try await AdminUsersPlace()
    var user = try await place.add("jane")
    user.epoch = .max
    try await place.put(user)
    try await place.service.users.setEnabled(false, of: "jane", in: place.pool.id, CallContext(at: .now))
    #expect(try await place.user("jane").epoch == .min)
  }

  @Test func disablingEndsSignIns() async throws {
    let place = try await AdminUsersPlace()
    try await place.add("jane")
    try await place.service.users.setEnabled(false, of: "jane", in: place.pool.id, CallContext(at: .now))
    #expect(try await !place.user("jane").isEnabled)
    #expect(try await place.user("jane").epoch == 1)
    try await place.service.users.setEnabled(false, of: "jane", in: place.pool.id, CallContext(at: .now))
    try await place.service.users.setEnabled(true, of: "jane", in: place.pool.id, CallContext(at: .now))
    #expect(try await place.user("jane").isEnabled)
    #expect(try await place.user("jane").epoch == 1)
    await #expect(throws: UserPoolError.userUnknown) {
      try await place.service.users.setEnabled(true, of: "joe", in: place.pool.id, CallContext(at: .now))
    }
  }

  @Test func aRemovedUserLeavesNoRows() async throws {
    let place = try await AdminUsersPlace { $0.aliasAttributes = [.email] }
    let user = try await place.add("jane", [("email", "jane@example.com"), ("email_verified", "true")])
    try await place.service.store.write { rows throws(UserPoolError) in
      var membership = GroupMembership()
      (membership.poolID, membership.group) = (user.poolID, "g")
      (membership.sub, membership.canonicalName) = (user.sub, user.canonicalName)
      try rows.put(membership, in: UserPoolTables.memberships)
      var device = UserDevice()
      (device.poolID, device.sub, device.key) = (user.poolID, user.sub, "k")
      try rows.put(device, in: UserPoolTables.devices)
      var signIn = SignIn()
      (signIn.poolID, signIn.id, signIn.sub) = (user.poolID, "s", user.sub)
      signIn.kept = .latest
      try rows.put(signIn, in: UserPoolTables.signIns)
    }
    try await place.service.users.removeUser("jane@example.com", in: place.pool.id, CallContext())
    let counts = try await place.service.store.read { rows throws(UserPoolError) in
      [
        try rows.count(UserPoolTables.users, limit: 9), try rows.count(UserPoolTables.aliases, limit: 9),
        try rows.count(UserPoolTables.memberships, limit: 9),
        try rows.count(UserPoolTables.devices, limit: 9),
        try rows.count(UserPoolTables.signIns, limit: 9),
      ]
    }
    #expect(counts == [0, 0, 0, 0, 0])
    await #expect(throws: UserPoolError.userUnknown) {
      try await place.service.users.removeUser("jane", in: place.pool.id, CallContext())
    }
  }
}
