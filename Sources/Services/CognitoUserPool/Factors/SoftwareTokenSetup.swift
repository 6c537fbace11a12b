internal import Records
internal import ServiceOperations
internal import TokenLifetime
internal import TokenSecurityBase

/// Who sets a software token up: a user who is signed in, or one whose sign-in waits for it (`MFA_SETUP`).
enum TokenHolder: Sendable {
  case accessToken(String)
  case session(String)

  /// - Throws: `parameterRefused` unless there is exactly one.
  init(accessToken: String?, session: String?) throws(UserPoolError) {
    switch (accessToken, session) {
    case (let token?, nil): self = .accessToken(token)
    case (nil, let session?): self = .session(session)
    case (nil, nil): throw .parameterRefused("AccessToken", rule: "an access token or a session is required")
    default: throw .parameterRefused("AccessToken", rule: "only one of access token and session is accepted")
    }
  }
}

/// Software tokens are set up in two steps: the user gets a secret, and types a code of it.
extension SecondFactors {
  /// Makes the secret of a software token (`AssociateSoftwareToken`). A token that the user has stays on until
  /// the new one is verified.
  ///
  /// - Parameters:
  ///   - holder: the user.
  ///   - context: the call.
  /// - Returns: the secret in base32, and the session for the next step where the call had one.
  /// - Throws: `softwareTokenNotEnabled`, and the errors of access tokens and sessions.
  nonisolated(nonsending) func associateSoftwareToken(
    _ holder: TokenHolder, _ context: CallContext
  ) async throws(UserPoolError) -> (secret: SecretText, session: String?) {
    switch holder {
    case .accessToken(let token):
      let account = try await callers.account(.token(token), context)
      let secret = try await store.write(at: context.time) { [secrets] rows throws(UserPoolError) in
        try rows.associate(account.user(rows), in: account.pool, secrets)
      }
      return (secret, nil)
    case .session(let text):
      let (session, client) = try await setupSession(text, context)
      let next = try session.issued(for: session.challenge, client, at: context.time, secrets).text
      let secret = try await store.write(at: context.time) { [secrets] rows throws(UserPoolError) in
        let pool = try rows.existingPool(session.poolID)
        let user = try rows.user(settingUp: session, in: pool)
        context.subject.isUser(user)
        try rows.use(session)
        return try rows.associate(user, in: pool, secrets)
      }
      return (secret, next)
    }
  }

  /// Verifies a software token with a code (`VerifySoftwareToken`), which replaces the earlier one.
  ///
  /// - Parameters:
  ///   - code: the code.
  ///   - name: the token's name, for later sign-ins.
  ///   - holder: the user.
  ///   - context: the call.
  /// - Returns: the session for the next step where the call had one.
  /// - Throws: `softwareTokenVerificationFailed`, `softwareTokenCodeUsed`, `softwareTokenNotEnabled`,
  ///   `factorNotSetUp` without a secret, `passwordAttemptsExceeded`, and the errors of
  ///   access tokens and sessions.
  nonisolated(nonsending) func verifySoftwareToken(
    _ code: String, name: String?, _ holder: TokenHolder, _ context: CallContext
  ) async throws(UserPoolError) -> String? {
    switch holder {
    case .accessToken(let token):
      let account = try await callers.account(.token(token), context)
      try await countVerification(account, context)
      let refusal = try await store.write(at: context.time) { [secrets] rows throws(UserPoolError) in
        try rows.verify(code, of: account.user(rows), name: name, in: account.pool, secrets)
      }
      if let refusal { throw refusal }
      return nil
    case .session(let text):
      let (session, client) = try await setupSession(text, context)
      var done = session
      done.isFactorSetUp = true
      let next = try done.issued(for: session.challenge, client, at: context.time, secrets).text
      let refusal = try await store.write(at: context.time) { [secrets] rows throws(UserPoolError) in
        let pool = try rows.existingPool(session.poolID)
        let user = try rows.user(settingUp: session, in: pool)
        context.subject.isUser(user)
        try rows.checkFailures(of: session)
        try rows.checkFailures(.setup, session.attemptKey, in: pool.id)
        let refusal = try rows.verify(code, of: user, name: name, in: pool, secrets)
        // Every code is counted, so that a right one needs of the store what a wrong one needs. It proves nothing about
        // earlier failures, which stay.
        try rows.countFailure(of: session)
        let counted = try rows.countFailure(.setup, session.attemptKey, in: pool.id)
        if let refusal { return UserPoolError?.some(refusal) }
        try rows.use(session)
        try rows.forgetFailures(of: session)
        try rows.takeBack(counted)
        return nil
      }
      if let refusal { throw refusal }
      return next
    }
  }

  /// Opens the session of a sign-in that waits for a software token.
  private nonisolated(nonsending) func setupSession(
    _ text: String, _ context: CallContext
  ) async throws(UserPoolError) -> (session: SignInSession, client: UserPoolClient) {
    let session = try SignInSession(
      opening: text, client: nil, challenge: ChallengeNameType.mfaSetup.name, at: context.time, secrets)
    guard !session.isFactorSetUp else { throw .sessionInvalid }
    let client = try await store.read(at: context.time) { rows throws(UserPoolError) in
      try rows.existingClient(session.clientID).client
    }
    guard client.poolID == session.poolID else { throw .sessionInvalid }
    return (session, client)
  }

  /// Counts a verification in a transaction of its own, so that a wrong code counts.
  private nonisolated(nonsending) func countVerification(
    _ account: Account, _ context: CallContext
  ) async throws(UserPoolError) {
    try await store.write(at: context.time) { [secrets] rows throws(UserPoolError) in
      let key = try LimitSubject.user(account.sub).key(in: account.pool.id, secrets)
      try rows.countAttempt(.verifySoftwareToken, pool: account.pool.id, key: key)
    }
  }
}

extension ReadTransaction<UserPoolError> {
  /// The user of a session that waits for a software token. A user who has one meanwhile must prove it: another
  /// session of the same time cannot replace it.
  fileprivate func user(
    settingUp session: SignInSession, in pool: UserPool
  ) throws(UserPoolError) -> User {
    try checkUnused(session)
    guard let user = try user(of: session, in: pool), user.softwareToken == nil else { throw .sessionInvalid }
    guard user.isEnabled else { throw .userDisabled }
    return user
  }
}

extension WriteTransaction<UserPoolError> {
  /// Stores a new secret beside the user's verified one.
  fileprivate func associate(
    _ user: User, in pool: UserPool, _ secrets: UserPoolSecrets
  ) throws(UserPoolError) -> SecretText {
    guard pool.hasSoftwareTokenFactor else { throw .softwareTokenNotEnabled }
    let token = try SoftwareToken.make(for: user, secrets)
    var user = user
    user.pendingSoftwareToken = token.sealed
    try put(user)
    return token.base32
  }

  /// Replaces the verified secret with the new one.
  ///
  /// - Returns: why the code is refused; nil for a right one.
  fileprivate func verify(
    _ code: String, of user: User, name: String?, in pool: UserPool, _ secrets: UserPoolSecrets
  ) throws(UserPoolError) -> UserPoolError? {
    guard pool.hasSoftwareTokenFactor else { throw .softwareTokenNotEnabled }
    guard let pending = user.pendingSoftwareToken else {
      throw .factorNotSetUp("User has not set up software token mfa")
    }
    switch try use(code, of: SoftwareToken(sealed: pending, user: user), secrets, at: now) {
    case .wrong: return .softwareTokenVerificationFailed
    case .used: return .softwareTokenCodeUsed
    case .right:
      var user = user
      user.softwareToken = pending
      user.pendingSoftwareToken = nil
      user.softwareTokenName = name
      // Wrong codes of the earlier secret say nothing of this one.
      user.open(.softwareToken)
      user.modified = now.wholeSecond
      try put(user)
      return nil
    }
  }
}
