internal import ServiceOperations
internal import TokenSecurityBase

// The handlers of operations on devices.

extension DeviceTracking {
  func addHandlers(to table: inout Handlers) {
    table.on(ConfirmDevice.self) { (input, context) throws(UserPoolError) in
      let config = input.deviceSecretVerifierConfig
      let isAsked = try await confirmDevice(
        DeviceConfirmation(
          key: input.deviceKey, name: input.deviceName, salt: config?.salt, verifier: config?.passwordVerifier
        ),
        accessToken: input.accessToken, context)
      return ConfirmDevice.Output { $0.userConfirmationNecessary = isAsked }
    }
    addOwnDeviceHandlers(to: &table)
    addUserDeviceHandlers(to: &table)
  }

  private func addOwnDeviceHandlers(to table: inout Handlers) {
    table.on(UpdateDeviceStatus.self) { (input, context) throws(UserPoolError) in
      try await setDevice(
        input.deviceKey, isRemembered: input.deviceRememberedStatus.map { $0 == .remembered },
        of: .token(input.accessToken), context)
      return NoMembers()
    }
    table.on(ListDevices.self) { (input, context) throws(UserPoolError) in
      try await listDevices(of: .token(input.accessToken), input.limit, input.paginationToken, context)
    }
    table.on(GetDevice.self) { (input, context) throws(UserPoolError) in
      try await describeDevice(input.deviceKey, of: Self.owner(input.accessToken), context)
    }
    table.on(ForgetDevice.self) { (input, context) throws(UserPoolError) in
      try await forgetDevice(input.deviceKey, of: Self.owner(input.accessToken), context)
      return NoMembers()
    }
  }

  private func addUserDeviceHandlers(to table: inout Handlers) {
    table.on(AdminUpdateDeviceStatus.self) { (input, context) throws(UserPoolError) in
      try await setDevice(
        input.deviceKey, isRemembered: input.deviceRememberedStatus.map { $0 == .remembered },
        of: .named(input.username, poolID: input.userPoolID), context)
      return NoMembers()
    }
    table.on(AdminListDevices.self) { (input, context) throws(UserPoolError) in
      try await listDevices(
        of: .named(input.username, poolID: input.userPoolID), input.limit, input.paginationToken, context)
    }
    table.on(AdminGetDevice.self) { (input, context) throws(UserPoolError) in
      try await describeDevice(
        input.deviceKey, of: .named(input.username, poolID: input.userPoolID), context)
    }
    table.on(AdminForgetDevice.self) { (input, context) throws(UserPoolError) in
      try await forgetDevice(
        input.deviceKey, of: .named(input.username, poolID: input.userPoolID), context)
      return NoMembers()
    }
  }

  /// The model leaves the access token out of what two operations require; they need it all the same.
  private static func owner(_ accessToken: String?) throws(UserPoolError) -> AccountReference {
    guard let accessToken else { throw .request(.validation([Violation.missing("AccessToken")])) }
    return .token(accessToken)
  }

  private nonisolated(nonsending) func describeDevice(
    _ key: String, of reference: AccountReference, _ context: CallContext
  ) async throws(UserPoolError) -> DeviceOutput {
    let (device, user) = try await device(key, of: reference, context)
    return DeviceOutput { $0.device = device.members(owner: user, account: account) }
  }

  private nonisolated(nonsending) func listDevices(
    of reference: AccountReference, _ limit: Int64?, _ token: String?, _ context: CallContext
  ) async throws(UserPoolError) -> DevicePage {
    let (page, user) = try await devices(of: reference, size: PageTokens.size(limit), token: token, context)
    return DevicePage {
      $0.devices = page.elements.map { $0.members(owner: user, account: account) }
      $0.paginationToken = page.next
    }
  }
}

extension UserDevice {
  /// The device as callers see it.
  fileprivate func members(owner: User, account: String) -> DeviceType {
    DeviceType {
      $0.deviceKey = key
      $0.deviceAttributes = attributes(owner: owner, account: account).map {
        AttributeType($0.name, $0.value)
      }
      $0.deviceCreateDate = created
      $0.deviceLastModifiedDate = modified
      $0.deviceLastAuthenticatedDate = lastSignedIn
    }
  }
}
