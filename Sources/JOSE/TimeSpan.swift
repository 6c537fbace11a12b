/// A length of time in words, as people say it: "14 minutes", "2 hours 5 minutes", "3 days".
///
/// The two largest units are told, the rest is dropped. A year counts 365 days.
public struct TimeSpan: Sendable, Hashable, CustomStringConvertible {
  /// The length in seconds, never negative.
  public let seconds: Int64

  /// So many seconds; the sign is dropped.
  public init(seconds: Int64) {
    self.seconds = Int64(clamping: seconds.magnitude)
  }

  /// The time between two instants, in whichever order they stand.
  public init(from start: NumericDate, to end: NumericDate) {
    self.init(seconds: end.seconds.saturatingDifference(start.seconds))
  }

  public var description: String {
    let units: [(String, Int64)] = [
      ("year", 31_536_000), ("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1),
    ]
    guard let first = units.firstIndex(where: { seconds >= $0.1 }) else { return "0 seconds" }
    var parts = [Self.phrase(seconds / units[first].1, units[first].0)]
    if first + 1 < units.count {
      let rest = seconds % units[first].1 / units[first + 1].1
      if rest > 0 { parts.append(Self.phrase(rest, units[first + 1].0)) }
    }
    return parts.joined(separator: " ")
  }

  private static func phrase(_ count: Int64, _ unit: String) -> String {
    "\(count) \(unit)\(count == 1 ? "" : "s")"
  }
}

extension NumericDate {
  /// Where the instant lies, seen from `now`: "in 14 minutes", "2 days ago", "now".
  public func relative(to now: NumericDate) -> String {
    if seconds == now.seconds { return "now" }
    let span = TimeSpan(from: self, to: now)
    return self > now ? "in \(span)" : "\(span) ago"
  }
}
