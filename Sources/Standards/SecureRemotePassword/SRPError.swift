public import TokenSecurityBase

/// Why a sign-in, a number, a verifier or a challenge was refused: one case for each rule.
///
/// The details are for the service's log. Send callers only ``response``, which is the same for a wrong
/// password and an unknown user.
@nonexhaustive public enum SRPError: CodedError, Equatable {
  /// The owner of a public number.
  public enum Side: String, Sendable, Hashable {
    /// A, the client's.
    case client = "A"
    /// B, the server's.
    case server = "B"
  }

  /// A part of a message.
  public enum Part: String, Sendable, Hashable {
    case salt
    case verifier
    case clientPublicKey = "A"
    case serverPublicKey = "B"
    case identity
    case password
    case prime
    case generator
    case secretBlock = "secret block"
  }

  /// A or B is a multiple of N (RFC 5054 sections 2.5.3 and 2.5.4): A = 0 would allow a sign-in without the
  /// password.
  case publicKeyZero(Side)
  /// A or B is 1 or N - 1, which have only known powers.
  case publicKeyTrivial(Side)
  /// A or B has more bytes than N.
  case publicKeyTooLong(Side, size: Int, limit: Int)
  /// A or B is larger than N.
  case publicKeyOutOfRange(Side)
  /// u, the hash of A and B, is zero.
  case scramblingParameterZero
  /// A verifier is not in 2...N - 2.
  case verifierOutOfRange
  /// A part is empty.
  case empty(Part)
  /// A part has too many bytes.
  case tooLong(Part, size: Int, limit: Int)
  /// A number has a character that is not a hexadecimal digit, at a byte offset.
  case hexadecimal(Part, at: Int)
  /// A part is not base64 with padding (RFC 4648 section 4).
  case base64(Part)
  /// A two's complement number is negative.
  case numberNegative(Part)
  /// The other side's proof is wrong: another password, or a man in the middle.
  case proofMismatch
  /// A custom prime has too few or too many bits.
  case groupSize(bits: Int, limits: ClosedRange<Int>)
  /// A modulus is not prime.
  case groupNotPrime
  /// A prime N is not safe: (N - 1) / 2 is not prime.
  case groupNotSafe
  /// A generator is not in 2...N - 2.
  case generatorUnsuitable
  /// The key for simulated verifiers has too few bytes.
  case keyTooShort(size: Int, least: Int)
  /// The system's random number generator failed.
  case randomUnavailable
  /// A function of libcrypto failed, usually for lack of memory; with the function's name.
  case libraryFailure(String)

  /// The id of a user pool is not of the form `REGION_NAME`.
  case userPoolIDMalformed(String)
  /// A device key is not of Cognito's form (`[\w-]+_[0-9a-f-]+`, at most 55 characters).
  case deviceKeyMalformed(String)
  /// An app client id has invalid characters, or too many.
  case clientIDMalformed(String)
  /// A challenge has another name than expected.
  case challengeUnexpected(actual: String, expected: String)
  /// A challenge lacks a parameter.
  case parameterMissing(String)
  /// A challenge is not JSON of Cognito's form; for an error response, with the error.
  case messageMalformed(String)
  /// A challenge has too many bytes.
  case messageTooLarge(size: Int, limit: Int)
  /// A challenge has too many parameters.
  case parametersTooMany(count: Int, limit: Int)
  /// The app client has a secret, and the request has no SECRET_HASH.
  case secretHashMissing
  /// The request has a SECRET_HASH, and the app client has no secret.
  case secretHashUnexpected
  /// SECRET_HASH does not match the user's name and the app client.
  case secretHashMismatch
  /// The signature was not computed with this user's password.
  case passwordMismatch
  /// A timestamp is not of the form `Sat Sep 5 09:03:07 UTC 2026`.
  case timestampMalformed(String)
  /// A timestamp is too far in the past.
  case timestampStale(age: Duration, limit: Duration)
  /// A timestamp is too far in the future.
  case timestampAhead(by: Duration, limit: Duration)
  /// A secret block was not issued by this server, or was modified.
  case secretBlockInvalid
  /// A secret block was issued for another user, device, pool or app client.
  case secretBlockForeign
  /// Too many wrong passwords.
  case lockedOut(remaining: Duration)
}

extension SRPError {
  /// The error for the caller, in Cognito's words.
  public enum Response: String, Sendable, Hashable {
    /// `NotAuthorizedException`: the sign-in failed.
    case notAuthorized = "Incorrect username or password."
    /// `NotAuthorizedException`: too many wrong passwords.
    case attemptsExceeded = "Password attempts exceeded"
    /// `InvalidParameterException`: the request is malformed.
    case invalidParameter = "Invalid parameter."
    /// `InvalidParameterException`: the timestamp is in another form, such as that of another language.
    case timestampMalformed = "TIMESTAMP format should be EEE MMM d HH:mm:ss z yyyy in english."
    /// `InternalErrorException`: the service failed.
    case internalError = "Internal error."

    /// The exception's name.
    public var exception: String {
      switch self {
      case .notAuthorized, .attemptsExceeded: "NotAuthorizedException"
      case .invalidParameter, .timestampMalformed: "InvalidParameterException"
      case .internalError: "InternalErrorException"
      }
    }
  }

  /// The error for the caller.
  public var response: Response {
    switch self {
    case .timestampMalformed: .timestampMalformed
    case .proofMismatch, .passwordMismatch, .timestampStale, .timestampAhead, .secretBlockInvalid,
      .secretBlockForeign, .secretHashMissing, .secretHashUnexpected, .secretHashMismatch:
      .notAuthorized
    case .lockedOut: .attemptsExceeded
    case .publicKeyZero, .publicKeyTrivial, .publicKeyTooLong, .publicKeyOutOfRange, .scramblingParameterZero,
      .empty, .tooLong, .hexadecimal, .base64, .numberNegative, .userPoolIDMalformed, .deviceKeyMalformed,
      .clientIDMalformed, .challengeUnexpected, .parameterMissing, .messageMalformed, .messageTooLarge,
      .parametersTooMany, .verifierOutOfRange:
      .invalidParameter
    case .groupSize, .groupNotPrime, .groupNotSafe, .generatorUnsuitable, .keyTooShort, .randomUnavailable,
      .libraryFailure:
      .internalError
    }
  }
}
