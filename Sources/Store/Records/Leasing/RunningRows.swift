internal import Synchronization

/// The leased rows whose work is under way in this process. A lease ends by the clock: one that is set forward ends it while
/// the work goes on, and the process must not take the row a second time. There are as many as work has slots.
package final class RunningRows: Sendable {
  private let state = Mutex<Set<RecordKey>>([])

  package init() {}

  /// The keys of the rows.
  package var keys: Set<RecordKey> { state.withLock { $0 } }

  /// True where no row's work is under way.
  package var isEmpty: Bool { state.withLock { $0.isEmpty } }

  /// Notes that the work of a row begins.
  ///
  /// - Returns: false where it is under way already.
  package func begin(_ key: RecordKey) -> Bool { state.withLock { $0.insert(key).inserted } }

  /// Notes that the work of a row has ended, and what became of it is stored.
  package func end(_ key: RecordKey) { _ = state.withLock { $0.remove(key) } }
}
