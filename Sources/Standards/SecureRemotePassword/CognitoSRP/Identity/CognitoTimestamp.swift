public import TokenLifetime
internal import TokenSecurityBase

/// The timestamp in a response's signature, in English and UTC: `Sat Sep 5 09:03:07 UTC 2026`. The day of the
/// month has no leading zero.
extension Timestamp {
  /// The instant as Cognito's timestamp. A fraction is dropped, and an instant before 1970 becomes
  /// 1970-01-01.
  public var cognitoText: String {
    let instant = Timestamp(seconds: max(0, seconds))
    let date = GregorianDate(dayNumber: instant.dayNumber)
    return "\(instant.dayName) \(instant.monthName) \(date.day) \(instant.timeOfDay) UTC \(date.year)"
  }

  /// Parses Cognito's timestamp in exactly this form, with the right day of the week.
  ///
  /// - Parameter text: the timestamp.
  /// - Throws: `timestampMalformed`.
  public init(cognitoText text: String) throws(SRPError) {
    guard let instant = Self.readCognitoText(text) else { throw .timestampMalformed(text) }
    self = instant
  }

  static func readCognitoText(_ text: String) -> Timestamp? {
    guard text.utf8.count <= 28 else { return nil }
    let words = text.utf8.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard words.count == 6, let month = monthNames.firstIndex(where: { $0.utf8.elementsEqual(words[1]) }),
      let day = number(words[2], digits: 1...2), let year = number(words[5], digits: 4...4), year >= 1970,
      let date = GregorianDate(year: year, month: Int64(month + 1), day: day)
    else { return nil }
    let time = words[3].split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard time.count == 3, let hour = number(time[0], digits: 2...2),
      let minute = number(time[1], digits: 2...2), let second = number(time[2], digits: 2...2),
      let seconds = date.seconds(hour: hour, minute: minute, second: second)
    else { return nil }
    let instant = Timestamp(seconds: seconds)
    return instant.cognitoText == text ? instant : nil
  }

  private static func number(_ text: Substring.UTF8View, digits: ClosedRange<Int>) -> Int64? {
    guard digits.contains(text.count), text.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return text.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
  }
}
