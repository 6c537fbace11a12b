internal import TokenSecurityEncodings
internal import Synchronization

/// Rows that cannot be read. Lists leave them out, and report each of them once.
final class BrokenRows: Sendable {
  private let onBrokenRow: @Sendable (_ table: String, _ id: String) -> Void
  private let seen = Mutex<Set<ExactString>>([])
  /// The most rows that are reported.
  private static let capacity = 1_000

  init(_ onBrokenRow: @escaping @Sendable (String, String) -> Void) { self.onBrokenRow = onBrokenRow }

  func report(_ table: String, _ id: String) {
    let isNew = seen.withLock { seen in
      seen.count < Self.capacity && seen.insert(ExactString("\(table)\n\(id)")).inserted
    }
    if isNew { onBrokenRow(table, id) }
  }
}
