/// A duration in words: "14 minutes", "2 hours 5 minutes", "3 days".
///
/// Only the two largest units are written. A year has 365 days.
public struct TimeSpan: Sendable, Hashable, CustomStringConvertible {
  /// Whole seconds, never negative.
  package let seconds: Int64

  /// The length of `duration`, without its sign.
  public init(_ duration: Duration) { self.init(seconds: duration.wholeSeconds) }

  /// A number of seconds, without its sign.
  package init(seconds: Int64) { self.seconds = Int64(clamping: seconds.magnitude) }

  /// The time between two instants, in either order.
  public init(from start: Timestamp, to end: Timestamp) {
    self.init(seconds: end.seconds.saturatingDifference(start.seconds))
  }

  /// The words.
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

extension Timestamp {
  /// The instant relative to `now`: "in 14 minutes", "2 days ago", "now".
  public func relative(to now: Timestamp) -> String {
    if seconds == now.seconds { return "now" }
    let span = TimeSpan(from: self, to: now)
    return self > now ? "in \(span)" : "\(span) ago"
  }
}
