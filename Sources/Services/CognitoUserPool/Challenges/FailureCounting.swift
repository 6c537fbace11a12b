package import Records
internal import SecureRemotePassword
internal import TokenLifetime
package import TokenSecurityBase

/// The kind of secret or proof that is guessed.
package enum FailureKind: ExactString, Sendable, Hashable, CaseIterable {
  /// The password.
  case password
  /// The code of a second factor.
  case factor
  /// The proof of a device.
  case device
  /// The code of a software token that is set up, whose secret the caller was given.
  case setup
  /// The answer to a custom challenge.
  case custom
}

/// A failure that was counted before what is guessed is checked, so that guesses at the same time cannot all be
/// checked before the first one is counted.
struct CountedFailure: Sendable {
  fileprivate let kind: FailureKind
  fileprivate let key: [UInt8]
  fileprivate let poolID: String
  fileprivate let count: Int64
  fileprivate let last, lastBefore: Timestamp
}

/// Wrong passwords and codes of a user, or of an unknown name, in rows that all nodes share.
///
/// The caller's transaction must end without an error for a failure to be counted.
extension ReadTransaction<UserPoolError> {
  /// Refuses an attempt while the user is locked out. Such attempts are not counted.
  ///
  /// - Parameters:
  ///   - kind: what is guessed.
  ///   - key: the key of ``LimitSubject``.
  ///   - poolID: the pool.
  /// - Returns: true where earlier failures are noted, which a success forgets.
  /// - Throws: `passwordAttemptsExceeded`.
  @discardableResult
  package func checkFailures(
    _ kind: FailureKind, _ key: [UInt8], in poolID: String
  ) throws(UserPoolError) -> Bool {
    guard let row = try get(UserPoolTables.attempts, RecordKey(poolID, kind.name, key)) else {
      return false
    }
    do throws(SRPError) { try row.lockout.check(at: now) } catch { throw .passwordAttemptsExceeded }
    return true
  }

  /// Refuses a session with too many wrong codes.
  ///
  /// - Throws: `sessionInvalid`.
  func checkFailures(of session: SignInSession) throws(UserPoolError) {
    let key = RecordKey(session.poolID, SignInSession.failureKind, session.id)
    guard let row = try get(UserPoolTables.attempts, key) else { return }
    guard row.count < SignInSession.failureLimit else { throw .sessionInvalid }
  }
}

extension WriteTransaction<UserPoolError> {
  /// Counts a wrong password or code.
  ///
  /// - Returns: what ``takeBack(_:)`` undoes.
  @discardableResult
  func countFailure(
    _ kind: FailureKind, _ key: [UInt8], in poolID: String
  ) throws(UserPoolError) -> CountedFailure {
    var row = try get(UserPoolTables.attempts, RecordKey(poolID, kind.name, key)) ?? AttemptRow()
    var lockout = row.lockout
    let before = row.last
    lockout.fail(at: now.wholeSecond)
    row.poolID = poolID
    row.kind = kind.name
    row.key = key
    row.count = Int64(lockout.failures)
    row.first = row.count == 1 ? now.wholeSecond : row.first
    row.last = lockout.lastFailure
    row.end = lockout.lastFailure + CognitoLockout.quietTime + CognitoLockout.clockDifference
    try put(row, in: UserPoolTables.attempts)
    return CountedFailure(
      kind: kind, key: key, poolID: poolID, count: row.count, last: row.last, lastBefore: before)
  }

  /// Takes a failure back that was counted before the check, and was none. Others that were counted since stay.
  func takeBack(_ failure: CountedFailure) throws(UserPoolError) {
    let key = RecordKey(failure.poolID, failure.kind.name, failure.key)
    guard var row = try get(UserPoolTables.attempts, key) else { return }
    guard row.count > 1 else { return try forgetFailures(failure.kind, failure.key, in: failure.poolID) }
    if row.count == failure.count, row.last == failure.last { row.last = failure.lastBefore }
    row.count -= 1
    try put(row, in: UserPoolTables.attempts)
  }

  /// Counts a wrong code of a session.
  func countFailure(of session: SignInSession) throws(UserPoolError) {
    let kind = SignInSession.failureKind
    var row = try get(UserPoolTables.attempts, RecordKey(session.poolID, kind, session.id)) ?? AttemptRow()
    row.poolID = session.poolID
    row.kind = kind
    row.key = session.id
    row.first = row.count == 0 ? now.wholeSecond : row.first
    row.last = now.wholeSecond
    row.count = row.count.saturatingSum(1)
    row.end = session.end + .seconds(1)
    try put(row, in: UserPoolTables.attempts)
  }

  /// Forgets failures, after a success.
  package func forgetFailures(
    _ kind: FailureKind, _ key: [UInt8], in poolID: String
  ) throws(UserPoolError) {
    try delete(RecordKey(poolID, kind.name, key), from: UserPoolTables.attempts)
  }

  /// Forgets wrong codes of a session that was used up.
  func forgetFailures(of session: SignInSession) throws(UserPoolError) {
    let key = RecordKey(session.poolID, SignInSession.failureKind, session.id)
    try delete(key, from: UserPoolTables.attempts)
  }

  /// Ends the lockout of a user, for instance after a new password.
  package func clearLockout(of user: User, _ secrets: UserPoolSecrets) throws(UserPoolError) {
    let key = try LimitSubject.user(user.sub).key(in: user.poolID, secrets)
    for kind in FailureKind.allCases { try forgetFailures(kind, key, in: user.poolID) }
  }
}

extension AttemptRow {
  var lockout: CognitoLockout {
    CognitoLockout(failures: Int(clamping: count), lastFailure: last)
  }
}

extension SignInSession {
  static let failureKind = "session"
  /// Maximum number of wrong codes in a session.
  static let failureLimit: Int64 = 5
}
