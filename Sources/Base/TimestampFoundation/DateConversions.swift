public import TokenLifetime
public import struct FoundationEssentials.Date

extension Timestamp {
  /// The same instant, rounded down to the nanosecond; nil outside the years 1 to 9999.
  ///
  /// - Parameter date: Foundation's date.
  public init?(_ date: Date) {
    let interval = date.timeIntervalSince1970
    guard interval > -1e12, interval < 1e12 else { return nil }
    let whole = interval.rounded(.down)
    self.init(
      seconds: Int64(whole), nanoseconds: Int32(min((interval - whole) * 1e9, 999_999_999)))
  }

  /// The same instant as Foundation represents it, a `Double` of seconds.
  public var date: Date { Date(self) }
}

/// Lets `TokenClaims.decode(_:)` fill members of type `Date`.
extension Date: TimestampConvertible {
  /// The same instant, with the precision of a `Double` of seconds.
  ///
  /// - Parameter timestamp: the instant.
  public init(_ timestamp: Timestamp) {
    self.init(timeIntervalSince1970: Double(timestamp.seconds) + Double(timestamp.nanoseconds) / 1e9)
  }
}
