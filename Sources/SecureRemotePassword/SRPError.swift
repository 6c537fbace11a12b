public import TokenSecurityEncodings

/// Why a sign-in, a number, a record or a challenge was refused: one case for each rule, with what broke it.
///
/// They are for whoever operates the service. A caller is told ``response``, which is the same for a wrong password, a
/// user who does not exist and whatever else would help in guessing.
@nonexhaustive public enum SRPError: CodedError, Equatable {
  /// Whose public number it is.
  public enum Side: String, Sendable, Hashable {
    /// A, the client's.
    case client = "A"
    /// B, the server's.
    case server = "B"
  }

  /// A part of a message that is a number or a text of bytes.
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
    case signature
  }

  /// A or B is a multiple of N (RFC 5054 sections 2.5.3 and 2.5.4): with A = 0 anyone could sign in as anyone.
  case publicKeyZero(Side)
  /// A or B is 1 or N - 1, whose powers are known to everyone.
  case publicKeyTrivial(Side)
  /// A or B has more bytes than N.
  case publicKeyTooLong(Side, size: Int, limit: Int)
  /// A or B is larger than N.
  case publicKeyOutOfRange(Side)
  /// u, the hash of A and B, is zero.
  case scramblingParameterZero
  /// A verifier is not from 2 to N - 2.
  case verifierOutOfRange
  /// A part that must have bytes has none.
  case empty(Part)
  /// A part has too many bytes.
  case tooLong(Part, size: Int, limit: Int)
  /// A number is not written in hexadecimal digits.
  case hexadecimal(Part, at: Int)
  /// A part is not base64 with padding (RFC 4648 section 4).
  case base64(Part)
  /// A number of two's complement is negative.
  case numberNegative(Part)
  /// The other side's proof does not hold: the password is another, or somebody is between.
  case proofMismatch
  /// A prime of a group of one's own has too few or too many bits.
  case groupSize(bits: Int, limits: ClosedRange<Int>)
  /// A modulus that is no prime.
  case groupNotPrime
  /// A prime N for which (N - 1) / 2 is none.
  case groupNotSafe
  /// A generator that is not from 2 to N - 2.
  case generatorUnsuitable
  /// The key that false records are made of, or that secret blocks are sealed with, has too few bytes.
  case keyTooShort(size: Int, least: Int)
  /// The system has no random numbers to give.
  case randomUnavailable
  /// libcrypto refused what cannot fail but for lack of memory; the name is that of the function.
  case libraryFailure(String)

  /// The id of a user pool is not of the form `REGION_NAME`.
  case userPoolIDMalformed(String)
  /// A device key is not of the form that Cognito gives (`[\w-]+_[0-9a-f-]+`, at most 55 characters).
  case deviceKeyMalformed(String)
  /// The id of an app client has other characters than Cognito gives, or too many.
  case clientIDMalformed(String)
  /// A challenge is another than the one that was expected.
  case challengeUnexpected(actual: String, expected: String)
  /// A request, challenge or answer lacks a parameter.
  case parameterMissing(String)
  /// A request, challenge or answer is no JSON object of the form that Cognito has.
  case messageMalformed(String)
  /// A request, challenge or answer has more bytes than are read.
  case messageTooLarge(size: Int, limit: Int)
  /// A request, challenge or answer has more parameters than are read.
  case parametersTooMany(count: Int, limit: Int)
  /// The app client has a secret, and the request has no SECRET_HASH.
  case secretHashMissing
  /// The request has a SECRET_HASH, and the app client has no secret.
  case secretHashUnexpected
  /// SECRET_HASH is not that of the user's name and the app client.
  case secretHashMismatch
  /// The signature is not made with the password of this user.
  case passwordMismatch
  /// A timestamp is not of the form `Sat Sep 5 09:03:07 UTC 2026`.
  case timestampMalformed(String)
  /// A timestamp is too far in the past.
  case timestampStale(age: Duration, limit: Duration)
  /// A timestamp is too far in the future.
  case timestampAhead(by: Duration, limit: Duration)
  /// A secret block was not made here, or was changed.
  case secretBlockInvalid
  /// A secret block was made for another user, device, pool or app client.
  case secretBlockForeign
  /// A secret block is too old.
  case secretBlockExpired(at: Timestamp, now: Timestamp)
  /// A secret block was used before, or cannot be remembered as used.
  case secretBlockReplayed
  /// A store of challenges has no room. Thrown by stores of one's own; `StoredSecretBlocks` of `CognitoSRP` drops its oldest challenge.
  case challengesExhausted(capacity: Int)
  /// Too many wrong passwords came in.
  case lockedOut(remaining: Duration)
}

extension SRPError {
  /// What a caller may be told, in Cognito's words.
  public enum Response: String, Sendable, Hashable {
    /// `NotAuthorizedException`: name and password do not belong together, for whatever reason.
    case notAuthorized = "Incorrect username or password."
    /// `NotAuthorizedException`: too many wrong passwords.
    case attemptsExceeded = "Password attempts exceeded"
    /// `InvalidParameterException`: the request could not be read.
    case invalidParameter = "Invalid parameter."
    /// `InternalErrorException`: it lies with the service.
    case internalError = "Internal error."

    /// The exception's name.
    public var exception: String {
      switch self {
      case .notAuthorized, .attemptsExceeded: "NotAuthorizedException"
      case .invalidParameter: "InvalidParameterException"
      case .internalError: "InternalErrorException"
      }
    }
  }

  /// What a caller may be told.
  public var response: Response {
    switch self {
    case .proofMismatch, .passwordMismatch, .timestampMalformed, .timestampStale, .timestampAhead,
      .secretBlockInvalid, .secretBlockForeign, .secretBlockExpired, .secretBlockReplayed, .secretHashMissing,
      .secretHashUnexpected, .secretHashMismatch:
      .notAuthorized
    case .lockedOut: .attemptsExceeded
    case .publicKeyZero, .publicKeyTrivial, .publicKeyTooLong, .publicKeyOutOfRange, .scramblingParameterZero,
      .empty, .tooLong, .hexadecimal, .base64, .numberNegative, .userPoolIDMalformed, .deviceKeyMalformed,
      .clientIDMalformed, .challengeUnexpected, .parameterMissing, .messageMalformed, .messageTooLarge,
      .parametersTooMany, .verifierOutOfRange:
      .invalidParameter
    case .groupSize, .groupNotPrime, .groupNotSafe, .generatorUnsuitable, .keyTooShort, .randomUnavailable,
      .libraryFailure, .challengesExhausted:
      .internalError
    }
  }
}
