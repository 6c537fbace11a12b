extension Timestamp: CustomStringConvertible {
  /// The instant in UTC as RFC 3339 text, `2026-09-05T09:03:07Z`, with a fraction if there is one.
  public var description: String {
    let date = GregorianDate(dayNumber: dayNumber)
    var text =
      Self.padded(date.year, 4) + "-" + Self.padded(date.month, 2) + "-" + Self.padded(date.day, 2) + "T"
      + timeOfDay
    if nanoseconds != 0 {
      var fraction = Self.padded(Int64(nanoseconds), 9)
      while fraction.utf8.last == UInt8(ascii: "0") { fraction.removeLast() }
      text += "." + fraction
    }
    return text + "Z"
  }

  /// Reads a date and time as in RFC 3339 section 5.6, with an offset or `Z`. Nil for any other text. A leap
  /// second (`:60`) counts as the second after it.
  public init?(rfc3339 text: String) {
    var fields = RFC3339Fields(text)
    guard let year = fields.digits(4), fields.take("-"), let month = fields.digits(2),
      fields.take("-"), let day = fields.digits(2), fields.take("T") || fields.take("t"),
      let hour = fields.digits(2), fields.take(":"), let minute = fields.digits(2),
      fields.take(":"), let second = fields.digits(2),
      let date = GregorianDate(year: year, month: month, day: day),
      let seconds = date.seconds(hour: hour, minute: minute, second: second, allowsLeapSecond: true)
    else { return nil }
    guard let nanoseconds = fields.fraction(), let offset = fields.offset(), fields.isAtEnd else {
      return nil
    }
    self.init(seconds: seconds - offset, nanoseconds: nanoseconds)
  }

  /// The time of day in UTC, `09:03:07`.
  package var timeOfDay: String {
    let second = secondOfDay
    return Self.padded(second / 3_600, 2) + ":" + Self.padded(second / 60 % 60, 2) + ":"
      + Self.padded(second % 60, 2)
  }

  static func padded(_ value: Int64, _ width: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
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

  /// Nanoseconds of an optional fraction; nil for a point without digits after it.
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
