extension NumericDate: CustomStringConvertible {
  /// The instant in UTC after RFC 3339, `2026-09-05T09:03:07Z`; a fraction is shown where there is one.
  public var description: String {
    let days = seconds.flooredQuotient(86_400)
    let second = seconds - days * 86_400
    let (year, month, day) = Self.civil(fromDays: days)
    var text =
      Self.padded(year, 4) + "-" + Self.padded(month, 2) + "-" + Self.padded(day, 2) + "T"
      + Self.padded(second / 3_600, 2) + ":" + Self.padded(second / 60 % 60, 2) + ":"
      + Self.padded(second % 60, 2)
    if nanoseconds != 0 {
      var fraction = Self.padded(Int64(nanoseconds), 9)
      while fraction.utf8.last == UInt8(ascii: "0") { fraction.removeLast() }
      text += "." + fraction
    }
    return text + "Z"
  }

  /// Reads a date and time after RFC 3339 section 5.6, with an offset or `Z`, or nil where the text is
  /// something else. A leap second (`:60`) counts as the second after it.
  public init?(rfc3339 text: String) {
    var fields = RFC3339Fields(text)
    guard let year = fields.digits(4), fields.take("-"), let month = fields.digits(2),
      fields.take("-"), let day = fields.digits(2), fields.take("T") || fields.take("t"),
      let hour = fields.digits(2), fields.take(":"), let minute = fields.digits(2),
      fields.take(":"), let second = fields.digits(2),
      (1...12).contains(month), (1...Self.daysIn(month, of: year)).contains(day), hour < 24,
      minute < 60, second <= 60
    else { return nil }
    guard let nanoseconds = fields.fraction(), let offset = fields.offset(), fields.isAtEnd else {
      return nil
    }
    let days = Self.days(year: year, month: month, day: day)
    self.init(
      seconds: days * 86_400 + hour * 3_600 + minute * 60 + second - offset,
      nanoseconds: nanoseconds)
  }

  private static func padded(_ value: Int64, _ width: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  private static func daysIn(_ month: Int64, of year: Int64) -> Int64 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  // The Gregorian calendar repeats every 400 years of 146,097 days. Years are counted from March, so
  // that the leap day is the last of its year; month lengths from March on follow (153 m + 2) / 5.
  private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
    let year = month <= 2 ? year - 1 : year
    let era = year.flooredQuotient(400)
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  private static func civil(fromDays days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = days + 719_468
    let era = shifted.flooredQuotient(146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }
}

extension Int64 {
  fileprivate func flooredQuotient(_ divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}

/// The fields of an RFC 3339 text, taken from the front.
private struct RFC3339Fields {
  private var rest: Substring.UTF8View

  init(_ text: String) { rest = Substring(text).utf8 }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard let first = rest.first, UInt32(first) == character.value else { return false }
    rest.removeFirst()
    return true
  }

  mutating func digits(_ count: Int) -> Int64? {
    guard rest.count >= count else { return nil }
    var value: Int64 = 0
    for byte in rest.prefix(count) {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      value = value * 10 + Int64(byte - UInt8(ascii: "0"))
    }
    rest.removeFirst(count)
    return value
  }

  /// Nanoseconds of an optional fraction; nil where a point has no digits behind it.
  mutating func fraction() -> Int32? {
    guard take(".") else { return 0 }
    var value: Int32 = 0
    var count = 0
    while let digit = digits(1) {
      if count < 9 { value = value * 10 + Int32(digit) }
      count += 1
    }
    guard count > 0 else { return nil }
    for _ in min(count, 9)..<9 { value *= 10 }
    return value
  }

  /// Seconds east of UTC.
  mutating func offset() -> Int64? {
    if take("Z") || take("z") { return 0 }
    let sign: Int64
    if take("+") { sign = 1 } else if take("-") { sign = -1 } else { return nil }
    guard let hours = digits(2), take(":"), let minutes = digits(2), hours < 24, minutes < 60
    else { return nil }
    return sign * (hours * 3_600 + minutes * 60)
  }
}
