internal import Foundation
internal import JOSE
internal import Testing
internal import TimestampFoundation

@Suite struct NumericDateTests {
  @Test(
    arguments: [
      ("0", 0, 0), ("-0", 0, 0), ("1", 1, 0), ("1700000000", 1_700_000_000, 0),
      ("1700000000.5", 1_700_000_000, 500_000_000),
      ("1.7e9", 1_700_000_000, 0), ("17e+8", 1_700_000_000, 0), ("170000000000e-2", 1_700_000_000, 0),
      ("0.0000000019", 0, 1), ("1e-9", 0, 1), ("1e-99999", 0, 0), ("-0.25", -1, 750_000_000),
      ("-1.5", -2, 500_000_000),
      ("253402300799", 253_402_300_799, 0), ("-62135596800", -62_135_596_800, 0),
      ("1.00000000000000000000001", 1, 0),
      ("0e999999999999", 0, 0), ("0.000e400", 0, 0), ("12345678901.123456789", 12_345_678_901, 123_456_789),
    ] as [(String, Int64, Int32)])
  func readsExactly(text: String, seconds: Int64, nanoseconds: Int32) throws {
    let number = try #require(try JSONValue(parsing: text).number)
    let date = try #require(NumericDate(number))
    #expect(date.seconds == seconds)
    #expect(date.nanoseconds == nanoseconds)
  }

  @Test(arguments: [
    "253402300800", "-62135596801", "1e400", "-1e400", "1e13", "99999999999999999999", "1767225600000",
    "1e99999999999999999999",
  ])
  func refusesWhatCannotBeTold(text: String) throws {
    let number = try #require(try JSONValue(parsing: text).number)
    #expect(NumericDate(number) == nil)
  }

  /// Compares the calendar with Foundation's formatter.
  @Test func agreesWithFoundationOnTheCalendar() throws {
    let style = Date.ISO8601FormatStyle()
    for seconds in stride(from: Int64(-5_000_000_000), to: 250_000_000_000, by: 86_400 * 317 + 12_345) {
      let text = NumericDate(seconds: seconds).description
      #expect(text == style.format(Date(timeIntervalSince1970: Double(seconds))))
      #expect(NumericDate(rfc3339: text)?.seconds == seconds)
    }
  }

  @Test(
    arguments: [
      ("1970-01-01T00:00:00Z", 0), ("2026-09-05T09:03:07Z", 1_788_598_987),
      ("2026-09-05t11:33:07+02:30", 1_788_598_987),
      ("2000-02-29T00:00:00Z", 951_782_400), ("2016-12-31T23:59:60Z", 1_483_228_800),
      ("2026-09-05T09:03:07.000000000Z", 1_788_598_987),
    ] as [(String, Int64)])
  func readsRFC3339(text: String, seconds: Int64) {
    #expect(NumericDate(rfc3339: text) == NumericDate(seconds: seconds))
  }

  @Test(arguments: [
    "", "2026-09-05", "2026-09-05 09:03:07Z", "2026-09-05T09:03:07", "2026-13-05T09:03:07Z",
    "2026-02-29T09:03:07Z",
    "1900-02-29T00:00:00Z", "2026-09-31T09:03:07Z", "2026-09-05T24:03:07Z", "2026-09-05T09:60:07Z",
    "2026-09-05T09:03:61Z",
    "2026-09-05T09:03:07.Z", "2026-09-05T09:03:07Zx", "2026-09-05T09:03:07+2:30", "26-09-05T09:03:07Z",
    "２026-09-05T09:03:07Z",
  ])
  func refusesOtherTexts(text: String) {
    #expect(NumericDate(rfc3339: text) == nil)
  }

  @Test func spansInWords() {
    let now = NumericDate(seconds: 1_000_000_000)
    #expect(now.advanced(bySeconds: 840).relative(to: now) == "in 14 minutes")
    #expect(now.advanced(bySeconds: -7_500).relative(to: now) == "2 hours 5 minutes ago")
    #expect(now.relative(to: now) == "now")
    #expect(TimeSpan(seconds: 1).description == "1 second")
    #expect(TimeSpan(seconds: .min).description.hasPrefix("29"))
    #expect(now.advanced(bySeconds: .max).seconds == NumericDate.range.upperBound)
    #expect(now.advanced(bySeconds: .min).seconds == NumericDate.range.lowerBound)
  }

  @Test func convertsToFoundation() throws {
    let date = Date(timeIntervalSince1970: 1_700_000_000.5)
    #expect(try #require(NumericDate(date)).nanoseconds == 500_000_000)
    #expect(NumericDate(date)?.date == date)
    #expect(NumericDate(Date.distantFuture) != nil)
    #expect(NumericDate(Date(timeIntervalSince1970: 1e13)) == nil)
    #expect(NumericDate(Date(timeIntervalSince1970: .nan)) == nil)
    let coded = try JSONDecoder().decode([NumericDate].self, from: Data("[1700000000,1.5]".utf8))
    #expect(coded.map(\.seconds) == [1_700_000_000, 1])
    #expect(String(decoding: try JSONEncoder().encode(coded), as: UTF8.self) == "[1700000000,1.5]")
  }

  @Test func theClockIsTheSystems() {
    let before = Date()
    let now = NumericDate.now.date
    // Within an hour: the system's clock can be set meanwhile.
    #expect((before - 3_600...before + 3_600).contains(now))
  }
}
