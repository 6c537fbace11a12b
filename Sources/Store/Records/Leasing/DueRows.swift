package import TokenLifetime

extension KeyRange {
  /// More than a leased row waits for its next try by clocks that agree within minutes.
  private static let longestWait = Duration.seconds(900)

  /// The parts of a range by the time at which rows are due: those that are due, and those that would wait longer than any
  /// pause or lease lasts, because a clock that was ahead has written them.
  ///
  /// - Parameters:
  ///   - now: the time.
  ///   - key: the key in the range of a time.
  /// - Returns: the ranges.
  package func due(at now: Timestamp, _ key: (Timestamp) -> RecordKey) -> [KeyRange] {
    [through(key(now)), after(key(now + Self.longestWait))]
  }
}
