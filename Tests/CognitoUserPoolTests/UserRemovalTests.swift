internal import CognitoUserPool
internal import Testing
internal import TokenSecurityBase

/// Users with more rows than one transaction removes, on all stores.
@Suite struct UserRemovalTests {
  private static func addRows(_ number: Int, of user: User, _ pool: TestPool) async throws {
    try await pool.store.write(at: pool.clock.time) { rows throws(UserPoolError) in
      for index in 0..<number {
        var device = UserDevice()
        (device.poolID, device.sub, device.key) = (user.poolID, user.sub, "key\(index)")
        try rows.put(device, in: UserPoolTables.devices)
        var membership = GroupMembership()
        (membership.poolID, membership.sub, membership.group) = (user.poolID, user.sub, "group\(index)")
        try rows.put(membership, in: UserPoolTables.memberships)
      }
    }
  }

  /// The numbers of users, aliases, devices, memberships, sign-ins and unfinished removals.
  private static func counts(_ pool: TestPool) async throws -> [Int] {
    try await pool.store.read(at: pool.clock.time, .fresh) { rows throws(UserPoolError) in
      [
        try rows.count(UserPoolTables.users, limit: 99), try rows.count(UserPoolTables.aliases, limit: 99),
        try rows.count(UserPoolTables.devices, limit: 99),
        try rows.count(UserPoolTables.memberships, limit: 99),
        try rows.count(UserPoolTables.signIns, limit: 99),
        try rows.count(UserPoolTables.removedUsers, limit: 99),
      ]
    }
  }

  private static let attributes = ["email": "jane@example.com", "email_verified": "true"]

  /// A process that ends after the first transaction leaves nothing that is accepted, and free names.
  @Test(arguments: StoreKind.allCases) func theUserIsRemovedFirst(_ kind: StoreKind) async throws {
    let pool = try await TestPool(["AliasAttributes": ["email"]], on: kind)
    try await pool.addUser("jane", attributes: Self.attributes)
    let tokens = try await pool.signIn("jane")
    let user = try await pool.storedUser("jane")
    try await Self.addRows(7, of: user, pool)
    let id = pool.id
    let stored = try await pool.store.read { rows throws(UserPoolError) in try rows.existingPool(id) }
    try await pool.store.write(at: pool.clock.time) { rows throws(UserPoolError) in
      try rows.removeUser(sub: user.sub, from: stored, limit: 3)
    }
    #expect(try await Self.counts(pool) == [0, 0, 4, 7, 1, 1])

    #expect(
      await errorCode { try await pool.call("GetUser", ["AccessToken": .string(tokens.access)]) }
        == UserPoolError.userUnknown.codeText)
    #expect(
      await errorCode {
        _ = try await pool.initiate("REFRESH_TOKEN_AUTH", ["REFRESH_TOKEN": tokens.refresh ?? ""])
      } == UserPoolError.userUnknown.codeText)
    for name in ["jane", "jane@example.com"] {
      #expect(
        await errorCode { _ = try await pool.signInByPassword(name, TestPool.password) }
          == UserPoolError.userUnknown.codeText)
    }

    // Another user takes the names, and keeps all rows while those of the removed one go.
    try await pool.addUser("jane", attributes: Self.attributes)
    let next = try await pool.storedUser("jane")
    #expect(next.sub != user.sub)
    try await Self.addRows(2, of: next, pool)
    _ = try await pool.signIn("jane@example.com")
    while try await pool.service.maintenance.continueRemovals(portion: 3) {}
    #expect(try await Self.counts(pool) == [1, 1, 2, 2, 1, 0])
    _ = try await pool.signIn("jane")
  }

  /// Administrators remove as users do.
  @Test(arguments: StoreKind.allCases) func aRemovalOfUsualSizeIsOneTransaction(_ kind: StoreKind)
    async throws
  {
    let pool = try await TestPool(["AliasAttributes": ["email"]], on: kind)
    for name in ["jane", "joe"] { try await pool.addUser(name) }
    try await Self.addRows(7, of: pool.storedUser("jane"), pool)
    let tokens = try await pool.signIn("joe")
    try await pool.admin("AdminDeleteUser", ["Username": "jane"])
    try await pool.call("DeleteUser", ["AccessToken": .string(tokens.access)])
    #expect(try await Self.counts(pool) == [0, 0, 0, 0, 0, 0])
    #expect(try await !pool.service.maintenance.continueRemovals())
  }

  /// A pool that is removed meanwhile takes the unfinished removal with it.
  @Test func thePoolIsRemovedMeanwhile() async throws {
    let pool = try await TestPool()
    try await pool.addUser()
    let user = try await pool.storedUser()
    try await Self.addRows(7, of: user, pool)
    let id = pool.id
    let stored = try await pool.store.read { rows throws(UserPoolError) in try rows.existingPool(id) }
    try await pool.store.write(at: pool.clock.time) { rows throws(UserPoolError) in
      try rows.removeUser(sub: user.sub, from: stored, limit: 3)
    }
    try await pool.call("DeleteUserPool", ["UserPoolId": .string(id)])
    while try await pool.service.maintenance.continueRemovals(portion: 2) {}
    #expect(try await Self.counts(pool) == [0, 0, 0, 0, 0, 0])
  }
}
