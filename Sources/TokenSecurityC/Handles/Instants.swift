internal import TokenLifetime

/// Times as C functions have them.
enum Instants {
  /// `TS_NOW`: the current time.
  static let now = Int64.min

  /// A time in seconds since 1970.
  static func date(_ seconds: Int64) -> Timestamp {
    seconds == now ? .now : Timestamp(since1970: .seconds(seconds))
  }

  /// The milliseconds until an instant, 0 if it is over.
  static func milliseconds(until end: ContinuousClock.Instant) -> UInt32 {
    let (seconds, attoseconds) = (end - .now).components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    return UInt32(
      clamping: seconds.multipliedReportingOverflow(by: 1_000).partialValue + attoseconds
        / 1_000_000_000_000_000)
  }
}
