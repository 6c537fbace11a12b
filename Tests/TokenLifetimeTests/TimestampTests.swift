internal import TokenSecurityPlatform
internal import Foundation
internal import Testing
internal import TimestampFoundation
internal import TokenLifetime

@Suite struct TimestampTests {
  /// Extreme durations, including those longer than 2^63 seconds, whose `components` trap.
  static let durations: [Duration] = [
    .zero, .nanoseconds(1), .nanoseconds(-1), .milliseconds(1_500), .milliseconds(-1_500), .seconds(1),
    .seconds(-1), .seconds(900), .seconds(Int64.max), .seconds(Int64.min), .seconds(1e20), .seconds(-1e20),
    Duration(attoseconds: .max), Duration(attoseconds: .min),
  ]
  static let instants = [
    Timestamp.earliest, .latest, Timestamp(seconds: 0), Timestamp(seconds: -1),
    Timestamp(since1970: .milliseconds(1_700_000_000_500)), Timestamp(since1970: .milliseconds(-500)),
  ]

  @Test(arguments: instants, durations)
  func sumsStopAtTheEnds(instant: Timestamp, duration: Duration) {
    let later = instant + duration
    let earlier = instant - duration
    #expect(Timestamp.range.contains(later.seconds) && Timestamp.range.contains(earlier.seconds))
    #expect(duration >= .zero ? later >= instant || later == .latest : later <= instant)
    #expect(duration >= .zero ? earlier <= instant : earlier >= instant || earlier == .latest)
    if later > .earliest, later < .latest {
      // Fractions of a nanosecond are dropped.
      let difference = duration - (later - instant)
      #expect(difference >= .zero && difference < .nanoseconds(1))
    }
  }

  @Test(arguments: [-1, 1_000_000_000, Int64.max, .min])
  func fractionsAreOfASecond(_ nanoseconds: Int64) {
    #expect(Timestamp(seconds: 0, nanoseconds: nanoseconds) == nil)
    #expect(Timestamp(seconds: 0, nanoseconds: 999_999_999 as UInt64)?.nanoseconds == 999_999_999)
  }

  @Test func sumsAreExact() {
    let instant = Timestamp(since1970: .nanoseconds(999_999_999))
    #expect(instant + .nanoseconds(1) == Timestamp(seconds: 1))
    #expect(Timestamp(seconds: 0) - .nanoseconds(1) == Timestamp(seconds: -1, nanoseconds: 999_999_999))
    #expect(Timestamp(seconds: 1) - instant == .nanoseconds(1))
    #expect(instant - Timestamp(seconds: 1) == .nanoseconds(-1))
    #expect(instant.since1970 == .nanoseconds(999_999_999))
    var moved = instant
    moved += .seconds(5)
    moved -= .seconds(5)
    #expect(moved == instant)
    #expect("\(Timestamp(since1970: .seconds(1_788_598_987)))" == "2026-09-05T09:03:07Z")
  }

  @Test(arguments: durations)
  func secondsAreRounded(duration: Duration) {
    #expect(duration.wholeSeconds <= duration.secondsRoundedUp)
    #expect(duration.isWholeSeconds == (duration.wholeSeconds == duration.secondsRoundedUp))
    if duration < .seconds(Int64.max), duration > .seconds(-Int64.max) {
      #expect(.seconds(duration.wholeSeconds) <= duration && .seconds(duration.secondsRoundedUp) >= duration)
    }
  }

  /// The days of the range follow one another, and each is read as it was written.
  @Test func theCalendarHasNoGaps() {
    var previous: GregorianDate? = nil
    for number in stride(from: Timestamp.earliest.dayNumber, through: Timestamp.latest.dayNumber, by: 1) {
      let date = GregorianDate(dayNumber: number)
      guard date.dayNumber == number, GregorianDate(year: date.year, month: date.month, day: date.day) == date
      else {
        Issue.record("day \(number) is \(date)")
        return
      }
      if let previous, date.day != previous.day + 1 {
        guard date.day == 1, previous.month == 12 ? date.month == 1 : date.month == previous.month + 1 else {
          Issue.record("\(date) follows \(previous)")
          return
        }
      }
      previous = date
    }
    #expect(GregorianDate(year: 2023, month: 2, day: 29) == nil)
    #expect(GregorianDate(year: 2100, month: 2, day: 29) == nil)
    #expect(GregorianDate(year: 2000, month: 2, day: 29) != nil)
    #expect(GregorianDate(year: 2000, month: 13, day: 1) == nil)
    #expect(GregorianDate(year: 2000, month: 1, day: 0) == nil)
  }

  @Test func datesOfFoundation() throws {
    let date = Date(timeIntervalSince1970: 1_700_000_000.25)
    let instant = try #require(Timestamp(date))
    #expect(instant == Timestamp(seconds: 1_700_000_000, nanoseconds: 250_000_000))
    #expect(instant.date == date)
    #expect(Date(instant) == date)
    #expect(Timestamp(Date.distantFuture + 1e13) == nil)
    #expect(Timestamp(Date(timeIntervalSince1970: -.infinity)) == nil)
  }

  @Test func theClockRuns() {
    let now = Timestamp.now
    #expect(now > Timestamp(seconds: 1_750_000_000))
    #expect(SystemClock.bootSeconds > 0)
  }
}
