public import TokenSecurityEncodings

/// Why a code, a secret or a URI was refused: one case for each rule, with what broke it, and never a secret or a code.
@nonexhaustive public enum OTPError: CodedError, Equatable {
  /// The code is not the one for this counter or time, nor for any in the window.
  case codeMismatch
  /// The code is right and its step was used before.
  case codeUsed(step: UInt64)
  /// A code has other characters than digits, or more or fewer than it should.
  case codeMalformed(digits: Int)
  /// Too many wrong codes came in.
  case throttled(remaining: Duration)
  /// A code of fewer than six or more than eight digits (RFC 4226 section 5.3).
  case digitsUnsupported(Int)
  /// A period that is not a whole number of seconds from 1 second to a day.
  case periodUnsupported(Duration)
  /// A window that is not from 0 to 100 steps.
  case windowUnsupported(Int)
  /// An instant before the first step.
  case timeBeforeEpoch(Timestamp, epoch: Timestamp)
  /// An instant that is too far from the epoch to be counted.
  case timeOutOfRange(Timestamp)
  /// The counter has reached its end.
  case counterExhausted
  /// A secret has fewer than 128 bits (RFC 4226 section 4, R6); in bits.
  case secretTooShort(bits: Int, least: Int)
  /// A secret has more bytes than are taken.
  case secretTooLong(size: Int, limit: Int)
  /// A secret has a character that base32 does not have (RFC 4648 section 6): 0, 1 and 8 are none.
  case base32Character(at: Int)
  /// A secret has a number of characters that no whole number of bytes encodes to.
  case base32Length(Int)
  /// A secret has padding that is too long, too short, or inside.
  case base32Padding
  /// The last character of a secret carries bits beyond the last byte.
  case base32TrailingBits
  /// A URI has more bytes than are taken.
  case uriTooLong(size: Int, limit: Int)
  /// A URI does not begin with `otpauth://totp/` or `otpauth://hotp/`.
  case uriKind(String)
  /// A URI is for codes of a counter where those of the time are wanted, or the other way round.
  case uriCodesMismatch(expected: String)
  /// A URI has a percent sign without two digits, or bytes that are no UTF-8.
  case uriEncoding(String)
  /// A URI's label is empty, or has a colon too many.
  case uriLabel(String)
  /// A URI lacks a parameter that it needs.
  case uriParameterMissing(String)
  /// A URI has a parameter twice.
  case uriParameterRepeated(String)
  /// A parameter has a value that it cannot have.
  case uriParameterInvalid(String, String)
  /// The issuer of the label is another than the parameter's.
  case uriIssuerMismatch(label: String, parameter: String)
  /// A recovery code is none of the set, or was used.
  case recoveryCodeUnknown
  /// A text has not the form of a recovery code.
  case recoveryCodeMalformed
  /// A stored set of recovery codes cannot be read.
  case recoverySetMalformed
  /// The system has no random numbers to give.
  case randomUnavailable
  /// libcrypto refused what cannot fail but for lack of memory; the name is that of the function.
  case libraryFailure(String)
}
