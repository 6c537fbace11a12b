internal import TokenSecurityBase
internal import TokenSecurityCrypto

extension OTPError {
  /// The stable code of an error. A code never changes its meaning; new ones may be added.
  @nonexhaustive public enum Code: String, Sendable, Hashable, CaseIterable {
    case codeMismatch = "code_mismatch"
    case codeUsed = "code_used"
    case codeMalformed = "code_malformed"
    case throttled = "code_throttled"
    case digitsUnsupported = "digits_unsupported"
    case periodUnsupported = "period_unsupported"
    case windowUnsupported = "window_unsupported"
    case timeBeforeEpoch = "time_before_epoch"
    case timeOutOfRange = "time_out_of_range"
    case counterExhausted = "counter_exhausted"
    case secretTooShort = "otp_secret_too_short"
    case secretTooLong = "otp_secret_too_long"
    case base32Character = "base32_character"
    case base32Length = "base32_length"
    case base32Padding = "base32_padding"
    case base32TrailingBits = "base32_trailing_bits"
    case uriTooLong = "otpauth_too_long"
    case uriKind = "otpauth_kind"
    case uriCodesMismatch = "otpauth_codes_mismatch"
    case uriEncoding = "otpauth_encoding"
    case uriLabel = "otpauth_label"
    case uriParameterMissing = "otpauth_parameter_missing"
    case uriParameterRepeated = "otpauth_parameter_repeated"
    case uriParameterInvalid = "otpauth_parameter_invalid"
    case uriParameterUnsupported = "otpauth_parameter_unsupported"
    case uriIssuerMismatch = "otpauth_issuer_mismatch"
    case recoveryCodeUnknown = "recovery_code_unknown"
    case recoveryCodeMalformed = "recovery_code_malformed"
    case recoverySetMalformed = "recovery_set_malformed"
    case randomUnavailable = "otp_random_unavailable"
    case libraryFailure = "otp_library_failure"
  }

  /// The code and the sentence of each case.
  public var details: (code: Code, sentence: String) {
    switch self {
    case .codeMismatch:
      (.codeMismatch, "the code does not match any step or counter in the window")
    case .codeUsed(let step):
      (.codeUsed, "the code is right, but its step \(step) was used before (RFC 6238 section 5.2)")
    case .steamCodeMalformed:
      (.codeMalformed, "a Steam code must be 5 of the characters \(SteamCode.alphabet) and nothing else")
    case .codeMalformed(let digits): (.codeMalformed, "a code must be \(digits) digits and nothing else")
    case .throttled(let remaining):
      (.throttled, "too many wrong codes; wait \(remaining.secondsRoundedUp) seconds")
    case .digitsUnsupported(let digits):
      (.digitsUnsupported, "a code of \(digits) digits is not supported; it must have 6, 7 or 8")
    case .periodUnsupported(let period):
      (
        .periodUnsupported,
        "a period of \(period) is not supported; it must be 1 to 86400 whole seconds"
      )
    case .windowUnsupported(let steps):
      (.windowUnsupported, "a window of \(steps) steps is not supported; it must be 0 to 100")
    case .timeBeforeEpoch(let time, let epoch):
      (.timeBeforeEpoch, "the time \(time) is before the first step, which starts at \(epoch)")
    case .timeOutOfRange(let time):
      (.timeOutOfRange, "the time \(time) is too far from the first step")
    case .counterExhausted: (.counterExhausted, "the counter has reached its maximum")
    case .secretTooShort(let bits, let least):
      (
        .secretTooShort,
        "the secret has \(bits) bits; at least \(least) are required (RFC 4226 section 4, R6)"
      )
    case .secretTooLong(let size, let limit):
      (.secretTooLong, "the secret has \(size) bytes; the limit is \(limit)")
    case .base32Character(let position):
      (.base32Character, "the secret's character at \(position) is not base32, which has A to Z and 2 to 7")
    case .base32Length(let count):
      (.base32Length, "no bytes encode to a base32 text of \(count) characters")
    case .base32Padding: (.base32Padding, "the secret's padding is too long, too short, or not at the end")
    case .base32TrailingBits:
      (.base32TrailingBits, "the secret's last character has bits after the last byte")
    case .uriTooLong(let size, let limit):
      (.uriTooLong, "the URI has \(size) bytes; the limit is \(limit)")
    case .uriKind(let text):
      (
        .uriKind,
        "the URI begins with \(text.quoted) instead of otpauth://totp/, otpauth://hotp/ or otpauth://steam/"
      )
    case .uriCodesMismatch(let expected):
      (.uriCodesMismatch, "the URI is not for \(expected) codes")
    case .uriEncoding(let part):
      (.uriEncoding, "the URI's \(part) has a percent sign without two digits, or bytes that are not UTF-8")
    case .uriLabel(let text): (.uriLabel, "the label \(text.quoted) is not ACCOUNT or ISSUER:ACCOUNT")
    case .uriParameterMissing(let name): (.uriParameterMissing, "the URI lacks the parameter \(name)")
    case .uriParameterRepeated(let name):
      (.uriParameterRepeated, "the URI repeats the parameter \(name.quoted)")
    case .uriParameterInvalid(let name, let value):
      (.uriParameterInvalid, "the parameter \(name) has the invalid value \(value.quoted)")
    case .uriParameterUnsupported(let name):
      (.uriParameterUnsupported, "the parameter \(name.quoted) changes the codes and is not supported")
    case .uriIssuerMismatch(let label, let parameter):
      (
        .uriIssuerMismatch,
        "the label's issuer is \(label.quoted), but the parameter's is \(parameter.quoted)"
      )
    case .recoveryCodeUnknown: (.recoveryCodeUnknown, "the recovery code is not in this set, or was used")
    case .recoveryCodeMalformed:
      (.recoveryCodeMalformed, "the text is not four groups of four letters and digits")
    case .recoverySetMalformed: (.recoverySetMalformed, "the stored set of recovery codes is malformed")
    case .randomUnavailable: (.randomUnavailable, "the system's random number generator failed")
    case .libraryFailure(let name): (.libraryFailure, "libcrypto's \(name) failed")
    }
  }

  init(_ error: CryptoError) {
    self =
      if case .library(let name) = error {
        name == "RAND_bytes" ? .randomUnavailable : .libraryFailure(name)
      } else {
        .libraryFailure("\(error)")
      }
  }

  /// Runs `body` and converts libcrypto's errors into `OTPError`.
  static func of<Result: ~Copyable>(
    _ body: () throws(CryptoError) -> Result
  ) throws(OTPError) -> Result {
    do { return try body() } catch { throw OTPError(error) }
  }

  init(_ error: BaseEncodingError) {
    self =
      switch error {
      case .character(let offset), .whiteSpace(let offset): .base32Character(at: offset)
      case .padding: .base32Padding
      case .length(let count): .base32Length(count)
      case .trailingBits: .base32TrailingBits
      }
  }
}
