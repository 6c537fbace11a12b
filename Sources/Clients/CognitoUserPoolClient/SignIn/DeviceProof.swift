internal import SecureRemotePassword
internal import ServiceOperations
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// Remembered devices: the machine proves and forgets them without a step.
extension SignInMachine {
  /// Answers `DEVICE_SRP_AUTH` and `DEVICE_PASSWORD_VERIFIER`.
  ///
  /// - Returns: the service's response; nil if it does not accept the device, which is forgotten.
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
    // With room for what every request has.
    var members: [ExactString: SecretText] = Dictionary(minimumCapacity: count + 3)
    for name in names { members[ExactString(name)] = self[name].map { SecretText($0) } }
    return members
  }
}
