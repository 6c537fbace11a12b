public import TokenLifetime
internal import TokenSecurityBase

/// The date of a signature in the basic format of ISO 8601, `20150830T123600Z`: whole seconds, years 1970 to
/// 9999.
extension Timestamp {
  /// The instant as `20150830T123600Z`. A fraction is dropped, and an earlier instant becomes 1970-01-01.
  public var amzDate: String { String(decoding: amzBytes, as: UTF8.self) }

  /// Reads `20150830T123600Z`. The day must be in the calendar, and the time of day must exist.
  ///
  /// - Throws: `SigV4Error.dateMalformed`.
  public init(amzDate text: String) throws(SigV4Error) {
    guard let instant = Self.readAMZDate(text.utf8.span) else { throw .dateMalformed(text) }
    self = instant
  }

  /// The instant in whole seconds, and not before 1970, as signatures use it.
  var signingSecond: Timestamp { Timestamp(seconds: max(0, seconds)) }

  static func readAMZDate(_ text: borrowing Span<UInt8>) -> Timestamp? {
    guard text.count == 16, text[8] == UInt8(ascii: "T"), text[15] == UInt8(ascii: "Z") else { return nil }
    @inline(__always)
    func number(_ text: borrowing Span<UInt8>, _ range: Range<Int>) -> Int64? {
      var value: Int64 = 0
      for index in range {
        guard (0x30...0x39).contains(text[index]) else { return nil }
        value = value * 10 + Int64(text[index] - 0x30)
      }
      return value
    }
    guard let year = number(text, 0..<4), year >= 1970, let month = number(text, 4..<6),
      let day = number(text, 6..<8), let hour = number(text, 9..<11), let minute = number(text, 11..<13),
      let second = number(text, 13..<15), let date = GregorianDate(year: year, month: month, day: day),
      let seconds = date.seconds(hour: hour, minute: minute, second: second)
    else { return nil }
    return Timestamp(seconds: seconds)
  }

  /// The sixteen characters.
  var amzBytes: [UInt8] {
    let instant = signingSecond
    let date = GregorianDate(dayNumber: instant.dayNumber)
    let time = instant.secondOfDay
    var text: [UInt8] = []
    text.append(addingCapacity: 16) { text in
      @inline(__always)
      func two(_ value: Int64) {
        let value = UInt8(truncatingIfNeeded: value)
        text.append(0x30 &+ value / 10)
        text.append(0x30 &+ value % 10)
      }
      two(date.year / 100)
      two(date.year % 100)
      two(date.month)
      two(date.day)
      text.append(UInt8(ascii: "T"))
      two(time / 3_600)
      two(time / 60 % 60)
      two(time % 60)
      text.append(UInt8(ascii: "Z"))
    }
    return text
  }

  /// The day, `20150830`, the first part of a credential scope.
  var amzDay: [UInt8] { Array(amzBytes[..<8]) }
}

/// The extended format of ISO 8601, as in S3's policies and AWS credentials: always UTC, not before 1970.
extension Timestamp {
  /// `2015-12-30T12:00:00.000Z`.
  var iso8601: String { signingSecond.description.dropLast() + ".000Z" }

  /// Reads `2015-12-30T12:00:00Z`. A fraction is dropped.
  package init?(iso8601 text: String) {
    guard text.utf8.count <= 30, text.utf8.last == UInt8(ascii: "Z"), let read = Timestamp(rfc3339: text),
      read.seconds >= 0
    else { return nil }
    self = read.signingSecond
    // RFC 3339 also allows leap seconds and a lower-case "t".
    guard description.utf8.prefix(19).elementsEqual(text.utf8.prefix(19)) else { return nil }
  }
}
