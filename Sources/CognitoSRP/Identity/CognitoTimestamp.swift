public import SecureRemotePassword

/// The instant of an answer, as its signature covers it: `Sat Sep 5 09:03:07 UTC 2026`. English names, UTC, a day of the
/// month without a zero in front and a time with them, whatever the machine's language and clock.
public struct CognitoTimestamp: Sendable, Hashable {
  /// Seconds since 1970.
  public let seconds: Int64

  private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
  /// The last second of the year 9999.
  private static let last: Int64 = 253_402_300_799

  /// An instant from 1970 to 9999; anything else becomes the nearest of these.
  public init(seconds: Int64) { self.seconds = min(max(seconds, 0), Self.last) }

  /// The text.
  public var text: String {
    let day = seconds / 86_400
    let (year, month, date) = Self.civil(day)
    let time = seconds % 86_400
    func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return
      "\(Self.days[Int(day % 7)]) \(Self.months[month - 1]) \(date) \(two(time / 3_600)):\(two(time / 60 % 60)):\(two(time % 60)) UTC \(year)"
  }

  /// Reads a text of exactly this form, whose day of the week is the right one.
  ///
  /// Throws `timestampMalformed`.
  public init(_ text: String) throws(SRPError) {
    guard let instant = CognitoTimestamp(exactly: text) else { throw .timestampMalformed(text) }
    self = instant
  }

  init?(exactly text: String) {
    guard let seconds = Self.seconds(text),
      CognitoTimestamp(seconds: seconds).text.utf8.elementsEqual(text.utf8)
    else { return nil }
    self.seconds = seconds
  }

  private static func seconds(_ text: String) -> Int64? {
    guard text.utf8.count <= 28 else { return nil }
    let words = text.utf8.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard words.count == 6, let month = months.firstIndex(where: { $0.utf8.elementsEqual(words[1]) }),
      let date = number(words[2], digits: 1...2), (1...31).contains(date),
      let year = number(words[5], digits: 4...4), year >= 1970
    else { return nil }
    let time = words[3].split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard time.count == 3, let hour = number(time[0], digits: 2...2), hour < 24,
      let minute = number(time[1], digits: 2...2), minute < 60, let second = number(time[2], digits: 2...2),
      second < 60
    else { return nil }
    return day(year, month + 1, date) * 86_400 + Int64(hour * 3_600 + minute * 60 + second)
  }

  private static func number(_ text: Substring.UTF8View, digits: ClosedRange<Int>) -> Int? {
    guard digits.contains(text.count), text.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return text.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  /// The day's number since 1970 of a date of the Gregorian calendar: years begin in March here, so that the odd day comes
  /// last.
  private static func day(_ year: Int, _ month: Int, _ date: Int) -> Int64 {
    let shifted = month > 2 ? year : year - 1
    let era = shifted / 400
    let yearOfEra = shifted % 400
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + date - 1
    return Int64(era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468)
  }

  private static func civil(_ day: Int64) -> (year: Int, month: Int, date: Int) {
    let shifted = Int(day) + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let place = (5 * dayOfYear + 2) / 153
    let month = place < 10 ? place + 3 : place - 9
    return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * place + 2) / 5 + 1)
  }
}
