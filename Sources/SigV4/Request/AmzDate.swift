internal import Glibc

/// The instant of a signature: whole seconds, written as ISO 8601's basic format, `20150830T123600Z`.
///
/// The years 1970 to 9999 can be told.
public struct AmzDate: Sendable, Hashable, Comparable {
  /// Seconds since 1970-01-01T00:00:00Z, leap seconds left out.
  public let seconds: Int64

  /// The earliest and the latest second that can be told.
  public static let range: ClosedRange<Int64> = 0...253_402_300_799

  /// An instant; those outside of ``range`` are moved to its ends.
  public init(seconds: Int64) {
    self.seconds = min(max(seconds, Self.range.lowerBound), Self.range.upperBound)
  }

  /// The present, from the system's clock.
  public static var now: AmzDate { AmzDate(seconds: Int64(time(nil))) }

  /// Reads `20150830T123600Z`, and nothing that is not a day of the calendar or a time of day.
  ///
  /// - Throws: `SigV4Error.dateMalformed`.
  public init(_ text: String) throws(SigV4Error) {
    guard let date = Self.read(Array(text.utf8)) else { throw .dateMalformed(text) }
    self = date
  }

  /// The instant `seconds` later, or earlier where that is negative.
  public func advanced(bySeconds seconds: Int64) -> AmzDate {
    let (sum, overflow) = self.seconds.addingReportingOverflow(seconds)
    return AmzDate(seconds: overflow ? (seconds > 0 ? .max : .min) : sum)
  }

  public static func < (a: AmzDate, b: AmzDate) -> Bool { a.seconds < b.seconds }

  static func read(_ text: [UInt8]) -> AmzDate? {
    guard text.count == 16, text[8] == UInt8(ascii: "T"), text[15] == UInt8(ascii: "Z") else { return nil }
    func number(_ range: Range<Int>) -> Int64? {
      var value: Int64 = 0
      for index in range {
        guard (0x30...0x39).contains(text[index]) else { return nil }
        value = value * 10 + Int64(text[index] - 0x30)
      }
      return value
    }
    guard let year = number(0..<4), year >= 1970, let month = number(4..<6), (1...12).contains(month),
      let day = number(6..<8), day >= 1, let hour = number(9..<11), hour < 24, let minute = number(11..<13),
      minute < 60, let second = number(13..<15), second < 60
    else { return nil }
    let date = AmzDate(seconds: days(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second)
    // A 31st of April comes out as the 1st of May.
    guard date.bytes == text else { return nil }
    return date
  }

  // The proleptic Gregorian calendar in eras of 400 years that begin in March, so that leap days come last.
  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let year = month <= 2 ? year - 1 : year
    let era = year / 400
    let ofEra = year - era * 400
    let ofYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468
  }

  /// The sixteen characters.
  var bytes: [UInt8] {
    let days = seconds / 86_400 + 719_468
    let era = days / 146_097
    let ofEra = days - era * 146_097
    let yearOfEra = (ofEra - ofEra / 1_460 + ofEra / 36_524 - ofEra / 146_096) / 365
    let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * ofYear + 2) / 153
    let day = ofYear - (153 * shifted + 2) / 5 + 1
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    let time = seconds % 86_400
    var text: [UInt8] = []
    text.reserveCapacity(16)
    func two(_ value: Int64) {
      text.append(0x30 + UInt8(value / 10))
      text.append(0x30 + UInt8(value % 10))
    }
    two(year / 100)
    two(year % 100)
    two(month)
    two(day)
    text.append(UInt8(ascii: "T"))
    two(time / 3_600)
    two(time / 60 % 60)
    two(time % 60)
    text.append(UInt8(ascii: "Z"))
    return text
  }

  /// The day, `20150830`: what a credential scope begins with.
  var day: [UInt8] { Array(bytes[..<8]) }

  /// Days since 1970.
  var dayNumber: Int64 { seconds / 86_400 }
}

extension AmzDate: CustomStringConvertible {
  /// `20150830T123600Z`.
  public var description: String { String(decoding: bytes, as: UTF8.self) }
}
