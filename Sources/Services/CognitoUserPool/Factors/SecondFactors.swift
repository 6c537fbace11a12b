internal import Records
internal import TokenSecurityBase

/// A user's factors, as `GetUserAuthFactors` returns them.
struct UserFactors: Sendable {
  let user: User
  let firstFactors: [FirstFactor]
}

/// The factors of users: their preferences, and software tokens.
package struct SecondFactors: Sendable {
  let store: any RecordStore
  let secrets: UserPoolSecrets
  let callers: Callers

  /// Enables second factors and chooses the preferred one (`SetUserMFAPreference`,
  /// `AdminSetUserMFAPreference`). A factor that is enabled, again or for the first time, has no wrong codes and no
  /// wait any more.
  ///
  /// - Parameters:
  ///   - preferences: the changes; factors that are not named stay as they are.
  ///   - reference: the user.
  ///   - context: the call.
  /// - Throws: `parameterRefused`, `factorNotSetUp`, and the errors of finding the user.
  nonisolated(nonsending) func setFactors(
    _ preferences: [FactorPreference], of reference: AccountReference, _ context: CallContext
  ) async throws(UserPoolError) {
    let (account, secrets) = (try await callers.account(reference, context), secrets)
    let opens = preferences.contains { $0.isEnabled == true }
    try await store.write(at: context.time) { rows throws(UserPoolError) in
      try rows.changeUser(sub: account.sub, in: account.pool) { user throws(UserPoolError) in
        try user.apply(preferences, in: account.pool)
      }
      guard opens else { return }
      let key = try LimitSubject.user(account.sub).key(in: account.pool.id, secrets)
      try rows.forgetFailures(.factor, key, in: account.pool.id)
    }
  }

  /// Switches codes by SMS on or off (`SetUserSettings`, `AdminSetUserSettings`).
  ///
  /// - Parameters:
  ///   - usesSMS: whether they are a second factor.
  ///   - reference: the user.
  ///   - context: the call.
  /// - Throws: `factorNotSetUp`, and the errors of finding the user.
  nonisolated(nonsending) func setSMSFactor(
    _ usesSMS: Bool, of reference: AccountReference, _ context: CallContext
  ) async throws(UserPoolError) {
    try await setFactors(
      [FactorPreference(.sms, isEnabled: usesSMS, isPreferred: nil)], of: reference, context)
  }

  /// Removes a user's software token (`AdminDeleteSoftwareToken`).
  ///
  /// - Parameters:
  ///   - reference: the user.
  ///   - context: the call.
  /// - Throws: the errors of finding the user.
  nonisolated(nonsending) func removeSoftwareToken(
    of reference: AccountReference, _ context: CallContext
  ) async throws(UserPoolError) {
    let account = try await callers.account(reference, context)
    try await store.write(at: context.time) { rows throws(UserPoolError) in
      try rows.changeUser(sub: account.sub, in: account.pool) { user throws(UserPoolError) in
        user.removeSoftwareToken()
      }
    }
  }

  /// Returns a user's factors (`GetUserAuthFactors`, `AdminGetUserAuthFactors`).
  ///
  /// - Parameters:
  ///   - reference: the user.
  ///   - context: the call.
  /// - Returns: the factors.
  /// - Throws: the errors of finding the user.
  nonisolated(nonsending) func factors(
    of reference: AccountReference, _ context: CallContext
  ) async throws(UserPoolError) -> UserFactors {
    let account = try await callers.account(reference, context)
    return try await store.read(at: context.time) { rows throws(UserPoolError) in
      let user = try account.user(rows)
      return UserFactors(user: user, firstFactors: user.firstFactors(in: account.pool))
    }
  }
}
