internal import ServiceOperations
internal import TokenSecurityBase

// The handlers of users' own passwords and attributes.

extension OwnAccounts {
  func addHandlers(to table: inout Handlers) {
    addOwnAttributeHandlers(to: &table)
    addVerificationHandlers(to: &table)
    table.on(ChangePassword.self) { (input, context) throws(UserPoolError) in
      try await changePassword(
        input.accessToken, previous: input.previousPassword, proposed: input.proposedPassword,
        context)
      return NoMembers()
    }
  }

  private func addOwnAttributeHandlers(to table: inout Handlers) {
    table.on(GetUser.self) { (input, context) throws(UserPoolError) in
      let caller = try await callers.tokenCaller(input.accessToken, context: context)
      return GetUser.Output {
        $0.username = caller.user.name
        $0.userAttributes = Self.shownAttributes(
          of: caller.user, in: caller.pool, to: caller.client
        )
        .map { AttributeType($0.name, $0.value) }
        $0.mfaOptions = caller.user.mfaOptionsResponse
        $0.preferredMFASetting = caller.user.preferredFactor?.name
        $0.userMFASettingList = caller.user.factorsResponse
      }
    }
    table.on(UpdateUserAttributes.self) { (input, context) throws(UserPoolError) in
      let destinations = try await updateAttributes(
        input.userAttributes.given, accessToken: input.accessToken,
        metadata: input.clientMetadata ?? [:],
        context)
      return UpdateUserAttributes.Output {
        $0.codeDeliveryDetailsList = destinations.map(\.members)
      }
    }
    table.on(DeleteUserAttributes.self) { (input, context) throws(UserPoolError) in
      try await deleteAttributes(input.userAttributeNames, accessToken: input.accessToken, context)
      return NoMembers()
    }
    table.on(DeleteUser.self) { (input, context) throws(UserPoolError) in
      try await deleteUser(accessToken: input.accessToken, context)
      return NoMembers()
    }
  }

  private func addVerificationHandlers(to table: inout Handlers) {
    table.on(GetUserAttributeVerificationCode.self) { (input, context) throws(UserPoolError) in
      try await sendVerificationCode(
        input.attributeName, accessToken: input.accessToken, metadata: input.clientMetadata ?? [:],
        context
      ).delivery
    }
    table.on(VerifyUserAttribute.self) { (input, context) throws(UserPoolError) in
      try await verifyAttribute(
        input.attributeName, code: input.code, accessToken: input.accessToken, context)
      return NoMembers()
    }
  }
}
