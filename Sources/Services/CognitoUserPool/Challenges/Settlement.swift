internal import Records
internal import TokenLifetime

/// The effects of an answer: single-use data that a right one uses up, and the count for a wrong one. The sign-in that
/// follows at once is stored in the same transaction.
package struct Settlement: Sendable {
  /// The kind of secret or proof that a wrong answer guesses.
  let kind: FailureKind
  let session: SignInSession
  /// The secret block of a proof, which wrong answers redeem too.
  let block: (id: [UInt8], end: Timestamp)?

  init(_ kind: FailureKind, _ session: SignInSession, _ block: SignInSession.OpenedBlock? = nil) {
    self.kind = kind
    self.session = session
    self.block = block.map { ($0.id, $0.end) }
  }
}

extension WriteTransaction<UserPoolError> {
  /// Uses up what a right answer uses up, and forgets earlier failures; counts a wrong answer.
  ///
  /// A right answer writes all that a wrong one does. Where the store cannot count a wrong answer, it stores no right one
  /// either, and both get its error: otherwise answers could be guessed without being counted.
  ///
  /// - Parameters:
  ///   - settlement: the answer.
  ///   - isRight: whether it is right.
  ///   - storesSignIn: true where the caller's transaction also stores the sign-in, which is more than the row of a failure.
  /// - Returns: why the answer is refused, which the caller throws once the transaction has ended: what was used up
  ///   and counted stays. Nil for a right answer.
  /// - Throws: `sessionUsed`, `sessionExpired`.
  func settle(
    _ settlement: Settlement, isRight: Bool, storesSignIn: Bool = false
  ) throws(UserPoolError) -> UserPoolError? {
    let (kind, session) = (settlement.kind, settlement.session)
    let (pool, key) = (session.poolID, session.attemptKey)
    if let block = settlement.block {
      guard now <= block.end else { throw .sessionExpired }
      guard try use(block.id, .block, in: pool, until: block.end) else { throw .sessionUsed }
    }
    let hasFailures: Bool
    do throws(UserPoolError) {
      // Again: since the first check other attempts may have failed.
      hasFailures = try checkFailures(kind, key, in: pool)
    } catch {
      guard case .passwordAttemptsExceeded = error else { throw error }
      return error
    }
    guard isRight else {
      if session.isIssued, settlement.block == nil { try checkUnused(session) }
      try countFailure(kind, key, in: pool)
      return .passwordWrong
    }
    if session.isIssued { try use(session) }
    // Counted, too, and forgotten again: the transaction needs of the store what that of a wrong answer needs.
    if !storesSignIn { try countFailure(kind, key, in: pool) }
    if hasFailures || !storesSignIn { try forgetFailures(kind, key, in: pool) }
    return nil
  }
}
