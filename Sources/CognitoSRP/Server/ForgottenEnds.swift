/// The ends of entries that were forgotten: ranges of seconds, of which there are few.
///
/// Where there would be more ranges, the two that are closest become one, with all instants between them. So ends that a
/// clock far ahead has left stay apart from those of the present.
struct ForgottenEnds: Sendable {
  /// The most ranges.
  static let limit = 32

  /// In ascending order; between two of them there is at least one second.
  private(set) var ranges: [ClosedRange<Int64>] = []

  func contains(_ end: Int64) -> Bool { ranges.contains { $0.contains(end) } }

  mutating func insert(_ end: Int64) {
    guard !contains(end) else { return }
    let place = ranges.firstIndex { $0.lowerBound > end } ?? ranges.count
    ranges.insert(end...end, at: place)
    if place + 1 < ranges.count, gap(after: place) == 0 { merge(place) }
    if place > 0, gap(after: place - 1) == 0 { merge(place - 1) }
    guard ranges.count > Self.limit else { return }
    let closest = (0..<(ranges.count - 1)).min { gap(after: $0) < gap(after: $1) }
    if let closest { merge(closest) }
  }

  /// How many seconds lie between a range and the next one.
  private func gap(after place: Int) -> UInt64 {
    UInt64(bitPattern: ranges[place + 1].lowerBound &- ranges[place].upperBound) &- 1
  }

  private mutating func merge(_ place: Int) {
    let next = ranges.remove(at: place + 1)
    ranges[place] = ranges[place].lowerBound...next.upperBound
  }
}
