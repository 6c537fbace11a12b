internal import CognitoUserPool
internal import TokenSecurityBase

extension TestPool {
  /// ConfirmDevice with a device's own salt and verifier.
  @discardableResult
  func confirm(
    _ device: TestDevice, _ tokens: SignInTokens, name: String? = nil
  ) async throws -> JSONObject {
    var members: JSONObject = [
      "AccessToken": .string(tokens.access), "DeviceKey": .string(device.key),
      "DeviceSecretVerifierConfig": [
        "Salt": .string(device.salt), "PasswordVerifier": .string(device.passwordVerifier),
      ],
    ]
    members["DeviceName"] = name.map(JSONValue.string)
    return try await call("ConfirmDevice", members)
  }

  /// Whether a device is remembered; nil for an unknown one.
  func isRemembered(_ device: TestDevice, of name: String = TestPool.user) async throws -> Bool? {
    let (user, key) = (try await storedUser(name), device.key)
    return try await store.read(at: clock.time, .fresh) { rows throws(UserPoolError) in
      try rows.confirmedDevice(key, of: user)?.isRemembered
    }
  }
}
