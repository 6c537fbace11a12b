internal import Foundation

/// The sizes of random series, of fuzzing and of kill tests.
///
/// A change runs them at a tenth; `TEST_SCALE=1` runs them in full.
public enum TestScale {
  /// The factor: that of the variable `TEST_SCALE`, or 0.1.
  public static let factor =
    ProcessInfo.processInfo.environment["TEST_SCALE"].flatMap(Double.init) ?? 0.1

  /// Whether everything runs in full.
  public static let isFull = factor >= 1

  /// Returns the size of a series.
  ///
  /// - Parameters:
  ///   - full: the size at a factor of 1.
  ///   - minimum: the least size that still tests something.
  /// - Returns: the part of `full` that this run does, at least `minimum`.
  public static func count(_ full: Int, minimum: Int = 1) -> Int {
    max(minimum, min(full, Int((Double(full) * factor).rounded())))
  }
}
