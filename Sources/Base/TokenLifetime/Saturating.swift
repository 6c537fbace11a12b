/// Sums, differences and products that stop at the largest and the smallest number instead of trapping: a
/// caller's limits and a clock can be anything.
extension Int64 {
  @inlinable
  package func saturatingSum(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other > 0 ? .max : .min) : sum
  }

  @inlinable
  package func saturatingDifference(_ other: Int64) -> Int64 {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (other < 0 ? .max : .min) : difference
  }

  @inlinable
  package func saturatingProduct(_ other: Int64) -> Int64 {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    return overflow ? ((self < 0) == (other < 0) ? .max : .min) : product
  }

  /// The quotient by a positive divisor, rounded down.
  @inlinable
  package func flooredQuotient(_ divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}

/// A `Duration` can be longer than 2^63 seconds; its own `components` would trap there.
extension Duration {
  private static var longest: Duration { .seconds(Int64.max) }
  private static var shortest: Duration { .seconds(-Int64.max) }

  /// Whole seconds, rounded down; the largest or the smallest number where they do not fit.
  package var wholeSeconds: Int64 {
    if self >= Self.longest { return .max }
    if self <= Self.shortest { return .min }
    let (seconds, attoseconds) = components
    return attoseconds < 0 ? seconds - 1 : seconds
  }

  /// Whole seconds, rounded up.
  package var secondsRoundedUp: Int64 { wholeSeconds.saturatingSum(isWholeSeconds ? 0 : 1) }

  /// Whether there is no fraction of a second.
  package var isWholeSeconds: Bool {
    self >= Self.longest || self <= Self.shortest || components.attoseconds == 0
  }

  /// Whole milliseconds, rounded down; the largest or the smallest number where they do not fit.
  package var wholeMilliseconds: Int64 {
    let (seconds, fraction) = (wholeSeconds, Int64(nanosecondsAfterWhole) / 1_000_000)
    return seconds.saturatingProduct(1_000).saturatingSum(fraction)
  }

  /// Nanoseconds after ``wholeSeconds``, rounded down.
  var nanosecondsAfterWhole: Int32 {
    guard !isWholeSeconds else { return 0 }
    let attoseconds = components.attoseconds
    return Int32((attoseconds < 0 ? attoseconds + 1_000_000_000_000_000_000 : attoseconds) / 1_000_000_000)
  }

  /// The duration with the other sign; one too short to have an opposite becomes a very long one.
  var saturatingNegation: Duration { self <= Self.shortest ? Self.longest : .zero - self }
}
