internal import SecureRemotePassword
internal import TokenLifetime
internal import TokenSecurityBase

/// A client's request to confirm a device that a sign-in offered.
struct DeviceConfirmation: Sendable {
  let key: String
  let name: String?
  /// Base64 of two's-complement numbers; nil where the request lacks them.
  let salt, verifier: String?
}

/// Devices of users, which sign-ins offer and clients confirm.
package struct DeviceTracking: Sendable {
  let store: any RecordStore
  let secrets: UserPoolSecrets
  let callers: Callers
  /// The account in ARNs.
  let account: String

  /// Confirms a device (`ConfirmDevice`): its verifier is stored, and it is remembered at once unless the pool
  /// asks the user first.
  ///
  /// - Parameters:
  ///   - confirmation: the device and its verifier.
  ///   - accessToken: an access token of the user to which the device was given.
  ///   - context: the call.
  /// - Returns: true where the user still has to say that the device is remembered.
  /// - Throws: `parameterMissing`, `parameterRefused`, `devicesNotTracked`, `deviceKeyInvalid`,
  ///   `deviceExists`, and the errors of access tokens.
  nonisolated(nonsending) func confirmDevice(
    _ confirmation: DeviceConfirmation, accessToken: String, _ context: CallContext
  ) async throws(UserPoolError) -> Bool {
    let account = try await callers.account(.token(accessToken), context)
    guard let rule = account.pool.devices else { throw .devicesNotTracked }
    guard let salt = confirmation.salt, let verifier = confirmation.verifier else {
      throw .parameterMissing("DeviceSecretVerifierConfig")
    }
    let secret: CognitoVerifier
    do throws(SRPError) {
      secret = try CognitoVerifier(deviceSalt: salt, passwordVerifier: verifier)
    } catch {
      throw .parameterRefused("DeviceSecretVerifierConfig", rule: "\(error)")
    }
    let number = secret.salt
    let sealed = try secrets.seal(
      secret.value, for: .verifier,
      name: UserDevice.sealName(account.pool.id, account.sub, confirmation.key))
    try await store.write(at: context.time) { rows throws(UserPoolError) in
      guard var device = try rows.device(confirmation.key, of: account.user(rows)) else {
        throw .deviceKeyInvalid
      }
      guard !device.isConfirmed else { throw .deviceExists }
      device.salt = number
      device.sealed = sealed
      device.name = confirmation.name
      device.isRemembered = !rule.remembersOnPromptOnly
      device.lastAddress = context.address ?? device.lastAddress
      device.modified = context.time.wholeSecond
      device.end = nil
      try rows.put(device, in: UserPoolTables.devices)
    }
    return rule.remembersOnPromptOnly
  }

  /// Changes whether a device is remembered (`UpdateDeviceStatus`, `AdminUpdateDeviceStatus`).
  ///
  /// - Parameters:
  ///   - key: the device's key.
  ///   - isRemembered: whether it is remembered; nil to change nothing.
  ///   - reference: the user.
  ///   - context: the call.
  /// - Throws: `deviceUnknown`, and the errors of finding the user.
  nonisolated(nonsending) func setDevice(
    _ key: String, isRemembered: Bool?, of reference: AccountReference, _ context: CallContext
  ) async throws(UserPoolError) {
    let account = try await callers.account(reference, context)
    try await store.write(at: context.time) { rows throws(UserPoolError) in
      guard var device = try rows.confirmedDevice(key, of: account.user(rows)) else { throw .deviceUnknown }
      guard let isRemembered else { return }
      device.isRemembered = isRemembered
      device.modified = context.time.wholeSecond
      try rows.put(device, in: UserPoolTables.devices)
    }
  }

  /// Returns a device (`GetDevice`, `AdminGetDevice`).
  ///
  /// - Parameters:
  ///   - key: the device's key.
  ///   - reference: the user.
  ///   - context: the call.
  /// - Returns: the device and its owner.
  /// - Throws: `deviceUnknown`, and the errors of finding the user.
  nonisolated(nonsending) func device(
    _ key: String, of reference: AccountReference, _ context: CallContext
  ) async throws(UserPoolError) -> (device: UserDevice, user: User) {
    let account = try await callers.account(reference, context)
    return try await store.read(at: context.time) { rows throws(UserPoolError) in
      let user = try account.user(rows)
      guard let device = try rows.confirmedDevice(key, of: user) else { throw .deviceUnknown }
      return (device, user)
    }
  }

  /// Lists a user's confirmed devices, ordered by their keys (`ListDevices`, `AdminListDevices`).
  ///
  /// - Parameters:
  ///   - reference: the user.
  ///   - size: the size of the page.
  ///   - token: the token of the page; nil for the first one.
  ///   - context: the call.
  /// - Returns: the devices and their owner.
  /// - Throws: `pageTokenInvalid`, `userUnknown` where the user was deleted meanwhile, `storeFailed`, and the errors of
  ///   finding the user.
  nonisolated(nonsending) func devices(
    of reference: AccountReference, size: Int, token: String?, _ context: CallContext
  ) async throws(UserPoolError) -> (page: Page<UserDevice>, user: User) {
    let account = try await callers.account(reference, context)
    let tokens = PageTokens("ListDevices", account.pool.id, account.sub, secrets: secrets)
    let last = try tokens.name(token)
    return try await store.read(at: context.time) { rows throws(UserPoolError) in
      let user = try account.user(rows)
      let own = RecordKey(user.poolID, user.sub)
      // A user has few devices: those that wait for their confirmation are left out afterwards.
      let found = try rows.scan(
        UserPoolTables.devices, .prefix(own).after(last.map { own.appending($0) }), limit: DeviceRules.limit)
      let confirmed = Array(found.filter(\.isConfirmed).prefix(size + 1))
      return (try tokens.page(confirmed, size, \.key), user)
    }
  }

  /// Forgets a device (`ForgetDevice`, `AdminForgetDevice`).
  ///
  /// - Parameters:
  ///   - key: the device's key.
  ///   - reference: the user.
  ///   - context: the call.
  /// - Throws: `deviceUnknown`, and the errors of finding the user.
  nonisolated(nonsending) func forgetDevice(
    _ key: String, of reference: AccountReference, _ context: CallContext
  ) async throws(UserPoolError) {
    let account = try await callers.account(reference, context)
    try await store.write(at: context.time) { rows throws(UserPoolError) in
      guard let device = try rows.confirmedDevice(key, of: account.user(rows)) else { throw .deviceUnknown }
      try rows.forget(device)
    }
  }
}
