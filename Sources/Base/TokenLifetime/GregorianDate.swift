/// A day of the Gregorian calendar, and the time of day that a format writes with it.
package struct GregorianDate: Sendable, Equatable {
  package let year: Int64
  /// 1 to 12.
  package let month: Int64
  /// 1 to 31.
  package let day: Int64

  /// Returns nil for a day that is not in the calendar.
  @inlinable
  package init?(year: Int64, month: Int64, day: Int64) {
    guard (1...12).contains(month), day >= 1, day <= Self.days(inMonth: month, of: year) else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
  }

  @inlinable
  static func days(inMonth month: Int64, of year: Int64) -> Int64 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  // The calendar repeats every 400 years of 146,097 days. Years are counted from March, so that the leap day
  // is the last of its year; month lengths from March on follow (153 m + 2) / 5.

  /// The day `dayNumber` days after 1970-01-01.
  @inlinable
  package init(dayNumber: Int64) {
    let shifted = dayNumber + 719_468
    let era = shifted.flooredQuotient(146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// Days since 1970-01-01.
  @inlinable
  package var dayNumber: Int64 {
    let year = month <= 2 ? year - 1 : year
    let era = year.flooredQuotient(400)
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// Seconds since 1970 of a time on this day, or nil where it is not a time of day. Second 60 is a leap
  /// second and counts as the second after it.
  @inlinable
  package func seconds(hour: Int64, minute: Int64, second: Int64, allowsLeapSecond: Bool = false) -> Int64? {
    guard (0..<24).contains(hour), (0..<60).contains(minute),
      (0..<60).contains(second) || (allowsLeapSecond && second == 60)
    else { return nil }
    return dayNumber * 86_400 + hour * 3_600 + minute * 60 + second
  }
}

extension Timestamp {
  /// Days since 1970-01-01, rounded down.
  @inlinable
  package var dayNumber: Int64 { seconds.flooredQuotient(86_400) }

  /// The second of the day, 0 to 86,399.
  @inlinable
  package var secondOfDay: Int64 { seconds - dayNumber * 86_400 }
}
