internal import Synchronization

/// Counts what many tasks do.
public final class Tally: Sendable {
  private let count = Atomic(0)

  /// A count of zero.
  public init() {}

  /// The count.
  public var value: Int { count.load(ordering: .sequentiallyConsistent) }

  /// Counts one more, and returns the number so far.
  @discardableResult
  public func add() -> Int { count.add(1, ordering: .sequentiallyConsistent).newValue }
}

/// Lets other tasks run before a test looks whether one of them did what it must not do.
public func letOthersRun() async {
  for _ in 0..<1_000 { await Task.yield() }
}
