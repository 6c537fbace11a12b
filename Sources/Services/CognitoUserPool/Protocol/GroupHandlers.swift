internal import ServiceOperations
internal import TokenSecurityBase

// The handlers of operations on groups.

extension Groups {
  func addHandlers(to table: inout Handlers) {
    table.on(CreateGroup.self) { (input, context) throws(UserPoolError) in
      let group = try await createGroup(input, context)
      return GroupOutput { $0.group = group.response }
    }
    table.on(GetGroup.self) { (input, context) throws(UserPoolError) in
      let group = try await group(input, at: context.time)
      return GroupOutput { $0.group = group.response }
    }
    table.on(UpdateGroup.self) { (input, context) throws(UserPoolError) in
      let group = try await updateGroup(input, context)
      return GroupOutput { $0.group = group.response }
    }
    table.on(DeleteGroup.self) { (input, context) throws(UserPoolError) in
      try await deleteGroup(input, context)
      return NoMembers()
    }
    table.on(ListGroups.self) { (input, context) throws(UserPoolError) in
      Self.response(
        try await listGroups(
          ofPool: input.userPoolID, size: PageTokens.size(input.limit), token: input.nextToken,
          at: context.time))
    }
    addMemberHandlers(to: &table)
  }

  private func addMemberHandlers(to table: inout Handlers) {
    table.on(AdminAddUserToGroup.self) { (input, context) throws(UserPoolError) in
      try await addMember(input, context)
      return NoMembers()
    }
    table.on(AdminRemoveUserFromGroup.self) { (input, context) throws(UserPoolError) in
      try await removeMember(input, context)
      return NoMembers()
    }
    table.on(AdminListGroupsForUser.self) { (input, context) throws(UserPoolError) in
      Self.response(
        try await listGroups(
          ofUser: input.username, inPool: input.userPoolID, size: PageTokens.size(input.limit),
          token: input.nextToken, at: context.time))
    }
    table.on(ListUsersInGroup.self) { (input, context) throws(UserPoolError) in
      var name = GroupName()
      name.userPoolID = input.userPoolID
      name.groupName = input.groupName
      let page = try await listMembers(
        of: name, size: PageTokens.size(input.limit), token: input.nextToken, at: context.time)
      return ListUsersInGroup.Output {
        $0.users = page.users.elements.map { $0.response() }
        $0.nextToken = page.users.next
      }
    }
  }

  private static func response(_ page: Page<UserGroup>) -> GroupPage {
    GroupPage {
      $0.groups = page.elements.map(\.response)
      $0.nextToken = page.next
    }
  }
}
