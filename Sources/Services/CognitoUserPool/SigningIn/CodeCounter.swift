internal import Records
internal import TokenSecurityBase

/// The counter of the wrong codes of a sign-in.
enum CodeCounter: Sendable {
  /// The first factor, which strangers can guess: a bound for each day and address.
  case guesses(GuessedCode)
  /// A second factor, after the password: waits, and a bound that time does not lift.
  case factor(SecondFactor, SignInSession, UserPool)
}

/// The operator's information about a wrong code.
enum NotedCode: Sendable {
  /// The wrong codes of a second factor in a row.
  case failures(FactorFailures)
  /// Codes as the first factor, which this one closes.
  case closed(ClosedCodes)
}

extension CallSubject {
  func note(_ code: NotedCode) {
    switch code {
    case .failures(let failures): note(failures)
    case .closed(let codes): note(codes)
    }
  }
}

extension WriteTransaction<UserPoolError> {
  /// Refuses a code after too many wrong ones.
  ///
  /// - Throws: `passwordAttemptsExceeded`, `factorClosed`.
  func check(_ counter: CodeCounter, _ user: User?) throws(UserPoolError) {
    switch counter {
    case .guesses(let code): try checkGuesses(code)
    case .factor(let factor, let session, let pool):
      // Closed factors come first: no wait opens them again.
      if user?.isClosed(factor) == true { throw .factorClosed(factor.name) }
      try checkFailures(.factor, session.attemptKey, in: pool.id)
    }
  }

  /// Counts a wrong code.
  ///
  /// - Returns: what is noted if the code is wrong.
  func count(_ counter: CodeCounter) throws(UserPoolError) -> NotedCode? {
    switch counter {
    case .guesses(let code): return try countGuess(code).map { .closed($0) }
    case .factor(let factor, let session, let pool):
      // Before the wait is counted: a row of an earlier version has the beginning of the count.
      let failures = try countWrongCode(of: factor, session, in: pool)
      try countFailure(.factor, session.attemptKey, in: pool.id)
      return failures.map { .failures($0) }
    }
  }

  /// Forgets wrong codes, after a right one.
  func forget(_ counter: CodeCounter) throws(UserPoolError) {
    switch counter {
    case .guesses(let code): try forgetGuesses(code)
    case .factor(let factor, let session, let pool):
      try forgetWrongCodes(of: factor, session, in: pool)
      try forgetFailures(.factor, session.attemptKey, in: pool.id)
    }
  }
}
