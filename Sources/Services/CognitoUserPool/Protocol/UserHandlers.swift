internal import ServiceOperations
internal import TokenSecurityBase

// The handlers of administrators' operations on users.

extension Users {
  func addHandlers(to table: inout Handlers) {
    table.on(AdminCreateUser.self) { (input, context) throws(UserPoolError) in
      let user = try await createUser(UserCreation(input), context)
      return AdminCreateUser.Output { $0.user = user.response() }
    }
    table.on(AdminGetUser.self) { (input, context) throws(UserPoolError) in
      let user = try await existingUser(input.username, in: input.userPoolID, context).user
      return AdminGetUser.Output {
        $0.username = user.name
        $0.userAttributes = user.attributesInResponse()
        $0.userCreateDate = user.created
        $0.userLastModifiedDate = user.modified
        $0.enabled = user.isEnabled
        $0.userStatus = UserStatusType(rawValue: user.status.rawValue)
        $0.mfaOptions = user.mfaOptionsResponse
        $0.preferredMFASetting = user.preferredFactor?.name
        $0.userMFASettingList = user.factorsResponse
      }
    }
    table.on(ListUsers.self) { (input, context) throws(UserPoolError) in
      let page = try await listUsers(
        of: input.userPoolID, filter: input.filter, attributes: input.attributesToGet, limit: input.limit,
        token: input.paginationToken, at: context.time)
      return ListUsers.Output {
        $0.users = page.elements.map { $0.response(input.attributesToGet) }
        $0.paginationToken = page.next
      }
    }
    table.on(AdminDeleteUser.self) { (input, context) throws(UserPoolError) in
      try await removeUser(input.username, in: input.userPoolID, context)
      return NoMembers()
    }
    addUserStateHandlers(to: &table)
    addUserPasswordHandlers(to: &table)
    addUserAttributeHandlers(to: &table)
  }

  private func addUserStateHandlers(to table: inout Handlers) {
    table.on(AdminConfirmSignUp.self) { (input, context) throws(UserPoolError) in
      try await confirmUser(
        input.username, in: input.userPoolID, clientMetadata: input.clientMetadata ?? [:], context)
      return NoMembers()
    }
    table.on(AdminEnableUser.self) { (input, context) throws(UserPoolError) in
      try await setEnabled(true, of: input.username, in: input.userPoolID, context)
      return NoMembers()
    }
    table.on(AdminDisableUser.self) { (input, context) throws(UserPoolError) in
      try await setEnabled(false, of: input.username, in: input.userPoolID, context)
      return NoMembers()
    }
  }

  private func addUserPasswordHandlers(to table: inout Handlers) {
    table.on(AdminSetUserPassword.self) { (input, context) throws(UserPoolError) in
      try await setPassword(
        input.password, of: input.username, in: input.userPoolID, isPermanent: input.permanent ?? false,
        context)
      return NoMembers()
    }
    table.on(AdminResetUserPassword.self) { (input, context) throws(UserPoolError) in
      try await resetPassword(
        of: input.username, in: input.userPoolID, clientMetadata: input.clientMetadata ?? [:],
        context)
      return NoMembers()
    }
  }

  private func addUserAttributeHandlers(to table: inout Handlers) {
    table.on(AdminUpdateUserAttributes.self) { (input, context) throws(UserPoolError) in
      try await updateAttributes(
        input.userAttributes.given, of: input.username, in: input.userPoolID,
        clientMetadata: input.clientMetadata ?? [:], context)
      return NoMembers()
    }
    table.on(AdminDeleteUserAttributes.self) { (input, context) throws(UserPoolError) in
      try await removeAttributes(
        input.userAttributeNames, of: input.username, in: input.userPoolID, context)
      return NoMembers()
    }
  }
}

extension UserCreation {
  fileprivate init(_ input: AdminCreateUser.Input) {
    poolID = input.userPoolID
    name = input.username
    attributes = (input.userAttributes ?? []).given
    validationData = (input.validationData ?? []).byName
    temporaryPassword = input.temporaryPassword
    forcesAlias = input.forceAliasCreation ?? false
    switch input.messageAction {
    case .resend: invitation = .sentAgain
    case .suppress: invitation = .suppressed
    case nil: break
    }
    media = (input.desiredDeliveryMediums ?? []).map { $0 == .email ? .email : .sms }
    clientMetadata = input.clientMetadata ?? [:]
  }
}
