internal import Synchronization

/// Rows that cannot be read. Lists leave them out, and each is reported once.
package final class DamagedRows: Sendable {
  /// Receives the table and the key of a row that cannot be read.
  package typealias Report = @Sendable (_ table: String, _ key: RecordKey) -> Void

  private let report: Report
  private let seen = Mutex<Set<RecordKey>>([])
  /// Maximum number of rows that are reported.
  private static let capacity = 1_000

  package init(_ report: @escaping Report) { self.report = report }

  func add(_ table: String, _ key: RecordKey) {
    let isNew = seen.withLock { seen in
      seen.count < Self.capacity && seen.insert(RecordKey(table, key.bytes)).inserted
    }
    if isNew { report(table, key) }
  }
}
