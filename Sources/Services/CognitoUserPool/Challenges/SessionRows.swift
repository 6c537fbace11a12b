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
    try found(of: session, in: pool).taken()
  }

  /// Returns the user as ``user(of:in:)``, or the neighbour's row for one who does not exist.
  func found(of session: SignInSession, in pool: UserPool) throws(UserPoolError) -> FoundUser {
    // Canonical in sessions of sign-ins.
    let found = try nearestFound(session.shownName, in: pool)
    // Somebody may have taken the name since.
    guard !session.isSimulated else { return FoundUser(isUser: false, row: found.row) }
    guard found.isUser, found.row.sub == session.sub,
      found.row.passwordDigest == session.passwordDigest
    else {
      throw .sessionInvalid
    }
    return found
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
