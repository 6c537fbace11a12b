internal import CognitoUserPoolOperations
internal import SecureRemotePassword
internal import TokenSecurityCrypto
internal import TokenSecurityEncodings

/// Devices: the machine proves, confirms and forgets them without a step.
extension SignInMachine {
  /// Answers `DEVICE_SRP_AUTH` and `DEVICE_PASSWORD_VERIFIER`.
  ///
  /// - Returns: the service's answer; nil if it does not accept the device, which is forgotten.
  mutating func proveDevice(_ challenge: Challenge) async throws(UserPoolClientError) -> AuthOutput? {
    guard let device, !hasProvedDevice else {
      throw .responseMalformed(rule: "it asks for a device that the request did not name")
    }
    hasProvedDevice = true
    let proof: CognitoDeviceSignIn
    let begun: CognitoParameters
    do throws(SRPError) {
      proof = try CognitoDeviceSignIn(
        device: device.remembered(), client: calls.pool.client, username: name)
    } catch { throw .signInFailed(error) }
    do throws(SRPError) {
      begun = try proof.begin(challenge.srp(session: session)).responses
    } catch { throw .signInFailed(error) }
    guard let answer = try await answer(.deviceSRPAuth, begun) else { return nil }
    let verifier = try await note(answer)
    let response: CognitoParameters
    do throws(SRPError) {
      response = try proof.respond(to: verifier.srp(session: session)).responses
    } catch { throw .signInFailed(error) }
    return try await self.answer(.devicePasswordVerifier, response)
  }

  /// - Returns: nil if the device is not known, or its password not accepted.
  private mutating func answer(
    _ challenge: ChallengeNameType, _ responses: CognitoParameters
  ) async throws(UserPoolClientError) -> AuthOutput? {
    do throws(UserPoolClientError) { return try await send(challenge, responses.members) } catch {
      if await dropsDevice(after: error) { return nil }
      // With another password than the service's the user could never sign in again.
      guard challenge == .devicePasswordVerifier, error.isRefusal("NotAuthorizedException") else {
        throw error
      }
      await forgetDevice()
      return nil
    }
  }

  /// The end of a sign-in. A new device is confirmed; a failure of that does not end the sign-in.
  func finish(_ result: AuthenticationResultType) async throws(UserPoolClientError) -> SignedIn {
    let tokens = try IssuedTokens(result)
    guard let metadata = result.newDeviceMetadata, let key = metadata.deviceKey,
      let groupKey = metadata.deviceGroupKey
    else {
      let known = device.map { SignInDevice.known(key: $0.key) }
      return SignedIn(username: username, device: known ?? .untracked, tokens: tokens)
    }
    var confirmed = SignInDevice.unconfirmed(key: key, nil)
    if let keeper {
      do throws(UserPoolClientError) {
        let needsConsent = try await confirm(key, groupKey: groupKey, tokens, keeper)
        confirmed = .new(key: key, needsConsent: needsConsent)
      } catch { confirmed = .unconfirmed(key: key, error) }
    }
    return SignedIn(username: username, device: confirmed, tokens: tokens)
  }

  /// - Returns: true if the device is remembered only after the user's consent.
  private func confirm(
    _ key: String, groupKey: String, _ tokens: IssuedTokens, _ keeper: any DeviceKeeping
  ) async throws(UserPoolClientError) -> Bool {
    let confirmation = try Self.confirmation(key, groupKey: groupKey)
    let (verifier, salt) = (confirmation.passwordVerifier, confirmation.salt)
    let config = DeviceSecretVerifierConfigType {
      $0.passwordVerifier = verifier
      $0.salt = salt
    }
    let device = StoredDevice(
      groupKey: groupKey, key: key, password: try confirmation.device.password.asMember())
    let output = try await calls.call(ConfirmDevice.self, accessToken: tokens.accessToken) {
      $0.deviceKey = key
      $0.deviceSecretVerifierConfig = config
      $0.deviceName = options.deviceName
    }
    // Under the name that the service gave: an alias that was typed leads to it.
    await keeper.keep(device, username: name)
    return output.userConfirmationNecessary ?? false
  }

  private static func confirmation(
    _ key: String, groupKey: String
  ) throws(UserPoolClientError) -> CognitoDeviceConfirmation {
    do throws(SRPError) {
      return try CognitoDeviceConfirmation(groupKey: groupKey, deviceKey: key)
    } catch { throw .signInFailed(error) }
  }
}

extension StoredDevice {
  /// For the client of SRP.
  fileprivate func remembered() throws(SRPError) -> CognitoRememberedDevice {
    try CognitoRememberedDevice(
      groupKey: groupKey, key: key, password: password.withBytes { SecretBytes($0) })
  }

  /// False for keys that no pool gives.
  var isUsable: Bool {
    do {
      _ = try remembered()
      return true
    } catch { return false }
  }
}

extension CognitoParameters {
  /// As the members of an answer.
  var members: [ExactString: SecretText] {
    var members: [ExactString: SecretText] = [:]
    for name in names { members[ExactString(name)] = self[name].map { SecretText($0) } }
    return members
  }
}
