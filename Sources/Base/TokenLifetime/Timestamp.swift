internal import TokenSecurityPlatform

/// An instant: seconds and nanoseconds since 1970-01-01T00:00:00Z, without leap seconds.
///
///     let end = Timestamp.now + .seconds(900)
///
/// Whole nanoseconds, so that comparisons are exact. The range is the years 1 to 9999; a sum outside it is
/// the nearest end of the range. `init(rfc3339:)` reads text; JOSE adds JSON numbers (NumericDate), SigV4
/// adds the dates of `X-Amz-Date`, `TimestampFoundation` adds Foundation's `Date`.
public struct Timestamp: Sendable, Hashable, Comparable {
  /// Whole seconds since 1970, rounded down.
  public let seconds: Int64
  /// Nanoseconds after ``seconds``, 0 to 999,999,999.
  public let nanoseconds: Int32

  /// The first and last second of the range, as seconds since 1970.
  @inlinable
  package static var range: ClosedRange<Int64> { -62_135_596_800...253_402_300_799 }

  /// The first instant of the year 1.
  public static var earliest: Timestamp { Timestamp(seconds: range.lowerBound) }
  /// The last whole second of the year 9999.
  public static var latest: Timestamp { Timestamp(seconds: range.upperBound) }

  /// The instant `duration` after 1970-01-01T00:00:00Z, or the nearest instant of the range.
  public init(since1970 duration: Duration) { self = Timestamp(seconds: 0) + duration }

  /// The time since 1970-01-01T00:00:00Z.
  public var since1970: Duration { .seconds(seconds) + .nanoseconds(Int64(nanoseconds)) }

  /// The second `seconds` after 1970, or the nearest instant of the range.
  @inlinable
  package init(seconds: Int64) {
    self.seconds = min(max(seconds, Self.range.lowerBound), Self.range.upperBound)
    nanoseconds = 0
  }

  /// Returns nil outside the range, and for a number of nanoseconds that is not a fraction of a second.
  @inlinable
  package init?(seconds: Int64, nanoseconds: some BinaryInteger) {
    guard Self.range.contains(seconds), let nanoseconds = Int32(exactly: nanoseconds),
      (0..<1_000_000_000).contains(nanoseconds)
    else { return nil }
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  /// The current time of the system's clock.
  public static var now: Timestamp {
    let (seconds, nanoseconds) = SystemClock.realTime
    return Timestamp(seconds: seconds, nanoseconds: nanoseconds) ?? Timestamp(seconds: seconds)
  }

  /// Orders by time.
  @inlinable
  public static func < (a: Timestamp, b: Timestamp) -> Bool {
    a.seconds == b.seconds ? a.nanoseconds < b.nanoseconds : a.seconds < b.seconds
  }

  /// The instant `duration` later, to the nanosecond, limited to the range.
  public static func + (instant: Timestamp, duration: Duration) -> Timestamp {
    let whole = duration.wholeSeconds
    var sum = instant.seconds.saturatingSum(whole)
    var nanoseconds = instant.nanoseconds + duration.nanosecondsAfterWhole
    if nanoseconds >= 1_000_000_000 {
      nanoseconds -= 1_000_000_000
      sum = sum.saturatingSum(1)
    }
    return Timestamp(seconds: sum, nanoseconds: nanoseconds) ?? Timestamp(seconds: sum)
  }

  /// The instant `duration` earlier, to the nanosecond, limited to the range.
  public static func - (instant: Timestamp, duration: Duration) -> Timestamp {
    instant + duration.saturatingNegation
  }

  /// The exact time from `start` to `end`; negative if `end` is earlier.
  public static func - (end: Timestamp, start: Timestamp) -> Duration {
    // Both are within the range, so no sum overflows.
    .seconds(end.seconds - start.seconds) + .nanoseconds(Int64(end.nanoseconds - start.nanoseconds))
  }

  /// Replaces the instant with one `duration` later.
  public static func += (instant: inout Timestamp, duration: Duration) { instant = instant + duration }

  /// Replaces the instant with one `duration` earlier.
  public static func -= (instant: inout Timestamp, duration: Duration) { instant = instant - duration }

  /// The instant without its fraction of a second.
  package var wholeSecond: Timestamp { Timestamp(seconds: seconds) }

  /// The instant `seconds` later, with the same fraction, limited to the range.
  @inlinable
  package func advanced(bySeconds seconds: Int64) -> Timestamp {
    let sum = self.seconds.saturatingSum(seconds)
    return Timestamp(seconds: sum, nanoseconds: nanoseconds) ?? Timestamp(seconds: sum)
  }

  /// Seconds from `other` to this instant, rounded away from zero, so that a fraction never stretches a
  /// limit.
  @inlinable
  package func seconds(since other: Timestamp) -> Int64 {
    let whole = seconds.saturatingDifference(other.seconds)
    let fraction = nanoseconds - other.nanoseconds
    if fraction > 0, whole >= 0 { return whole + 1 }
    if fraction < 0, whole <= 0 { return whole - 1 }
    return whole
  }
}

/// A type that can be made from an instant, so that claims decode into it. `TimestampFoundation` adds
/// Foundation's `Date`.
public protocol TimestampConvertible {
  /// The value for `timestamp`.
  init(_ timestamp: Timestamp)
}
