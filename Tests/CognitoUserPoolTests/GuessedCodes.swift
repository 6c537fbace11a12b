internal import CognitoUserPool
internal import SecureRemotePassword
internal import Testing
internal import TokenSecurityBase

/// Guesses of codes, of devices' passwords and of answers that functions check: each is counted or not answered.
extension Guess {
  private static let responds = ["RespondToAuthChallenge.ChallengeResponses"]

  static let ofCodes: [Guess] = [
    ofSoftwareToken("RespondToAuthChallenge"),
    ofSoftwareToken("AdminRespondToAuthChallenge"),
    secondFactor("SMS_MFA"), secondFactor("EMAIL_OTP"), firstFactor("SMS_OTP"), firstFactor("EMAIL_OTP"),
    Guess(
      name: "the password of a device", members: responds, step: "DEVICE_PASSWORD_VERIFIER", commits: (3, 1)
    ) { store in
      let pool = try await pool(store)
      try await pool.admin(
        "UpdateUserPool",
        [
          "DeviceConfiguration": [
            "ChallengeRequiredOnNewDevice": true, "DeviceOnlyRememberedOnUserPrompt": false,
          ]
        ])
      let tokens = try await pool.signIn()
      let device = try await pool.confirmDevice(tokens)
      // The same keys, another password.
      let forged = try TestDevice(tokens)
      let challenge = try await pool.signInBySRP(TestPool.user, TestPool.password, deviceKey: device.key)
      return { kind in _ = try await pool.answer(challenge, with: kind == .right ? device : forged).tokens }
    },
    Guess(
      name: "the answer to a custom challenge", members: responds, step: "CUSTOM_CHALLENGE", commits: (4, 1)
    ) { store in
      let pool = try await pool(
        store, hooks: [.defineAuthChallenge, .createAuthChallenge, .verifyAuthChallengeResponse])
      pool.hooks.on(.defineAuthChallenge) { event throws(HookError) in
        guard let last = event["request"]?.object?["session"]?.array?.last?.object else {
          return ["challengeName": "CUSTOM_CHALLENGE"]
        }
        return last["challengeResult"]?.bool == true ? ["issueTokens": true] : ["failAuthentication": true]
      }
      pool.hooks.on(.createAuthChallenge) { _ throws(HookError) in
        ["publicChallengeParameters": ["question": "6 * 7"], "privateChallengeParameters": ["answer": "42"]]
      }
      pool.hooks.on(.verifyAuthChallengeResponse) { event throws(HookError) in
        ["answerCorrect": .bool(event["request"]?.object?["challengeAnswer"]?.string == "42")]
      }
      let challenge = try await pool.initiate("CUSTOM_AUTH", ["USERNAME": TestPool.user])
      return { kind in
        _ = try await pool.respond(
          challenge, ["USERNAME": TestPool.user, "ANSWER": kind == .right ? "42" : "41"]
        ).tokens
      }
    },
    Guess(
      name: "the code of a sign-up", members: ["ConfirmSignUp.ConfirmationCode"], commits: (2, 2),
      hidesNames: true
    ) { store in
      let pool = try await pool(store, ["AutoVerifiedAttributes": ["email"]])
      try await pool.call(
        "SignUp",
        [
          "ClientId": .string(pool.client.id), "Username": "june", "Password": .string(TestPool.password),
          "UserAttributes": [["Name": "email", "Value": "june@example.com"]],
        ])
      let code = try await pool.code()
      return { kind in
        try await pool.call(
          "ConfirmSignUp",
          [
            "ClientId": .string(pool.client.id), "Username": kind == .unknownName ? "nobody" : "june",
            "ConfirmationCode": .string(kind == .wrong ? AccountsFixture.other(code) : code),
          ])
      }
    },
    Guess(
      name: "the code for a new password",
      members: ["ConfirmForgotPassword.ConfirmationCode", "ConfirmForgotPassword.Password"], commits: (2, 2),
      hidesNames: true
    ) { store in
      let pool = try await pool(
        store, attributes: ["email": "jane@example.com", "email_verified": "true"])
      try await pool.call(
        "ForgotPassword", ["ClientId": .string(pool.client.id), "Username": .string(TestPool.user)])
      let code = try await pool.code()
      return { kind in
        try await pool.call(
          "ConfirmForgotPassword",
          [
            "ClientId": .string(pool.client.id), "Username": .string(kind.name), "Password": "New-horse-8",
            "ConfirmationCode": .string(kind == .wrong ? AccountsFixture.other(code) : code),
          ])
      }
    },
    Guess(
      name: "the code of an address", members: ["VerifyUserAttribute.Code"], commits: (2, 2)
    ) { store in
      let pool = try await pool(store, attributes: ["email": "jane@example.com"])
      let tokens = try await pool.signIn()
      let members: JSONObject = ["AccessToken": .string(tokens.access), "AttributeName": "email"]
      try await pool.call("GetUserAttributeVerificationCode", members)
      let code = try await pool.code()
      return { kind in
        var members = members
        members["Code"] = .string(kind == .right ? code : AccountsFixture.other(code))
        try await pool.call("VerifyUserAttribute", members)
      }
    },
    Guess(
      name: "the first code of a software token", members: ["VerifySoftwareToken.UserCode"], commits: (2, 1)
    ) { store in
      let pool = try await pool(store)
      try await pool.admin("SetUserPoolMfaConfig", SoftwareTokenTests.factors("OPTIONAL"))
      let tokens = try await pool.signIn()
      let token = try await pool.associate(tokens)
      return { kind in
        let code = try kind == .right ? token.code(at: pool.clock.time) : wrongCode(token, pool)
        try await pool.verify(code, tokens)
      }
    },
    Guess(
      name: "the first code of a software token within a sign-in", members: ["VerifySoftwareToken.UserCode"],
      commits: (1, 1)
    ) { store in
      let pool = try await pool(store)
      try await pool.admin("SetUserPoolMfaConfig", SoftwareTokenTests.factors("ON"))
      let setup = try await pool.signInByPassword(TestPool.user, TestPool.password)
      let made = try await pool.call(
        "AssociateSoftwareToken", ["Session": .string(try #require(setup.session))])
      let (token, session) = (try TestSoftwareToken(made), try #require(made["Session"]))
      return { kind in
        let code = try kind == .right ? token.code(at: pool.clock.time) : wrongCode(token, pool)
        try await pool.call("VerifySoftwareToken", ["Session": session, "UserCode": .string(code)])
      }
    },
  ]

  private static func ofSoftwareToken(_ operation: String) -> Guess {
    let name = "SOFTWARE_TOKEN_MFA"
    return Guess(
      name: "a code of a software token, \(operation)", members: ["\(operation).ChallengeResponses"],
      step: name, commits: (2, 1)
    ) { store in
      let (pool, token) = try await poolWithToken(store)
      let challenge = try await pool.signInByPassword(TestPool.user, TestPool.password)
      return { kind in
        let code = try kind == .right ? token.code(at: pool.clock.time) : wrongCode(token, pool)
        var members: JSONObject = [
          "ClientId": .string(pool.client.id), "ChallengeName": .string(name),
          "ChallengeResponses": [
            "USERNAME": .string(TestPool.user), "SOFTWARE_TOKEN_MFA_CODE": .string(code),
          ],
        ]
        members["Session"] = challenge.session.map(JSONValue.string)
        if operation.hasPrefix("Admin") { members["UserPoolId"] = .string(pool.id) }
        _ = try SignInAnswer(members: await pool.call(operation, members)).tokens
      }
    }
  }

  private static func secondFactor(_ name: String) -> Guess {
    sent(name, "a second factor") { pool in
      try await pool.changePool {
        $0.mfa = .optional
        $0.hasSMSFactor = true
        $0.hasEmailFactor = true
      }
      try await pool.changeUser {
        $0.smsFactor = name == "SMS_MFA"
        $0.emailFactor = name == "EMAIL_OTP"
      }
      return try await pool.signInByPassword(TestPool.user, TestPool.password)
    }
  }

  private static func firstFactor(_ name: String) -> Guess {
    sent(name, "a first factor") { pool in
      try await pool.changePool { $0.firstFactors = [.password, .emailCode, .smsCode] }
      return try await pool.initiate(
        "USER_AUTH", ["USERNAME": TestPool.user, "PREFERRED_CHALLENGE": name])
    }
  }

  /// A code that is sent.
  private static func sent(
    _ name: String, _ use: String, _ begin: @escaping @Sendable (TestPool) async throws -> SignInAnswer
  ) -> Guess {
    Guess(name: "a code as \(use), \(name)", members: responds, step: name, commits: (2, 1)) { store in
      let pool = try await pool(store)
      try await pool.changeUser {
        $0.attributes = [
          "email": "jane@example.com", "email_verified": "true", "phone_number": "+12065550100",
          "phone_number_verified": "true",
        ]
      }
      let challenge = try await begin(pool)
      try #require(challenge.name == name)
      let code = try await pool.code()
      return { kind in
        _ = try await pool.respond(
          challenge,
          [
            "USERNAME": TestPool.user,
            "\(name)_CODE": kind == .right ? code : AccountsFixture.other(code),
          ]
        ).tokens
      }
    }
  }
}
