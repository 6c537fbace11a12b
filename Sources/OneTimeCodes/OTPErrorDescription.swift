internal import TokenSecurityCrypto
internal import TokenSecurityEncodings

extension OTPError: CustomStringConvertible {
  /// A refusal's stable code. A code never changes its meaning; new ones may come.
  public enum Code: String, Sendable, Hashable, CaseIterable {
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
    case uriIssuerMismatch = "otpauth_issuer_mismatch"
    case recoveryCodeUnknown = "recovery_code_unknown"
    case recoveryCodeMalformed = "recovery_code_malformed"
    case recoverySetMalformed = "recovery_set_malformed"
    case randomUnavailable = "otp_random_unavailable"
    case libraryFailure = "otp_library_failure"
  }

  /// The stable code.
  public var code: Code {
    switch self {
    case .codeMismatch: .codeMismatch
    case .codeUsed: .codeUsed
    case .codeMalformed: .codeMalformed
    case .throttled: .throttled
    case .digitsUnsupported: .digitsUnsupported
    case .periodUnsupported: .periodUnsupported
    case .windowUnsupported: .windowUnsupported
    case .timeBeforeEpoch: .timeBeforeEpoch
    case .timeOutOfRange: .timeOutOfRange
    case .counterExhausted: .counterExhausted
    case .secretTooShort: .secretTooShort
    case .secretTooLong: .secretTooLong
    case .base32Character: .base32Character
    case .base32Length: .base32Length
    case .base32Padding: .base32Padding
    case .base32TrailingBits: .base32TrailingBits
    case .uriTooLong: .uriTooLong
    case .uriKind: .uriKind
    case .uriCodesMismatch: .uriCodesMismatch
    case .uriEncoding: .uriEncoding
    case .uriLabel: .uriLabel
    case .uriParameterMissing: .uriParameterMissing
    case .uriParameterRepeated: .uriParameterRepeated
    case .uriParameterInvalid: .uriParameterInvalid
    case .uriIssuerMismatch: .uriIssuerMismatch
    case .recoveryCodeUnknown: .recoveryCodeUnknown
    case .recoveryCodeMalformed: .recoveryCodeMalformed
    case .recoverySetMalformed: .recoverySetMalformed
    case .randomUnavailable: .randomUnavailable
    case .libraryFailure: .libraryFailure
    }
  }

  /// One sentence that names the rule and the value that broke it. Foreign text in it is bounded and escaped.
  public var description: String {
    switch self {
    case .codeMismatch: "the code is not the one for this time or counter, nor for any in the window"
    case .codeUsed(let step): "the code is right, and its step \(step) was used before (RFC 6238 section 5.2)"
    case .codeMalformed(let digits): "a code has \(digits) digits and nothing else"
    case .throttled(let remaining): "too many wrong codes came in: none is looked at for \(remaining) seconds"
    case .digitsUnsupported(let digits): "a code of \(digits) digits is not supported: it has 6, 7 or 8"
    case .periodUnsupported(let seconds): "a period of \(seconds) seconds is not supported: it has 1 to 86400"
    case .windowUnsupported(let steps): "a window of \(steps) steps is not supported: it has 0 to 100"
    case .timeBeforeEpoch(let time, let epoch):
      "the time \(time) lies before \(epoch), where the first step begins"
    case .timeOutOfRange(let time): "the time \(time) is too far from where the first step begins"
    case .counterExhausted: "the counter has reached its end"
    case .secretTooShort(let bits, let least):
      "the secret has \(bits) bits, and at least \(least) are needed (RFC 4226 section 4, R6)"
    case .secretTooLong(let size, let limit): "the secret has \(size) bytes, and \(limit) are allowed"
    case .base32Character(let place):
      "the secret has a character at \(place) that base32 does not have: it has A to Z and 2 to 7, no 0, 1 or 8"
    case .base32Length(let count): "no whole number of bytes has \(count) characters of base32"
    case .base32Padding: "the secret's padding is too long, too short, or inside"
    case .base32TrailingBits: "the secret's last character carries bits beyond the last byte"
    case .uriTooLong(let size, let limit): "the URI has \(size) bytes, and \(limit) are allowed"
    case .uriKind(let text):
      "the URI begins with \(text.quoted) instead of otpauth://totp/ or otpauth://hotp/"
    case .uriCodesMismatch(let wanted): "the URI is for other codes than those of \(wanted), which are wanted"
    case .uriEncoding(let part):
      "the URI's \(part) has a percent sign without two digits, or bytes that are no UTF-8"
    case .uriLabel(let text): "the label \(text.quoted) is not ACCOUNT or ISSUER:ACCOUNT"
    case .uriParameterMissing(let name): "the URI lacks the parameter \(name)"
    case .uriParameterRepeated(let name): "the URI has the parameter \(name.quoted) twice"
    case .uriParameterInvalid(let name, let value): "the parameter \(name) cannot be \(value.quoted)"
    case .uriIssuerMismatch(let label, let parameter):
      "the label's issuer is \(label.quoted), and the parameter's is \(parameter.quoted)"
    case .recoveryCodeUnknown: "the recovery code is none of this set, or was used"
    case .recoveryCodeMalformed: "the text is not four groups of four letters and digits"
    case .recoverySetMalformed: "the stored set of recovery codes cannot be read"
    case .randomUnavailable: "the system has no random numbers to give"
    case .libraryFailure(let name): "libcrypto's \(name) failed"
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

  /// Runs `body` with libcrypto's refusals turned into this module's.
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
