internal import TokenSecurityBase

/// The parts of each trigger's event.
extension HookEventWriter.Parts {
  static func preSignUp(
    _ user: HookUser, validationData: [ExactString: String], byAdministrator: Bool
  ) -> Self {
    Self(
      byAdministrator ? "AdminCreateUser" : "SignUp",
      request: [
        "userAttributes": .texts(user.attributes), "validationData": .textsOrNull(validationData),
      ],
      response: ["autoConfirmUser": false, "autoVerifyEmail": false, "autoVerifyPhone": false])
  }

  static func postConfirmation(_ user: HookUser, _ source: ConfirmationSource) -> Self {
    Self(source.name, request: ["userAttributes": .texts(user.attributes)])
  }

  static func preAuthentication(
    _ user: HookUser, validationData: [ExactString: String], userNotFound: Bool
  ) -> Self {
    Self(
      "Authentication",
      request: [
        "userAttributes": .texts(user.attributes), "validationData": .textsOrNull(validationData),
        "userNotFound": .bool(userNotFound),
      ])
  }

  static func postAuthentication(_ user: HookUser, newDeviceUsed: Bool) -> Self {
    Self(
      "Authentication",
      request: ["userAttributes": .texts(user.attributes), "newDeviceUsed": .bool(newDeviceUsed)])
  }

  static func defineAuthChallenge(
    _ user: HookUser, session: [ChallengeRecord], userNotFound: Bool
  ) -> Self {
    Self(
      "Authentication",
      request: [
        "userAttributes": .texts(user.attributes), "session": .array(session.map(\.json)),
        "userNotFound": .bool(userNotFound),
      ],
      response: ["challengeName": nil, "issueTokens": nil, "failAuthentication": nil])
  }

  static func createAuthChallenge(
    _ user: HookUser, challengeName: String, session: [ChallengeRecord], userNotFound: Bool
  ) -> Self {
    Self(
      "Authentication",
      request: [
        "userAttributes": .texts(user.attributes), "challengeName": .string(challengeName),
        "session": .array(session.map(\.json)), "userNotFound": .bool(userNotFound),
      ],
      response: [
        "publicChallengeParameters": nil, "privateChallengeParameters": nil, "challengeMetadata": nil,
      ])
  }

  static func verifyAuthChallenge(
    _ user: HookUser, privateParameters: [ExactString: String], answer: String, userNotFound: Bool
  ) -> Self {
    Self(
      "Authentication",
      request: [
        "userAttributes": .texts(user.attributes),
        "privateChallengeParameters": .texts(privateParameters), "challengeAnswer": .string(answer),
        "userNotFound": .bool(userNotFound),
      ],
      response: ["answerCorrect": nil])
  }

  static func preTokenGeneration(
    _ user: HookUser, _ source: TokenGenerationSource, groups: TokenGroups, scopes: [String]
  ) -> Self {
    var parts = Self(
      source.name,
      request: [
        "userAttributes": .texts(user.attributes),
        "groupConfiguration": .object([
          "groupsToOverride": .array(groups.groups.map { .string($0) }),
          "iamRolesToOverride": .array(groups.roles.map { .string($0) }),
          "preferredRole": groups.preferredRole.map { .string($0) } ?? .null,
        ]),
      ],
      response: ["claimsOverrideDetails": nil])
    if user.pool.tokenHookVersion != "V1_0" {
      parts.version = user.pool.tokenHookVersion == "V3_0" ? "3" : "2"
      parts.request["scopes"] = .array(scopes.map { .string($0) })
      parts.response = ["claimsAndScopeOverrideDetails": nil]
    }
    return parts
  }

  static func userMigration(
    _ user: HookUser, isSignIn: Bool, validationData: [ExactString: String]
  ) -> Self {
    Self(
      isSignIn ? "Authentication" : "ForgotPassword",
      request: ["validationData": .textsOrNull(validationData), "userAttributes": nil],
      response: [
        "userAttributes": nil, "finalUserStatus": nil, "messageAction": nil, "desiredDeliveryMediums": nil,
        "forceAliasCreation": nil, "enableSMSMFA": nil,
      ])
  }

  static func customMessage(_ user: HookUser, _ kind: MessageKind) -> Self {
    Self(
      kind.name,
      request: [
        "userAttributes": .texts(user.attributes), "codeParameter": .string(MessagePlaceholder.code),
        "linkParameter": .string(MessagePlaceholder.link),
        "usernameParameter": kind == .adminCreateUser ? .string(MessagePlaceholder.userName) : .null,
      ],
      response: ["smsMessage": nil, "emailMessage": nil, "emailSubject": nil])
  }
}
