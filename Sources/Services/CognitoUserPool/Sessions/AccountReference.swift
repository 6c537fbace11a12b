internal import TokenLifetime
internal import TokenSecurityBase

/// How a call names a user: by the user's own access token, or by pool and name.
enum AccountReference: Sendable {
  case token(String)
  case named(String, poolID: String)
}

/// A user that a call names, for a transaction that reads the user anew.
struct Account: Sendable {
  let pool: UserPool
  let sub: String

  /// The user as the transaction sees it.
  ///
  /// - Throws: `userUnknown` where the user was deleted meanwhile.
  func user(_ rows: ReadTransaction<UserPoolError>) throws(UserPoolError) -> User {
    try rows.existingUser(sub: sub, in: pool)
  }
}

extension Callers {
  /// Returns the user that a call names.
  ///
  /// - Throws: `accessTokenInvalid`, `accessTokenExpired`, `accessTokenRevoked`, `accessTokenScope`,
  ///   `poolUnknown`, `userUnknown`, `storeFailed`.
  nonisolated(nonsending) func account(
    _ reference: AccountReference, _ context: CallContext
  ) async throws(UserPoolError) -> Account {
    switch reference {
    case .token(let token):
      let caller = try await tokenCaller(token, context: context)
      return Account(pool: caller.pool, sub: caller.user.sub)
    case .named(let name, let poolID):
      return try await store.read(at: context.time, .fresh) { rows throws(UserPoolError) in
        let (pool, user) = try rows.existingUser(named: name, inPool: poolID, naming: context.subject)
        return Account(pool: pool, sub: user.sub)
      }
    }
  }
}
