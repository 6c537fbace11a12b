internal import Records
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// Result of the check of a code.
package enum CodeCheck: Sendable {
  /// The code is right. It was not used up.
  case right(StoredCode)
  /// The code is wrong, and that was counted. The transaction must end without an error, so that the count is
  /// stored; its caller throws this error afterwards.
  case refused(UserPoolError)
}

// Codes that are sent to users. Rows have only their keyed digests.

extension WriteTransaction<UserPoolError> {
  /// Makes a code, which replaces the earlier one of its purpose.
  ///
  /// - Parameters:
  ///   - purpose: what the code is for.
  ///   - user: the user.
  ///   - destination: where it is sent. The code verifies this address alone.
  ///   - digits: the number of digits. Default: 6.
  ///   - lifetime: how long it is valid.
  ///   - secrets: the service's keys.
  /// - Returns: the code.
  /// - Throws: `storeFailed`, `cryptoFailed`.
  package func issueCode(
    _ purpose: CodePurpose, for user: User, destination: Destination, digits: Int = 6,
    lifetime: Duration, secrets: UserPoolSecrets
  ) throws(UserPoolError) -> String {
    let code = try VerificationCode.random(digits: digits)
    var row = StoredCode()
    row.poolID = user.poolID
    row.sub = user.sub
    row.purpose = purpose.name
    row.attribute = destination.attribute.name
    row.value = destination.address
    // Rows have whole seconds.
    row.end = (now + lifetime).wholeSecond
    row.digest = try VerificationCode.digest(code, row, secrets)
    // The message with the earlier code, until the new one replaces it.
    row.message = try get(UserPoolTables.codes, RecordKey(row.poolID, row.sub, row.purpose))?.message
    try put(row, in: UserPoolTables.codes)
    return code
  }

  /// Checks a code, and counts a wrong one.
  ///
  /// - Parameters:
  ///   - code: the code as it was entered.
  ///   - purpose: what it is for.
  ///   - user: the user.
  ///   - secrets: the service's keys.
  /// - Returns: whether it is right: `codeExpired` without one, `codeMismatch` for a wrong one, and
  ///   `tooManyFailedAttempts` for every one after ``VerificationCode/failureLimit`` wrong ones.
  /// - Throws: `storeFailed`, `cryptoFailed`.
  package func checkCode(
    _ code: String, _ purpose: CodePurpose, of user: User, secrets: UserPoolSecrets
  ) throws(UserPoolError) -> CodeCheck {
    let key = RecordKey(user.poolID, user.sub, purpose.name)
    guard let row = try get(UserPoolTables.codes, key) else { return .refused(.codeExpired) }
    guard row.failures < VerificationCode.failureLimit else { return .refused(.tooManyFailedAttempts) }
    let digest = try VerificationCode.digest(code, row, secrets)
    guard ConstantTime.areEqual(digest.span, row.digest.span) else {
      try countFailure(of: row)
      return .refused(.codeMismatch)
    }
    return .right(row)
  }

  /// Checks a code for a caller who must not learn whether the user exists or waits for a code. Each refusal is the same, and
  /// takes the same work: where there is no code, one is compared and counted that nothing matches.
  ///
  /// - Parameters:
  ///   - code: the code as it was entered.
  ///   - purpose: what it is for.
  ///   - user: the user, or one of ``UserPoolSecrets/simulatedUser(named:in:)``.
  ///   - secrets: the service's keys.
  /// - Returns: whether it is right; `codeMismatch` for one that is wrong, has ended or was never sent, and for every one
  ///   after ``VerificationCode/failureLimit`` wrong ones.
  /// - Throws: `storeFailed`, `cryptoFailed`.
  func checkHiddenCode(
    _ code: String, _ purpose: CodePurpose, of user: User, secrets: UserPoolSecrets
  ) throws(UserPoolError) -> CodeCheck {
    let stored = try get(UserPoolTables.codes, RecordKey(user.poolID, user.sub, purpose.name))
    let row: StoredCode
    if let stored { row = stored } else { row = try absentCode(purpose, of: user) }
    let isOpen = stored != nil && row.failures < VerificationCode.failureLimit
    let (digest, expected) = (try VerificationCode.digest(code, row, secrets), row.digest)
    let isRight = ConstantTime.areEqual(digest.span, expected.span)
    if isRight, isOpen { return .right(row) }
    try countFailure(of: row)
    return .refused(.codeMismatch)
  }

  /// Counts a wrong answer for a code.
  func countFailure(of code: StoredCode) throws(UserPoolError) {
    var row = code
    row.failures = row.failures.saturatingSum(1)
    try put(row, in: UserPoolTables.codes)
  }

  /// A code instead of one that there is not. Its purpose is none that is looked up: it replaces no code that a wrong
  /// clock takes for ended.
  private func absentCode(_ purpose: CodePurpose, of user: User) throws(UserPoolError) -> StoredCode {
    var row = try StoredCode.unmatched(purpose, of: user, until: (now + LimitKind.window).wholeSecond)
    row.purpose += StoredCode.absent
    return row
  }

  /// Uses a code up, or withdraws it, with its message if that waits: it would bring a code that is not valid any more.
  ///
  /// - Parameters:
  ///   - purpose: what it is for.
  ///   - user: the user.
  /// - Throws: `storeFailed`.
  package func removeCode(_ purpose: CodePurpose, of user: User) throws(UserPoolError) {
    let key = RecordKey(user.poolID, user.sub, purpose.name)
    if let message = try get(UserPoolTables.codes, key)?.message {
      try delete(RecordKey(user.poolID, message), from: UserPoolTables.outbox)
    }
    try delete(key, from: UserPoolTables.codes)
  }
}

extension StoredCode {
  /// True where the user still has the address that the code was sent to.
  package func isAddress(of user: User) -> Bool {
    user.attribute(attribute) == value
  }
}

/// Codes of decimal digits.
package enum VerificationCode {
  /// Maximum number of wrong codes before a new one must be requested.
  package static let failureLimit: Int64 = 20

  /// A random code in which all numbers are equally likely.
  static func random(digits: Int) throws(UserPoolError) -> String {
    try RandomText.text(digits, of: RandomText.digits)
  }

  /// The keyed digest of a code for a pool, a user, a purpose and an address.
  static func digest(
    _ code: String, _ row: StoredCode, _ secrets: UserPoolSecrets
  ) throws(UserPoolError) -> [UInt8] {
    try secrets.digest(row.poolID, row.sub, row.purpose, row.attribute, row.value, code, for: .code)
  }
}
