internal import CognitoUserPoolClient
internal import HTTPExchange
internal import ServiceOperations
internal import TokenSecurityBase

/// Responses of a service to sign-ins.
enum SignInScript {
  static let deviceKey = "eu-west-1_5d1c2b3a-0000-4000-8000-0123456789ab"
  static let device = StoredDevice(
    groupKey: "-AbCdEfG1", key: deviceKey, password: SecretText("device password"))

  /// A session of at least 20 characters.
  static func session(_ name: String) -> String { "session-of-the-challenge-\(name)" }

  /// A challenge.
  static func challenge(
    _ name: String, _ parameters: JSONObject = [:], session: String? = nil, available: [String] = []
  ) -> ScriptedTransport.Answer {
    var body: JSONObject = ["ChallengeName": .string(name), "ChallengeParameters": .object(parameters)]
    body["Session"] = session.map { .string(Self.session($0)) }
    if !available.isEmpty { body["AvailableChallenges"] = .array(available.map { .string($0) }) }
    return .ok(body)
  }

  /// A challenge with valid numbers of SRP: `PASSWORD_VERIFIER` or `DEVICE_PASSWORD_VERIFIER`.
  static func verifier(
    _ name: String = "PASSWORD_VERIFIER", user: String = "user-1", session: String? = nil
  ) -> ScriptedTransport.Answer {
    challenge(
      name,
      [
        "SALT": "f90f48f03c28dc866d91b62c99a0ea47",
        "SRP_B": .string(String(repeating: "a4", count: 383)),
        "SECRET_BLOCK": .string(Base64.string([UInt8](repeating: 3, count: 96))),
        "USER_ID_FOR_SRP": .string(user), "USERNAME": .string(user),
      ], session: session)
  }

  /// Tokens without a signature.
  static func tokens(newDevice key: String? = nil) -> ScriptedTransport.Answer {
    var result: JSONObject = [
      "AccessToken": "access.token", "IdToken": "id.token", "RefreshToken": "refresh.token",
      "ExpiresIn": 3_600, "TokenType": "Bearer",
    ]
    if let key {
      result["NewDeviceMetadata"] = ["DeviceKey": .string(key), "DeviceGroupKey": "-AbCdEfG1"]
    }
    return .ok(["AuthenticationResult": .object(result), "ChallengeParameters": [:]])
  }

  static let unknownDevice = ScriptedTransport.Answer.refusal(
    "ResourceNotFoundException", "Device does not exist.")
}

extension ScriptedTransport.Request {
  /// `AuthParameters` or `ChallengeResponses`, without numbers that are drawn.
  var parameters: [String: String] {
    let drawn = ["SRP_A", "TIMESTAMP", "PASSWORD_CLAIM_SIGNATURE", "PASSWORD_CLAIM_SECRET_BLOCK"]
    var found: [String: String] = [:]
    for member in object(operation == "InitiateAuth" ? "AuthParameters" : "ChallengeResponses").members {
      found[member.name] = drawn.contains(member.name) ? "…" : member.value.string
    }
    return found
  }
}
