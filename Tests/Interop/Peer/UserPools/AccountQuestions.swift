internal import CognitoUserPoolClient
internal import TokenSecurityBase
internal import TokenSecurityCrypto

extension UserPoolClient {
  /// Answers the questions about accounts; nil for any other.
  func answer(_ question: Question) async throws -> JSONObject? {
    let name = question.text("username")
    let metadata = question.metadata
    switch question.text("op") {
    case "sign_up":
      let result =
        question.object["password"] == nil
        ? try await signUpWithoutPassword(
          username: name, attributes: question.attributes("attributes"),
          validationData: question.attributes("validation"), clientMetadata: metadata)
        : try await signUp(
          username: name, password: question.secret("password"),
          attributes: question.attributes("attributes"), validationData: question.attributes("validation"),
          clientMetadata: metadata)
      return [
        "confirmed": .bool(result.isConfirmed), "sub": .string(result.sub),
        "delivery": result.delivery?.json ?? .null, "session": .bool(result.session != nil),
      ]
    case "confirm_sign_up":
      let session = try await confirmSignUp(
        username: name, code: question.text("code"), forceAlias: question.flag("force"),
        clientMetadata: metadata)
      return ["session": .bool(session != nil)]
    case "resend":
      return ["delivery": try await resendConfirmationCode(username: name, clientMetadata: metadata).json]
    case "forgot":
      return ["delivery": try await forgotPassword(username: name, clientMetadata: metadata).json]
    case "confirm_forgot":
      try await confirmForgotPassword(
        username: name, code: question.text("code"), password: question.secret("password"),
        clientMetadata: metadata)
      return [:]
    default: return try await answerSignedIn(question, question.text("token"), metadata)
    }
  }

  private func answerSignedIn(
    _ question: Question, _ token: String, _ metadata: [ExactString: String]
  ) async throws -> JSONObject? {
    switch question.text("op") {
    case "change_password":
      if question.object["old"] == nil {
        try await setFirstPassword(question.secret("new"), accessToken: token)
      } else {
        try await changePassword(
          from: question.secret("old"), to: question.secret("new"), accessToken: token)
      }
    case "user":
      let user = try await user(accessToken: token)
      var attributes = JSONObject()
      for attribute in user.attributes { attributes[attribute.name] = .string(attribute.value) }
      return [
        "username": .string(user.username), "attributes": .object(attributes),
        "enabled": .array(user.mfa.enabled.map { .string($0.rawValue.text) }),
        "preferred": user.mfa.preferred.map { .string($0.rawValue.text) } ?? .null,
      ]
    case "update":
      let deliveries = try await updateAttributes(
        question.attributes("attributes"), accessToken: token, clientMetadata: metadata)
      return ["deliveries": .array(deliveries.map(\.json))]
    case "delete_attributes": try await deleteAttributes(question.texts("names"), accessToken: token)
    case "attribute_code":
      let delivery = try await attributeVerificationCode(
        for: question.text("attribute"), accessToken: token, clientMetadata: metadata)
      return ["delivery": delivery.json]
    case "verify_attribute":
      try await verifyAttribute(
        question.text("attribute"), code: question.text("code"), accessToken: token)
    case "global_sign_out": try await globalSignOut(accessToken: token)
    case "revoke": try await revoke(refreshToken: token)
    case "delete_user": try await deleteUser(accessToken: token)
    default: return try await answerFactors(question, token)
    }
    return [:]
  }

  private func answerFactors(_ question: Question, _ token: String) async throws -> JSONObject? {
    let key = question.text("device")
    switch question.text("op") {
    case "mfa":
      try await setMFAPreference(
        sms: question.setting("sms"), softwareToken: question.setting("software_token"),
        email: question.setting("email"), accessToken: token)
    case "user_settings":
      try await setUserSettings(smsCodes: question.flag("sms") ?? false, accessToken: token)
    case "auth_factors":
      let factors = try await authFactors(accessToken: token)
      return [
        "username": .string(factors.username),
        "first": .array(factors.firstFactors.map { .string($0.rawValue.text) }),
        "enabled": .array(factors.mfa.enabled.map { .string($0.rawValue.text) }),
      ]
    case "associate":
      let secret = try await associateSoftwareToken(accessToken: token)
      let uri = try secret.uri(issuer: "Example", account: "jane")
      return ["secret": secret.base32().json, "uri": uri.text().json]
    case "verify_token":
      try await verifySoftwareToken(
        code: question.text("code"), deviceName: question.object["name"]?.string, accessToken: token)
    case "devices":
      let page = try await devices(
        accessToken: token, limit: question.object["limit"]?.int64.map { Int($0) },
        after: question.object["after"]?.string)
      return [
        "devices": .array(page.devices.map { .string($0.key) }),
        "next": page.nextToken.map { .string($0) } ?? .null,
      ]
    case "device":
      let device = try await device(key, accessToken: token)
      return ["key": .string(device.key), "name": device.name.map { .string($0) } ?? .null]
    case "update_device":
      try await updateDevice(key, isRemembered: question.flag("remembered") ?? false, accessToken: token)
    case "forget_device": try await forgetDevice(key, accessToken: token)
    default: return nil
    }
    return [:]
  }
}

extension Question {
  fileprivate func setting(_ name: String) -> MFASetting? {
    switch text(name) {
    case "off": .off
    case "on": .on
    case "preferred": .preferred
    default: nil
    }
  }
}

extension CodeDelivery {
  var json: JSONValue {
    [
      "destination": .string(destination), "medium": medium.map { .string($0.rawValue.text) } ?? .null,
      "attribute": .string(attribute),
    ]
  }
}
