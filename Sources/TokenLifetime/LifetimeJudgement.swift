public import TokenSecurityEncodings

extension LifetimeRule {
  /// Checks a requested duration.
  ///
  /// - Parameter duration: what was requested; nil for the ``standard``.
  /// - Returns: the duration to use, in whole seconds.
  /// - Throws: `missing`, `zero`, `negative`, `fractional`, `tooShort`, `tooLong`.
  public func validate(requested duration: Duration?) throws(LifetimeError) -> Duration {
    guard let duration else {
      guard let standard else { throw .missing(rule: name) }
      return standard
    }
    guard duration != .zero else { throw .zero }
    guard duration > .zero else { throw .negative }
    guard duration.isWholeSeconds else { throw .fractional }
    guard duration >= shortest else {
      throw .tooShort(rule: name, requested: duration, shortest: shortest)
    }
    guard duration <= longest else { throw .tooLong(rule: name, requested: duration, longest: longest) }
    return duration
  }

  /// Checks how long a token lives. A life shorter than ``shortest`` is accepted.
  ///
  /// - Parameters:
  ///   - issuedAt: the token's `iat`.
  ///   - expiration: the token's `exp`.
  /// - Throws: `negative`, `tooLong`.
  public func validate(issuedAt: Timestamp, expiration: Timestamp) throws(LifetimeError) {
    let life = expiration - issuedAt
    guard life >= .zero else { throw .negative }
    guard life <= longest else { throw .tooLong(rule: name, requested: life, longest: longest) }
  }
}

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

  /// A refusal's stable code. A code never changes its meaning; new ones may come.
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
  /// The code and the sentence of each case.
  public var details: (code: Code, sentence: String) {
    switch self {
    case .missing(let rule): (.missing, "a duration must be given for \(rule): there is no standard")
    case .zero: (.zero, "the duration is 0 s")
    case .negative: (.negative, "the duration is negative")
    case .fractional: (.fractional, "the duration is no whole number of seconds")
    case .overflowing: (.overflowing, "the duration is larger than can be counted")
    case .tooShort(let rule, let requested, let shortest):
      (
        .tooShort,
        "\(requested.wholeSeconds) s is shorter than the \(shortest.wholeSeconds) s that \(rule) needs"
      )
    case .tooLong(let rule, let requested, let longest):
      (
        .tooLong,
        "\(requested.secondsRoundedUp) s is longer than the \(longest.wholeSeconds) s that \(rule) allows"
      )
    }
  }
}
