internal import Records
internal import TokenLifetime
internal import TokenSecurityBase

/// The actions that a user may do only a number of times an hour.
package enum LimitKind: ExactString, Sendable, Hashable, CaseIterable {
  /// `ConfirmSignUp`.
  case confirm
  /// `ResendConfirmationCode`.
  case resend
  /// `ForgotPassword`.
  case resetCode
  /// `AdminResetUserPassword`. Users do not see it in the limit of their own requests.
  case administratorReset
  /// `GetUserAttributeVerificationCode`.
  case attributeCode
  /// Codes that `UpdateUserAttributes` sends.
  case changedAddress
  /// `VerifyUserAttribute`.
  case verifyAttribute
  /// `ChangePassword`.
  case changePassword
  /// `VerifySoftwareToken`.
  case verifySoftwareToken
  /// Codes of sign-ins.
  case signInCode
  /// Sign-ins by custom challenges that did not lead to tokens.
  case customSignIn
  /// Messages to an address that is not verified.
  case message

  /// Maximum number of attempts within an hour.
  package var limit: Int64 {
    switch self {
    case .resend, .attributeCode, .changePassword: 5
    case .confirm, .verifyAttribute, .verifySoftwareToken: 15
    case .resetCode, .administratorReset, .changedAddress, .signInCode, .message: 20
    case .customSignIn: 100
    }
  }

  /// The refusal beyond the limit, of those that Amazon Cognito declares for the operations: clients know no others.
  package var refusal: UserPoolError {
    switch self {
    case .verifySoftwareToken, .signInCode, .customSignIn: .passwordAttemptsExceeded
    case .confirm, .resend, .resetCode, .administratorReset, .attributeCode, .verifyAttribute,
      .changePassword, .message:
      .attemptLimitExceeded
    case .changedAddress: .requestLimitExceeded
    }
  }

  /// The time in which attempts are counted, from the first one on.
  package static let window = Duration.seconds(3_600)
}

extension UserPoolError {
  /// Runs a part of an operation that declares no `LimitExceededException`, where messages are counted.
  ///
  /// - Throws: `requestLimitExceeded` instead of `attemptLimitExceeded`.
  static func declaringRequests(_ body: () throws(UserPoolError) -> Void) throws(UserPoolError) {
    do throws(UserPoolError) { try body() } catch .attemptLimitExceeded { throw .requestLimitExceeded }
  }
}

extension UserPoolError {
  /// The error of an operation that declares no `CodeDeliveryFailureException`, where too many messages wait.
  var declaringNoDelivery: UserPoolError {
    if case .deliveryFailed = self { .requestLimitExceeded } else { self }
  }
}

/// Whose attempts are counted.
package enum LimitSubject: Sendable, Hashable {
  /// A user, by `sub`.
  case user(String)
  /// A name that no user has: that of ``UserPoolSecrets/simulatedUserName(of:in:)``.
  case unknown(String)
  /// A name that UserMigration is asked for.
  case migration(String)

  /// The key of rows: a name that was typed by mistake may be a password.
  package func key(in pool: String, _ secrets: UserPoolSecrets) throws(UserPoolError) -> [UInt8] {
    switch self {
    case .user(let sub): try secrets.digest(pool, "user", sub, for: .attempt)
    case .unknown(let name): try secrets.digest(pool, "name", name, for: .attempt)
    // The other directory may ignore case where the pool does not: each spelling would have guesses of its own.
    case .migration(let name): try secrets.digest(pool, "migration", name.lowercasedASCII, for: .attempt)
    }
  }
}

extension FoundUser {
  /// The key of the user's limits, or of those of a name that no user has. Both are computed for all names: they are
  /// digests of texts of different lengths.
  ///
  /// - Parameters:
  ///   - name: that of ``UserPoolSecrets/simulatedUserName(of:in:)``.
  ///   - pool: the pool's id.
  ///   - secrets: the service's keys.
  /// - Returns: 32 bytes.
  /// - Throws: `cryptoFailed`.
  func limitKey(named name: String, in pool: String, _ secrets: UserPoolSecrets) throws(UserPoolError)
    -> [UInt8]
  {
    let own = try LimitSubject.user(row.sub).key(in: pool, secrets)
    let other = try LimitSubject.unknown(name).key(in: pool, secrets)
    return isUser ? own : other
  }
}

extension WriteTransaction<UserPoolError> {
  /// Counts an attempt. Count in a transaction of its own, so that an attempt that fails counts as well.
  ///
  /// - Parameters:
  ///   - kind: what is attempted.
  ///   - pool: the pool's id.
  ///   - key: the key of the user or of the unknown name.
  /// - Throws: ``LimitKind/refusal`` beyond the limit. Such attempts are not counted.
  package func countAttempt(_ kind: LimitKind, pool: String, key: [UInt8]) throws(UserPoolError) {
    var row = try get(UserPoolTables.attempts, RecordKey(pool, kind.name, key)) ?? AttemptRow()
    // A clock that was set back since does not make an hour much longer.
    if row.count == 0 || now - row.first >= LimitKind.window || row.first - now > .clockDifference {
      row.count = 0
      row.first = now.wholeSecond
    }
    guard row.count < kind.limit else { throw kind.refusal }
    row.poolID = pool
    row.kind = kind.name
    row.key = key
    row.count += 1
    row.last = now.wholeSecond
    row.end = row.first + LimitKind.window
    try put(row, in: UserPoolTables.attempts)
  }

  /// Forgets the attempts within the present hour, after a success.
  func forgetAttempts(_ kind: LimitKind, pool: String, key: [UInt8]) throws(UserPoolError) {
    try delete(RecordKey(pool, kind.name, key), from: UserPoolTables.attempts)
  }
}
