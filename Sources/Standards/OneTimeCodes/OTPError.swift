public import TokenSecurityBase

/// Why a code, a secret or a URI was refused: one case for each rule. Errors never contain a secret or a
/// code.
@nonexhaustive public enum OTPError: CodedError, Equatable {
  /// The code does not match any counter or step in the window.
  case codeMismatch
  /// The code is right, but its step was used before.
  case codeUsed(step: UInt64)
  /// A code has other characters than digits, or the wrong number of digits.
  case codeMalformed(digits: Int)
  /// A code in Steam's form has other characters, or the wrong number of them.
  case steamCodeMalformed
  /// Too many wrong codes.
  case throttled(remaining: Duration)
  /// A code of fewer than six or more than eight digits (RFC 4226 section 5.3).
  case digitsUnsupported(Int)
  /// A period is not a whole number of seconds from 1 second to a day.
  case periodUnsupported(Duration)
  /// A window is not in 0...100 steps, or a search not in 0...10,000 counters.
  case windowUnsupported(Int)
  /// An instant is before the first step.
  case timeBeforeEpoch(Timestamp, epoch: Timestamp)
  /// An instant is too far from the first step to be counted.
  case timeOutOfRange(Timestamp)
  /// The counter has reached its maximum.
  case counterExhausted
  /// A secret has too few bits; at least 128 (RFC 4226 section 4, R6).
  case secretTooShort(bits: Int, least: Int)
  /// A secret has too many bytes.
  case secretTooLong(size: Int, limit: Int)
  /// A secret has a character that is not base32 (RFC 4648 section 6), such as 0, 1 or 8.
  case base32Character(at: Int)
  /// No bytes encode to a base32 text with the secret's number of characters.
  case base32Length(Int)
  /// A secret's padding is too long, too short, or not at the end.
  case base32Padding
  /// The last character of a secret has bits after the last byte.
  case base32TrailingBits
  /// A URI has too many bytes.
  case uriTooLong(size: Int, limit: Int)
  /// A URI does not begin with `otpauth://totp/` or `otpauth://hotp/`.
  case uriKind(String)
  /// A URI is for the other kind of codes.
  case uriCodesMismatch(expected: String)
  /// A URI has a percent sign without two digits, or bytes that are not UTF-8.
  case uriEncoding(String)
  /// A URI's label is empty, or has too many colons.
  case uriLabel(String)
  /// A URI lacks a required parameter.
  case uriParameterMissing(String)
  /// A URI has a parameter twice.
  case uriParameterRepeated(String)
  /// A parameter's value is not allowed.
  case uriParameterInvalid(String, String)
  /// A URI has a parameter that changes the codes and is not supported.
  case uriParameterUnsupported(String)
  /// The label has another issuer than the parameter, and the form is strict.
  case uriIssuerMismatch(label: String, parameter: String)
  /// A recovery code is not in the set, or was used.
  case recoveryCodeUnknown
  /// A text is not of the form of a recovery code.
  case recoveryCodeMalformed
  /// A stored set of recovery codes is malformed.
  case recoverySetMalformed
  /// The system's random number generator failed.
  case randomUnavailable
  /// A function of libcrypto failed, usually for lack of memory; with the function's name.
  case libraryFailure(String)
}
