internal import Records
internal import TokenLifetime
internal import TokenSecurityBase

// Sessions with which users who just signed up sign in by USER_AUTH.

extension SignUps {
  /// The challenge of the session that SignUp gives, which ConfirmSignUp takes.
  private static let afterSignUp = "SignUp"

  /// A session for a user who signed up; nil for a client without USER_AUTH.
  func signUpSession(
    for user: User, _ client: UserPoolClient, _ context: CallContext
  ) throws(UserPoolError) -> String? {
    guard client.allows(.allowUser) else { return nil }
    var session = SignInSession()
    session.poolID = user.poolID
    session.clientID = client.id
    session.sub = user.sub
    session.shownName = user.name
    session.attemptKey = try LimitSubject.user(user.sub).key(in: user.poolID, secrets)
    session.passwordDigest = user.passwordDigest
    return try session.issued(for: Self.afterSignUp, client, at: context.time, secrets).text
  }

  /// Opens the session of a ConfirmSignUp.
  ///
  /// - Returns: the session; nil for a call without one, and for one that has expired: the user signs in with
  ///   the password then.
  /// - Throws: `sessionInvalid`.
  func openedSignUpSession(
    _ text: String?, of user: User?, _ client: UserPoolClient, _ context: CallContext
  ) throws(UserPoolError) -> SignInSession? {
    guard let text else { return nil }
    do throws(UserPoolError) {
      let session = try SignInSession(
        opening: text, client: client, challenge: Self.afterSignUp, at: context.time, secrets)
      guard session.sub == user?.sub else { throw .sessionInvalid }
      return session
    } catch .sessionExpired {
      return nil
    }
  }

  /// The session of a confirmed user.
  func confirmedSession(
    _ session: SignInSession?, _ client: UserPoolClient, _ context: CallContext
  ) throws(UserPoolError) -> String? {
    guard let session, client.allows(.allowUser) else { return nil }
    return try session.issued(for: SignInSession.afterConfirmation, client, at: context.time, secrets).text
  }
}
