internal import ServiceOperations
internal import TokenLifetime
internal import TokenSecurityBase

/// Operations on the members of groups.
extension Groups {
  /// Maximum number of groups of a user.
  private static var membershipLimit: Int { 100 }

  /// Adds a user to a group (`AdminAddUserToGroup`). A member stays one.
  ///
  /// - Throws: `poolUnknown`, `userUnknown`, `groupUnknown`, `limitReached`.
  package nonisolated(nonsending) func addMember(
    _ name: MembershipName, _ context: CallContext
  ) async throws(UserPoolError) {
    try await store.write(at: context.time) { rows throws(UserPoolError) in
      let (user, group) = try rows.member(name, context.subject)
      guard try !rows.contains(UserPoolTables.memberships, RecordKey(group.poolID, group.name, user.sub))
      else {
        return
      }
      guard
        try rows.count(
          UserPoolTables.memberships, by: UserPoolTables.membershipOfUser,
          .prefix(RecordKey(user.poolID, user.sub)), limit: Self.membershipLimit) < Self.membershipLimit
      else { throw .limitReached(of: "groups of a user", limit: Self.membershipLimit) }
      var membership = GroupMembership()
      membership.poolID = group.poolID
      membership.group = group.name
      membership.sub = user.sub
      membership.canonicalName = user.canonicalName
      try rows.put(membership, in: UserPoolTables.memberships)
    }
  }

  /// Removes a user from a group (`AdminRemoveUserFromGroup`). Does nothing for a user who is not a member.
  ///
  /// - Throws: `poolUnknown`, `userUnknown`, `groupUnknown`.
  package nonisolated(nonsending) func removeMember(
    _ name: MembershipName, _ context: CallContext
  ) async throws(UserPoolError) {
    try await store.write(at: context.time) { rows throws(UserPoolError) in
      let (user, group) = try rows.member(name, context.subject)
      try rows.delete(RecordKey(group.poolID, group.name, user.sub), from: UserPoolTables.memberships)
    }
  }

  /// Lists the groups of a user, ordered by their names (`AdminListGroupsForUser`).
  ///
  /// - Throws: `poolUnknown`, `userUnknown`, `pageTokenInvalid`.
  package nonisolated(nonsending) func listGroups(
    ofUser name: String, inPool id: String, size: Int, token: String?, at time: Timestamp
  ) async throws(UserPoolError) -> Page<UserGroup> {
    let secrets = secrets
    return try await store.read(at: time) { rows throws(UserPoolError) in
      let pool = try rows.existingPool(id)
      let user = try rows.existingUser(named: name, in: pool)
      let tokens = PageTokens("AdminListGroupsForUser", id, user.sub, secrets: secrets)
      let after = try tokens.name(token)
      let found = try rows.scan(
        UserPoolTables.memberships, by: UserPoolTables.membershipOfUser,
        KeyRange.prefix(RecordKey(id, user.sub)).after(after.map { RecordKey(id, user.sub, $0) }),
        limit: size + 1)
      let page = try tokens.page(found, size, \.group)
      var groups: [UserGroup] = []
      for membership in page.elements {
        if let group = try rows.get(UserPoolTables.groups, RecordKey(id, membership.group)) {
          groups.append(group)
        }
      }
      return Page(elements: groups, next: page.next)
    }
  }

  /// Lists the users of a group, ordered by their `sub` (`ListUsersInGroup`).
  ///
  /// - Throws: `poolUnknown`, `groupUnknown`, `pageTokenInvalid`.
  package nonisolated(nonsending) func listMembers(
    of name: GroupName, size: Int, token: String?, at time: Timestamp
  ) async throws(UserPoolError) -> (users: Page<User>, pool: UserPool) {
    let tokens = PageTokens("ListUsersInGroup", name.userPoolID, name.groupName, secrets: secrets)
    let after = try tokens.name(token)
    return try await store.read(at: time) { rows throws(UserPoolError) in
      let pool = try rows.existingPool(name.userPoolID)
      let group = try rows.existingGroup(name.groupName, in: pool)
      let key = RecordKey(pool.id, group.name)
      let found = try rows.scan(
        UserPoolTables.memberships,
        KeyRange.prefix(key).after(after.map { RecordKey(pool.id, group.name, $0) }), limit: size + 1)
      let page = try tokens.page(found, size, \.sub)
      var users: [User] = []
      for membership in page.elements {
        if let user = try rows.user(sub: membership.sub, in: pool) { users.append(user) }
      }
      return (Page(elements: users, next: page.next), pool)
    }
  }
}

extension ReadTransaction<UserPoolError> {
  /// Returns a user and a group.
  fileprivate func member(
    _ name: MembershipName, _ subject: CallSubject
  ) throws(UserPoolError) -> (user: User, group: UserGroup) {
    let (pool, user) = try existingUser(named: name.username, inPool: name.userPoolID, naming: subject)
    return (user, try existingGroup(name.groupName, in: pool))
  }
}
