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

  static func read(_ bytes: [UInt8]) -> AmzDate? { read(bytes.span) }

  static func read(_ text: borrowing Span<UInt8>) -> AmzDate? {
    guard text.count == 16, text[8] == UInt8(ascii: "T"), text[15] == UInt8(ascii: "Z") else { return nil }
    func number(_ text: borrowing Span<UInt8>, _ range: Range<Int>) -> Int64? {
      var value: Int64 = 0
      for index in range {
        guard (0x30...0x39).contains(text[index]) else { return nil }
        value = value * 10 + Int64(text[index] - 0x30)
      }
      return value
    }
    guard let year = number(text, 0..<4), year >= 1970, let month = number(text, 4..<6),
      (1...12).contains(month),
      let day = number(text, 6..<8), day >= 1, let hour = number(text, 9..<11), hour < 24,
      let minute = number(text, 11..<13),
      minute < 60, let second = number(text, 13..<15), second < 60
    else { return nil }
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let longest: Int64 = month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    guard day <= longest else { return nil }
    return AmzDate(seconds: days(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second)
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
    return unsafe [UInt8](unsafeUninitializedCapacity: 16) { text, count in
      func two(_ value: Int64, _ place: Int) {
        let value = UInt8(truncatingIfNeeded: value)
        unsafe text[place] = 0x30 + value / 10
        unsafe text[place + 1] = 0x30 + value % 10
      }
      two(year / 100, 0)
      two(year % 100, 2)
      two(month, 4)
      two(day, 6)
      unsafe text[8] = UInt8(ascii: "T")
      two(time / 3_600, 9)
      two(time / 60 % 60, 11)
      two(time % 60, 13)
      unsafe text[15] = UInt8(ascii: "Z")
      count = 16
    }
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

extension AmzDate {
  /// `2015-12-30T12:00:00.000Z`.
  var iso8601: String {
    let text = bytes
    func part(_ range: Range<Int>) -> String { String(decoding: text[range], as: UTF8.self) }
    return
      "\(part(0..<4))-\(part(4..<6))-\(part(6..<8))T\(part(9..<11)):\(part(11..<13)):\(part(13..<15)).000Z"
  }

  /// Reads `2015-12-30T12:00:00Z`, with or without a fraction, which is dropped.
  package init?(iso8601 text: String) {
    var bytes = Array(text.utf8)
    guard bytes.count >= 20, bytes.count <= 30, bytes.last == UInt8(ascii: "Z"),
      bytes[4] == UInt8(ascii: "-"),
      bytes[7] == UInt8(ascii: "-"), bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":")
    else { return nil }
    let fraction = bytes[19..<bytes.count - 1]
    guard
      fraction.isEmpty
        || fraction.count > 1 && fraction.first == UInt8(ascii: ".")
          && fraction.dropFirst().allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    bytes.removeSubrange(19..<bytes.count - 1)
    guard let date = AmzDate.read(bytes.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: ":") }) else {
      return nil
    }
    self = date
  }
}
