internal import SecureRemotePassword
internal import ServiceOperations

/// A device that the pool has named at the end of a sign-in, and that is not confirmed yet.
struct NewDevice: Sendable {
  let key: String
  let groupKey: String
  /// The name under which it is listed; nil for none.
  let name: String?
  /// The user under whom it is kept: the name that the service gave, to which an alias that was typed leads.
  let username: String
}

extension SignInMachine {
  /// The end of a sign-in. A new device is confirmed; a failure of that does not end the sign-in.
  func finish(_ result: AuthenticationResultType) async throws(UserPoolClientError) -> SignedIn {
    let tokens = try IssuedTokens(result)
    guard let metadata = result.newDeviceMetadata, let key = metadata.deviceKey,
      let groupKey = metadata.deviceGroupKey
    else {
      let known = device.map { SignInDevice.known(key: $0.key) }
      return SignedIn(username: username, device: known ?? .untracked, tokens: tokens, newDevice: nil)
    }
    let new = NewDevice(key: key, groupKey: groupKey, name: options.deviceName, username: name)
    let signedIn = SignedIn(
      username: username, device: .unconfirmed(key: key, nil), tokens: tokens, newDevice: new)
    guard let keeper else { return signedIn }
    return await calls.confirmingDevice(of: signedIn, in: keeper)
  }
}

extension UserPoolCalls {
  /// Confirms the new device of a sign-in, and keeps it.
  ///
  /// - Returns: the sign-in, with the device or with the reason why it is not confirmed. After a failure that passes it
  ///   can be confirmed later.
  func confirmingDevice(of signedIn: SignedIn, in keeper: any DeviceKeeping) async -> SignedIn {
    guard let new = signedIn.newDevice else { return signedIn }
    let device: SignInDevice
    var unconfirmed: NewDevice?
    do throws(UserPoolClientError) {
      let needsConsent = try await confirm(new, accessToken: signedIn.tokens.accessToken, in: keeper)
      device = .new(key: new.key, needsConsent: needsConsent)
    } catch {
      device = .unconfirmed(key: new.key, error)
      if error.isPassing { unconfirmed = new }
    }
    return SignedIn(
      username: signedIn.username, device: device, tokens: signedIn.tokens, newDevice: unconfirmed)
  }

  /// - Returns: true if the device is remembered only after the user's consent.
  private func confirm(
    _ new: NewDevice, accessToken: String, in keeper: any DeviceKeeping
  ) async throws(UserPoolClientError) -> Bool {
    let confirmation = try Self.confirmation(new)
    let (verifier, salt) = (confirmation.passwordVerifier, confirmation.salt)
    let config = DeviceSecretVerifierConfigType {
      $0.passwordVerifier = verifier
      $0.salt = salt
    }
    let device = StoredDevice(
      groupKey: new.groupKey, key: new.key, password: try confirmation.device.password.asMember())
    let output = try await call(ConfirmDevice.self, accessToken: accessToken) {
      $0.deviceKey = new.key
      $0.deviceSecretVerifierConfig = config
      $0.deviceName = new.name
    }
    await keeper.keep(device, username: new.username)
    return output.userConfirmationNecessary ?? false
  }

  private static func confirmation(
    _ new: NewDevice
  ) throws(UserPoolClientError) -> CognitoDeviceConfirmation {
    do throws(SRPError) {
      return try CognitoDeviceConfirmation(groupKey: new.groupKey, deviceKey: new.key)
    } catch { throw .signInFailed(error) }
  }
}
