package import Records
internal import TokenSecurityBase

/// The store's notes about sessions.
extension ReadTransaction<UserPoolError> {
  /// Refuses a session that was used up, on any node, or has ended while its call waited.
  ///
  /// - Throws: `sessionUsed`, `sessionExpired`.
  package func checkUnused(_ session: SignInSession) throws(UserPoolError) {
    guard now <= session.end else { throw .sessionExpired }
    if try isUsed(session.id, .session, in: session.poolID) { throw .sessionUsed }
  }

  /// The user of a session; nil for a user who does not exist, for whom the same work is done.
  ///
  /// - Throws: `sessionInvalid` where the user was deleted or has another password since.
  package func user(of session: SignInSession, in pool: UserPool) throws(UserPoolError) -> User? {
    // Canonical in sessions of sign-ins.
    let found = try nearestUser(session.shownName, in: pool)
    guard !session.isSimulated else { return nil }
    guard let user = found, user.sub == session.sub, user.passwordDigest == session.passwordDigest else {
      throw .sessionInvalid
    }
    return user
  }
}

extension WriteTransaction<UserPoolError> {
  /// Uses a session up: a right answer does, a wrong one does not.
  ///
  /// - Throws: `sessionUsed`; `sessionExpired` for one that has ended while its call waited: what notes its use would have
  /// ended, too.
  package func use(_ session: SignInSession) throws(UserPoolError) {
    guard now <= session.end else { throw .sessionExpired }
    guard try use(session.id, .session, in: session.poolID, until: session.end) else {
      throw .sessionUsed
    }
  }
}

extension SignInSession {
  /// The challenge of the session that ConfirmSignUp gives, with which USER_AUTH signs in at once.
  package static let afterConfirmation = "ConfirmSignUp"
}
