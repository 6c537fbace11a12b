internal import TokenSecurityBase

/// When a wait ends, by a clock that is never set.
struct Deadline: Sendable {
  let instant: ContinuousClock.Instant

  init(after duration: Duration) { instant = .now + duration }

  private init(_ instant: ContinuousClock.Instant) { self.instant = instant }

  /// The time that is left, rounded up; not positive once it has passed.
  var remainingMilliseconds: Int {
    let remaining = instant - .now
    return remaining > .zero ? remaining.milliseconds + 1 : 0
  }

  var hasPassed: Bool { instant <= .now }

  /// The earlier of both.
  func orSooner(after duration: Duration) -> Deadline { Deadline(min(instant, .now + duration)) }

  /// The end of the first of `count` equal parts of the time that is left.
  func share(_ count: Int) -> Deadline {
    let now = ContinuousClock.now
    return Deadline(now + (instant - now) / max(1, count))
  }
}

extension Duration {
  /// Whole milliseconds, rounded down.
  var milliseconds: Int {
    let (seconds, attoseconds) = components
    let (milliseconds, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000)
    let (sum, isLonger) = milliseconds.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
    return isTooLong || isLonger ? (seconds < 0 ? .min : .max) : Int(clamping: sum)
  }
}

extension String {
  /// The first line.
  var trimmedLine: String {
    utf8.split(separator: UInt8(ascii: "\n")).first.map { String(decoding: $0, as: UTF8.self) } ?? ""
  }
}
