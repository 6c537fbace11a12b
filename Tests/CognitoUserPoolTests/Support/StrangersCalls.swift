internal import CognitoUserPool
internal import SecureRemotePassword
internal import TokenSecurityBase

/// The calls by which anyone asks for a user by name. `EvenWorkTests` compares the list with the declared operations.
enum StrangersCall: String, CaseIterable, Sendable {
  case selectChallenge, passwordSRP, chosenPassword, chosenCode, srp, password, custom
  case provePassword, otherSession, bareDevice
  case wrongSelection, selectedPassword
  case signUp, confirmSignUp, resend, forgot, confirmForgot

  var operation: String {
    switch self {
    case .selectChallenge, .passwordSRP, .chosenPassword, .chosenCode, .srp, .password, .custom:
      "InitiateAuth"
    case .provePassword, .otherSession, .bareDevice, .wrongSelection, .selectedPassword:
      "RespondToAuthChallenge"
    case .signUp: "SignUp"
    case .confirmSignUp: "ConfirmSignUp"
    case .resend: "ResendConfirmationCode"
    case .forgot: "ForgotPassword"
    case .confirmForgot: "ConfirmForgotPassword"
    }
  }

  /// Operations that anyone may call and that take no user name.
  static let withoutName: Set<String> = ["GetTokensFromRefreshToken", "RevokeToken"]
  /// Calls that say whether a name is taken.
  static let telling: [StrangersCall] = [.signUp]
}

extension TestPool {
  /// Makes a call with wrong secrets. The answer: a challenge's name, `ok`, or the code of the error.
  func make(_ call: StrangersCall, _ name: String, own: String) async throws -> String {
    let wrong = "Wrong-horse-7"
    switch call {
    case .selectChallenge: return try await begin("USER_AUTH", name)
    case .passwordSRP:
      return try await begin(
        "USER_AUTH", name, ["PREFERRED_CHALLENGE": "PASSWORD_SRP", "SRP_A": publicKey()])
    case .chosenPassword:
      return try await begin("USER_AUTH", name, ["PREFERRED_CHALLENGE": "PASSWORD", "PASSWORD": wrong])
    case .chosenCode: return try await begin("USER_AUTH", name, ["PREFERRED_CHALLENGE": "EMAIL_OTP"])
    case .srp: return try await begin("USER_SRP_AUTH", name, ["SRP_A": publicKey()])
    case .password: return try await begin("USER_PASSWORD_AUTH", name, ["PASSWORD": wrong])
    case .custom: return try await begin("CUSTOM_AUTH", name)
    case .provePassword: return try await outcome { try await signInBySRP(name, wrong).name }
    case .otherSession:
      return try await outcome {
        let answer = try await initiate("USER_AUTH", ["USERNAME": own])
        return try await respond(answer, ["USERNAME": name, "ANSWER": "PASSWORD", "PASSWORD": wrong]).name
      }
    case .wrongSelection: return try await select(name, ["ANSWER": "WEB_AUTHN"])
    case .selectedPassword: return try await select(name, ["ANSWER": "PASSWORD", "PASSWORD": wrong])
    case .bareDevice:
      let responses: JSONObject = [
        "USERNAME": .string(name), "DEVICE_KEY": "us-east-1_00000000-0000-4000-8000-000000000000",
        "SRP_A": .string(try publicKey()),
      ]
      return try await named(
        call, ["ChallengeName": "DEVICE_SRP_AUTH", "ChallengeResponses": .object(responses)])
    case .signUp: return try await named(call, ["Username": .string(name), "Password": .string(wrong)])
    case .resend, .forgot: return try await named(call, ["Username": .string(name)])
    case .confirmSignUp:
      return try await named(call, ["Username": .string(name), "ConfirmationCode": "000000"])
    case .confirmForgot:
      return try await named(
        call, ["Username": .string(name), "ConfirmationCode": "000000", "Password": .string(wrong)])
    }
  }

  private func publicKey() throws -> String {
    let signIn = try CognitoPasswordSignIn(userPoolID: id, client: client, username: "u")
    return signIn.request.parameters["SRP_A"] ?? ""
  }

  private func begin(
    _ flow: String, _ name: String, _ more: [String: String] = [:]
  ) async throws -> String {
    let parameters = more.merging(["USERNAME": name]) { first, _ in first }
    return try await outcome { try await initiate(flow, parameters).name }
  }

  private func select(_ name: String, _ responses: [String: String]) async throws -> String {
    try await outcome {
      let answer = try await initiate("USER_AUTH", ["USERNAME": name])
      return try await respond(answer, responses.merging(["USERNAME": name]) { first, _ in first }).name
    }
  }

  private func named(_ call: StrangersCall, _ members: JSONObject) async throws -> String {
    var members = members
    members["ClientId"] = .string(client.id)
    let all = members
    return try await outcome {
      _ = try await self.call(call.operation, all)
      return nil
    }
  }

  private func outcome(_ body: () async throws -> String?) async throws -> String {
    do { return try await body() ?? "ok" } catch let error as UserPoolError { return error.codeText }
  }
}
