// Dates with English names, which e-mail and Amazon Cognito have.
extension Timestamp {
  /// The names of the months, January first.
  package static let monthNames = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
  /// The names of the days of the week, from that of 1970-01-01.
  private static let dayNames = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]

  /// The name of the day of the week in UTC, `Mon`.
  package var dayName: String { Self.dayNames[Int(dayNumber - dayNumber.flooredQuotient(7) * 7)] }

  /// The name of the month in UTC, `Nov`.
  package var monthName: String {
    Self.monthNames[Int(GregorianDate(dayNumber: dayNumber).month) - 1]
  }

  /// The date of an e-mail (RFC 5322 section 3.3), `Mon, 23 Nov 2026 07:41:25 +0000`. A fraction of a second is
  /// dropped.
  package var emailDate: String {
    let date = GregorianDate(dayNumber: dayNumber)
    return
      "\(dayName), \(Self.padded(date.day, 2)) \(monthName) \(Self.padded(date.year, 4)) \(timeOfDay) +0000"
  }
}
