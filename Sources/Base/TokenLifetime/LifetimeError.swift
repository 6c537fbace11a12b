public import TokenSecurityBase

/// Why a duration is refused.
@nonexhaustive public enum LifetimeError: CodedError, Equatable {
  /// No duration was requested, and the rule has no standard.
  case missing(rule: String)
  /// The duration is zero.
  case zero
  /// The duration is negative.
  case negative
  /// The duration is not a whole number of seconds.
  case fractional
  /// The duration is too large to be represented.
  case overflowing
  /// The duration is shorter than the rule allows.
  case tooShort(rule: String, requested: Duration, shortest: Duration)
  /// The duration is longer than the rule allows.
  case tooLong(rule: String, requested: Duration, longest: Duration)

  /// The stable codes. Codes keep their meaning; new ones may be added.
  @nonexhaustive public enum Code: String, Sendable, Hashable, CaseIterable {
    case missing = "duration_missing"
    case zero = "duration_zero"
    case negative = "duration_negative"
    case fractional = "duration_fractional"
    case overflowing = "duration_overflowing"
    case tooShort = "duration_too_short"
    case tooLong = "duration_too_long"
  }
}

extension LifetimeError {
  /// The code and the sentence of the error.
  public var details: (code: Code, sentence: String) {
    switch self {
    case .missing(let rule): (.missing, "\(rule) requires a duration: it has no default")
    case .zero: (.zero, "the duration is 0 s")
    case .negative: (.negative, "the duration is negative")
    case .fractional: (.fractional, "the duration is not a whole number of seconds")
    case .overflowing: (.overflowing, "the duration is too large to be represented")
    case .tooShort(let rule, let requested, let shortest):
      (
        .tooShort,
        "\(requested.wholeSeconds) s is shorter than the minimum of \(shortest.wholeSeconds) s for \(rule)"
      )
    case .tooLong(let rule, let requested, let longest):
      (
        .tooLong,
        "\(requested.secondsRoundedUp) s is longer than the maximum of \(longest.wholeSeconds) s for \(rule)"
      )
    }
  }
}
