package import HTTPExchange
internal import SecureRemotePassword
internal import TokenSecurityBase
package import TokenSecurityCrypto

/// Computations with passwords, on the service's computation threads.
package struct PasswordChecks: Sendable {
  let secrets: UserPoolSecrets
  let threads: ComputationThreads

  /// The stored form of a new password, with a new salt. `USER_ID_FOR_SRP` is the user's canonical name.
  ///
  /// - Parameters:
  ///   - password: the password, which the policy allows.
  ///   - user: the user, whose `canonicalName` and `sub` are set.
  ///   - pool: the user's pool.
  ///   - client: the caller; nil for administrators.
  /// - Returns: the salt and the sealed verifier.
  /// - Throws: `tooMuchWork` if too much work waits, `cryptoFailed`.
  package nonisolated(nonsending) func verifier(
    of password: borrowing SecretBytes, for user: User, in pool: UserPool, from client: ClientAddress?
  ) async throws(UserPoolError) -> StoredPassword {
    let (secret, secrets, poolID) = (RetainedSecret(copying: password), secrets, pool.id)
    let (name, sub) = (user.canonicalName, user.sub)
    return try await threads.run(for: client) { () throws(UserPoolError) in
      try StoredPassword(secret.bytes, poolID: poolID, sub: sub, userIDForSRP: name, secrets)
    }
  }

  /// Returns whether a password is a user's present one. For a user who does not exist, or has no password,
  /// the same work is done, and no password is right.
  ///
  /// - Parameters:
  ///   - password: the password.
  ///   - user: the user; nil for a name that no user has.
  ///   - name: the canonical name, from which the salt of such a user is made.
  ///   - pool: the pool.
  ///   - client: the caller; nil for administrators.
  /// - Returns: true for the right password.
  /// - Throws: `tooMuchWork` if too much work waits, `cryptoFailed`.
  package nonisolated(nonsending) func isPassword(
    _ password: borrowing SecretBytes, of user: User?, named name: String, in pool: UserPool,
    from client: ClientAddress?
  ) async throws(UserPoolError) -> Bool {
    let (secret, secrets, poolID) = (RetainedSecret(copying: password), secrets, pool.id)
    let (sub, stored) = (user?.sub, user?.password)
    return try await threads.run(for: client) { () throws(UserPoolError) in
      // Made for existing users too, so that the time does not show which users exist.
      let users = try secrets.simulatedUsers(of: pool)
      let other = try UserPoolError.srp { () throws(SRPError) in
        try users.record(pool: UserPool.nameForSRP(poolID), username: name)
      }
      guard let sub, let stored else {
        _ = try StoredPassword.isPassword(
          secret.bytes, of: other.verifier, poolID: poolID, userIDForSRP: other.identity.name)
        return false
      }
      return try stored.isForm(of: secret.bytes, poolID: poolID, sub: sub, secrets)
    }
  }

  /// Returns whether the pool's history refuses a password: it is the present one or one of the last ones. Each
  /// costs one power.
  ///
  /// - Parameters:
  ///   - password: the new password.
  ///   - user: the user.
  ///   - pool: the user's pool.
  ///   - client: the caller; nil for administrators.
  /// - Returns: true if the history has it.
  /// - Throws: `tooMuchWork` if too much work waits, `cryptoFailed`.
  package nonisolated(nonsending) func isInHistory(
    _ password: borrowing SecretBytes, of user: User, in pool: UserPool, from client: ClientAddress?
  ) async throws(UserPoolError) -> Bool {
    let earlier = user.passwordHistory(pool.passwordPolicy)
    guard !earlier.isEmpty else { return false }
    let (secret, secrets, poolID, sub) = (RetainedSecret(copying: password), secrets, pool.id, user.sub)
    return try await threads.run(for: client) { () throws(UserPoolError) in
      var isFound = false
      for stored in earlier where !isFound {
        isFound = try stored.isForm(of: secret.bytes, poolID: poolID, sub: sub, secrets)
      }
      return isFound
    }
  }
}

extension User {
  /// The passwords that the policy's history refuses: the present one and those before it, as many as it says. Temporary
  /// passwords, which users do not choose, are left out.
  func passwordHistory(_ policy: PasswordPolicy) -> [StoredPassword] {
    let present = status == .forceChangePassword ? nil : password
    let all = (present.map { [$0] } ?? []) + earlierPasswords
    return Array(all.prefix(Int(clamping: max(0, policy.history))))
  }

  /// Replaces the password. The present one joins the earlier ones, as far as the policy's history needs them,
  /// unless it is temporary: change the status afterwards. Where the pool says so, the user's sign-ins end.
  ///
  /// - Parameters:
  ///   - new: the new password.
  ///   - pool: the pool.
  package mutating func replacePassword(by new: StoredPassword, in pool: UserPool) {
    let policy = pool.passwordPolicy
    if pool.endsSignInsWithPassword { endSignIns() }
    earlierPasswords = Array(passwordHistory(policy).prefix(Int(clamping: max(0, policy.history - 1))))
    password = new
  }

  /// Replaces the password by one that the user has chosen, which confirms the user.
  mutating func replacePassword(byOwn new: StoredPassword, in pool: UserPool) {
    replacePassword(by: new, in: pool)
    status = .confirmed
    temporaryUntil = nil
  }

  /// The digest that binds a sign-in's session to the password: 16 bytes that change with it; none without a password.
  package var passwordDigest: [UInt8] {
    guard let password else { return [] }
    let bytes = password.salt + password.sealed
    return Array(((try? DigestAlgorithm.sha256.hash(bytes.span)) ?? []).prefix(16))
  }
}
