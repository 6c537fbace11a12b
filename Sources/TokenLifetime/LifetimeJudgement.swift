extension LifetimeRule {
  /// The duration to use for a request: what was asked for, or the standard where that is nil.
  ///
  /// - Throws: `missing`, `zero`, `negative`, `tooShort`, `tooLong`.
  public func judge(requested seconds: Int64?) throws(LifetimeError) -> Int64 {
    guard let seconds else {
      guard let standard else { throw .missing(rule: name) }
      return standard
    }
    guard seconds != 0 else { throw .zero }
    guard seconds > 0 else { throw .negative }
    guard seconds >= shortest else {
      throw .tooShort(rule: name, seconds: seconds, shortest: shortest)
    }
    guard seconds <= longest else { throw .tooLong(rule: name, seconds: seconds, longest: longest) }
    return seconds
  }

  /// The same for a request that may have a fraction, as JSON numbers can.
  ///
  /// - Throws: what ``judge(requested:)`` does, and `fractional` or `overflowing`.
  public func judge(requestedNumber seconds: Double) throws(LifetimeError) -> Int64 {
    guard seconds.isFinite, seconds.magnitude < 9.2e18 else { throw .overflowing }
    guard seconds >= 0 else { throw .negative }
    // Not `rounded`, which calls libm: nothing links it where this module is used alone.
    let whole = Int64(seconds)
    guard Double(whole) == seconds else { throw .fractional }
    return try judge(requested: whole)
  }

  /// Judges what a token has: `exp` and `iat` in seconds since 1970. A life shorter than the shortest that
  /// may be asked for is no fault.
  ///
  /// - Throws: `negative`, `overflowing`, `tooLong`.
  public func judge(issuedAt: Int64, expiration: Int64) throws(LifetimeError) {
    let (life, overflow) = expiration.subtractingReportingOverflow(issuedAt)
    guard !overflow else { throw .overflowing }
    guard life >= 0 else { throw .negative }
    guard life <= longest else { throw .tooLong(rule: name, seconds: life, longest: longest) }
  }
}

/// Why a duration is refused.
public enum LifetimeError: Error, Equatable, Sendable {
  /// Nothing was asked for, and the rule has no standard.
  case missing(rule: String)
  /// The duration is nothing.
  case zero
  /// The duration is below nothing.
  case negative
  /// The duration is no whole number of seconds.
  case fractional
  /// The duration is no number that can be counted with.
  case overflowing
  /// The duration is shorter than the rule allows; in seconds.
  case tooShort(rule: String, seconds: Int64, shortest: Int64)
  /// The duration is longer than the rule allows; in seconds.
  case tooLong(rule: String, seconds: Int64, longest: Int64)

  /// A refusal's stable code. A code never changes its meaning; new ones may come.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    case missing = "duration_missing"
    case zero = "duration_zero"
    case negative = "duration_negative"
    case fractional = "duration_fractional"
    case overflowing = "duration_overflowing"
    case tooShort = "duration_too_short"
    case tooLong = "duration_too_long"
  }

  /// The stable code of this refusal.
  public var code: Code {
    switch self {
    case .missing: .missing
    case .zero: .zero
    case .negative: .negative
    case .fractional: .fractional
    case .overflowing: .overflowing
    case .tooShort: .tooShort
    case .tooLong: .tooLong
    }
  }
}

extension LifetimeError: CustomStringConvertible {
  /// One sentence that names the rule and the value that broke it.
  public var description: String {
    switch self {
    case .missing(let rule): "a duration must be given for \(rule): there is no standard"
    case .zero: "the duration is 0 s"
    case .negative: "the duration is negative"
    case .fractional: "the duration is no whole number of seconds"
    case .overflowing: "the duration is larger than can be counted"
    case .tooShort(let rule, let seconds, let shortest):
      "a duration of \(seconds) s is shorter than the \(shortest) s that \(rule) needs"
    case .tooLong(let rule, let seconds, let longest):
      "a duration of \(seconds) s is longer than the \(longest) s that \(rule) allows"
    }
  }
}
