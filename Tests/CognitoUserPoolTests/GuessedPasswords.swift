internal import CognitoUserPool
internal import SecureRemotePassword
internal import TokenSecurityBase

/// Guesses of passwords, of which each is counted or not answered.
extension Guess {
  private static let begins = ["InitiateAuth.AuthParameters"]
  private static let responds = ["RespondToAuthChallenge.ChallengeResponses"]

  static let ofPasswords: [Guess] = [
    Guess(
      name: "a password", members: begins, step: "USER_PASSWORD_AUTH", commits: (1, 1), hidesNames: true
    ) { store in
      let pool = try await pool(store)
      return { kind in _ = try await pool.signInByPassword(kind.name, kind.password).tokens }
    },
    Guess(
      name: "a password before a second factor", members: begins, step: "USER_PASSWORD_AUTH", commits: (1, 1),
      hidesNames: true
    ) { store in
      let (pool, _) = try await poolWithToken(store)
      return { kind in _ = try await pool.signInByPassword(kind.name, kind.password) }
    },
    Guess(
      name: "a temporary password", members: begins, step: "USER_PASSWORD_AUTH", commits: (1, 1),
      hidesNames: true
    ) { store in
      let pool = try await pool(store)
      try await pool.setTemporaryPassword(TestPool.password)
      return { kind in _ = try await pool.signInByPassword(kind.name, kind.password) }
    },
    Guess(
      name: "a password of a disabled user", members: begins, step: "USER_PASSWORD_AUTH", commits: (1, 1),
      accepted: nil
    ) { store in
      let pool = try await pool(store)
      try await pool.changeUser { $0.isEnabled = false }
      return { kind in _ = try await pool.signInByPassword(kind.name, kind.password) }
    },
    Guess(
      name: "a password in USER_AUTH", members: begins, step: "USER_AUTH", commits: (1, 1), hidesNames: true
    ) { store in
      let (pool, _) = try await poolWithToken(store)
      return { kind in
        _ = try await pool.initiate(
          "USER_AUTH",
          ["USERNAME": kind.name, "PREFERRED_CHALLENGE": "PASSWORD", "PASSWORD": kind.password])
      }
    },
    byAdministrator("ADMIN_USER_PASSWORD_AUTH"),
    byAdministrator("ADMIN_NO_SRP_AUTH"),
    Guess(
      name: "a password with the selection of the factor", members: responds, step: "SELECT_CHALLENGE",
      commits: (1, 1), hidesNames: true
    ) { store in
      let (pool, _) = try await poolWithToken(store)
      return { kind in
        let challenge = try await pool.initiate("USER_AUTH", ["USERNAME": kind.name])
        _ = try await pool.respond(
          challenge, ["USERNAME": kind.name, "ANSWER": "PASSWORD", "PASSWORD": kind.password])
      }
    },
    Guess(
      name: "a password after the selection of the factor", members: responds, step: "PASSWORD",
      commits: (1, 1), hidesNames: true
    ) { store in
      let (pool, _) = try await poolWithToken(store)
      return { kind in
        let challenge = try await pool.initiate(
          "USER_AUTH", ["USERNAME": kind.name, "PREFERRED_CHALLENGE": "PASSWORD"])
        _ = try await pool.respond(challenge, ["USERNAME": kind.name, "PASSWORD": kind.password])
      }
    },
    Guess(
      name: "a proof by SRP", members: responds, step: "PASSWORD_VERIFIER", commits: (1, 1), hidesNames: true
    ) { store in
      let pool = try await pool(store)
      return { kind in _ = try await pool.signInBySRP(kind.name, kind.password).tokens }
    },
    Guess(
      name: "a proof by SRP before a second factor", members: responds, step: "PASSWORD_VERIFIER",
      commits: (1, 1), hidesNames: true
    ) { store in
      let (pool, _) = try await poolWithToken(store)
      return { kind in _ = try await pool.signInBySRP(kind.name, kind.password) }
    },
    Guess(
      name: "an earlier password as the new one", members: responds, step: "NEW_PASSWORD_REQUIRED",
      commits: (1, 2), accepted: .wrong
    ) { store in
      let pool = try await pool(store)
      try await pool.changePool { $0.passwordPolicy.history = 3 }
      try await pool.setTemporaryPassword("Temporary-horse-7")
      let challenge = try await pool.signInByPassword(TestPool.user, "Temporary-horse-7")
      return { kind in _ = try await pool.respond(challenge, ["NEW_PASSWORD": kind.password]) }
    },
    Guess(
      name: "the present password",
      members: ["ChangePassword.PreviousPassword", "ChangePassword.ProposedPassword"], commits: (2, 1)
    ) { store in
      let pool = try await pool(store)
      let tokens = try await pool.signIn()
      return { kind in
        try await pool.call(
          "ChangePassword",
          [
            "AccessToken": .string(tokens.access), "PreviousPassword": .string(kind.password),
            "ProposedPassword": "New-horse-8",
          ])
      }
    },
    Guess(
      name: "a password in another directory", members: begins, step: "USER_PASSWORD_AUTH", commits: (4, 1)
    ) { store in
      let pool = try await pool(store, hooks: [.userMigration])
      pool.hooks.on(.userMigration) { event throws(HookError) in
        guard event["request"]?.object?["password"]?.string == TestPool.password else {
          throw .refused("Bad password")
        }
        return ["userAttributes": ["email": "old@example.com"], "finalUserStatus": "CONFIRMED"]
      }
      return { kind in _ = try await pool.signInByPassword("old", kind.password).tokens }
    },
  ]

  private static func byAdministrator(_ flow: String) -> Guess {
    Guess(
      name: "a password by \(flow)", members: ["AdminInitiateAuth.AuthParameters"], step: flow,
      commits: (1, 1), hidesNames: true
    ) { store in
      let (pool, _) = try await poolWithToken(store)
      return { kind in
        try await pool.admin(
          "AdminInitiateAuth",
          [
            "ClientId": .string(pool.client.id), "AuthFlow": .string(flow),
            "AuthParameters": ["USERNAME": .string(kind.name), "PASSWORD": .string(kind.password)],
          ])
      }
    }
  }
}

extension TestPool {
  /// Gives the user a temporary password.
  func setTemporaryPassword(_ password: String) async throws {
    try await admin(
      "AdminSetUserPassword",
      ["Username": .string(TestPool.user), "Password": .string(password), "Permanent": false])
  }
}
