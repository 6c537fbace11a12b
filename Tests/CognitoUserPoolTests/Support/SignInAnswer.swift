internal import SecureRemotePassword
internal import Testing
internal import TokenSecurityBase

/// The response to InitiateAuth or RespondToAuthChallenge: a challenge, or tokens.
struct SignInAnswer: Sendable {
  let members: JSONObject

  /// `ChallengeName`; nil with tokens.
  var name: String? { members["ChallengeName"]?.string }
  var session: String? { members["Session"]?.string }

  /// A challenge's parameter.
  func parameter(_ name: String) -> String? {
    members["ChallengeParameters"]?.object?[name]?.string
  }

  /// A challenge's parameter that is a JSON array of strings.
  func list(_ name: String) throws -> [String] {
    let text = try #require(parameter(name))
    return try #require(JSONValue(parsing: text).strings)
  }

  /// The challenge, for the SRP client.
  var challenge: CognitoChallenge {
    get throws {
      var parameters = CognitoParameters()
      for member in members["ChallengeParameters"]?.object?.members ?? [] {
        parameters[member.name] = member.value.string
      }
      return CognitoChallenge(name: try #require(name), parameters: parameters, session: session)
    }
  }

  /// The tokens; fails the test for a challenge.
  var tokens: SignInTokens {
    get throws {
      let result = try #require(members["AuthenticationResult"]?.object, "it is \(name ?? "nothing")")
      let device = result["NewDeviceMetadata"]?.object
      return SignInTokens(
        access: try #require(result["AccessToken"]?.string), id: try #require(result["IdToken"]?.string),
        refresh: result["RefreshToken"]?.string, expiresIn: result["ExpiresIn"]?.int64,
        deviceKey: device?["DeviceKey"]?.string, deviceGroupKey: device?["DeviceGroupKey"]?.string)
    }
  }
}

/// `AuthenticationResult`.
struct SignInTokens: Sendable {
  let access, id: String
  let refresh: String?
  let expiresIn: Int64?
  let deviceKey, deviceGroupKey: String?
}

/// A device with the password that the client made for it.
final class TestDevice: Sendable {
  let device: CognitoRememberedDevice
  let salt, passwordVerifier: String
  var key: String { device.key }

  init(groupKey: String, key: String) throws {
    let confirmation = try CognitoDeviceConfirmation(groupKey: groupKey, deviceKey: key)
    salt = confirmation.salt
    passwordVerifier = confirmation.passwordVerifier
    device = try CognitoRememberedDevice(
      groupKey: groupKey, key: key, password: confirmation.device.password)
  }

  convenience init(_ tokens: SignInTokens) throws {
    try self.init(groupKey: #require(tokens.deviceGroupKey), key: #require(tokens.deviceKey))
  }
}

extension CognitoParameters {
  /// The parameters by name.
  var exact: [ExactString: String] {
    Dictionary(uniqueKeysWithValues: names.map { (ExactString($0), self[$0] ?? "") })
  }
}
