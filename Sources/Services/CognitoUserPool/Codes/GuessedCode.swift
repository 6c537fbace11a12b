package import HTTPExchange
internal import Records
internal import TokenSecurityBase

/// Codes that replace a password. Strangers can enter them, without anything else.
package enum CodeWay: ExactString, Sendable, Hashable, CaseIterable {
  /// The first factor `SMS_OTP`.
  case sms = "guessSMS"
  /// The first factor `EMAIL_OTP`.
  case email = "guessEmail"
  /// `ConfirmForgotPassword`.
  case reset = "guessReset"

  /// True where a wait begins with the fifth wrong code. Codes for a new password have none: the user types a password
  /// with each.
  var hasWaits: Bool { self != .reset }

  /// The challenge or the operation that takes the code.
  var step: ClosedCodes.Step {
    switch self {
    case .sms: .smsOTP
    case .email: .emailOTP
    case .reset: .confirmForgotPassword
    }
  }

  /// The refusal of a day with too many wrong codes, of those that Amazon Cognito declares for the operation.
  var refusal: UserPoolError { self == .reset ? .attemptLimitExceeded : .passwordAttemptsExceeded }
}

/// Whose code is entered, and from where.
package struct GuessedCode: Sendable {
  let way: CodeWay
  let poolID: String
  /// The row's key after pool and way.
  let key: [UInt8]
  /// Which name the row is of, where several have it; nil for a user's own.
  let owner: [UInt8]?
  let source: [UInt8]

  /// The bits of the rows of unknown names: at most 262,144 rows for each way and pool.
  package static let slotBits = 18
  private static let sourceSize = 8

  /// Makes the names of a code's rows.
  ///
  /// - Parameters:
  ///   - way: what the code is for.
  ///   - attemptKey: the key of ``LimitSubject``.
  ///   - isUnknown: true where no user has the name. Strangers invent names, so that these share rows.
  ///   - poolID: the pool.
  ///   - client: where the code comes from.
  ///   - secrets: the service's keys.
  /// - Throws: `cryptoFailed`.
  package init(
    _ way: CodeWay, _ attemptKey: [UInt8], isUnknown: Bool, in poolID: String, from client: ClientAddress,
    _ secrets: UserPoolSecrets
  ) throws(UserPoolError) {
    self.way = way
    self.poolID = poolID
    let slot = UInt32(bigEndianBytes: attemptKey.prefix(4)) >> (32 - UInt32(Self.slotBits))
    // Four bytes: no digest of a user is as short.
    var slotKey: [UInt8] = []
    slotKey.append(bigEndian: slot)
    key = isUnknown ? slotKey : attemptKey
    owner = isUnknown ? attemptKey : nil
    let parts = [Array(poolID.utf8), Array("place".utf8), client.bytes]
    source = Array(try secrets.digest(parts, for: .attempt).prefix(Self.sourceSize))
  }

  var recordKey: RecordKey { RecordKey(poolID, way.name, key) }
}
