/// Waits until a condition holds that another process, thread or task makes true.
///
/// This is the only place of the Swift tests that sleeps: an event that a test cannot await is polled here. The limit
/// is for tests that would otherwise hang; nothing is asserted about the time.
///
/// - Parameters:
///   - file: the caller's file.
///   - line: the caller's line.
///   - isolation: the caller's actor.
///   - condition: the condition.
/// - Throws: what the condition throws; `ConditionNeverHeld` after ten minutes.
public func eventually(
  file: StaticString = #fileID, line: UInt = #line,
  isolation: isolated (any Actor)? = #isolation, _ condition: () async throws -> Bool
) async throws {
  let end = ContinuousClock.now + .seconds(600)
  while try await !condition() {
    guard ContinuousClock.now < end else { throw ConditionNeverHeld(place: "\(file):\(line)") }
    try await Task.sleep(for: .milliseconds(2))
  }
}

/// A condition that did not come to hold.
public struct ConditionNeverHeld: Error, CustomStringConvertible {
  /// The file and the line of the call.
  public let place: String
  /// A sentence with the place.
  public var description: String { "the condition at \(place) did not hold within ten minutes" }
}
