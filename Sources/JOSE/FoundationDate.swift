public import struct FoundationEssentials.Date

extension NumericDate {
  /// The same instant, rounded to the nanosecond towards the past; nil beyond the years 1 to 9999.
  public init?(_ date: Date) {
    let interval = date.timeIntervalSince1970
    guard interval > -1e12, interval < 1e12 else { return nil }
    let whole = interval.rounded(.down)
    self.init(
      seconds: Int64(whole), nanoseconds: Int32(min((interval - whole) * 1e9, 999_999_999)))
  }

  /// The same instant as Foundation has it, as a `Double` of seconds.
  public var date: Date {
    Date(timeIntervalSince1970: Double(seconds) + Double(nanoseconds) / 1e9)
  }
}
