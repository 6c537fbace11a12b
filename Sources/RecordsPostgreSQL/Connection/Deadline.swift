internal import TokenSecurityEncodings

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
}

extension Duration {
  /// Whole milliseconds, rounded down.
  var milliseconds: Int {
    let (seconds, attoseconds) = components
    return Int(clamping: seconds.multipliedReportingOverflow(by: 1_000).partialValue)
      + Int(attoseconds / 1_000_000_000_000_000)
  }
}

extension String {
  /// The first line.
  var trimmedLine: String {
    utf8.split(separator: UInt8(ascii: "\n")).first.map { String(decoding: $0, as: UTF8.self) } ?? ""
  }
}
