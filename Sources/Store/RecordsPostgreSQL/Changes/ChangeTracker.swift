internal import Records
internal import Synchronization

/// The versions of tables on this node. They grow with its own writes and with those of others.
///
/// They are known for a time after a question for others' changes that was answered. The answer has
/// everything that was committed before the question was sent. So a read that begins while the versions are
/// known sees what was committed two seconds before it began, however slow the machine is.
package final class ChangeTracker: ChangeSource {
  /// How long the versions are known after a question was sent: the bound of staleness.
  package static let staleness = Duration.seconds(2)

  /// Changes of other nodes are known some time after their commits.
  package let isExact = false
  private let log: ChangeLog
  private let clock: @Sendable () -> ContinuousClock.Instant
  private let tableNumbers: [ExactTableName: Int]
  private let state: Mutex<State>

  private struct State: Sendable {
    var versions: TableVersions
    var aliveUntil: ContinuousClock.Instant?
    /// This node's own transactions, whose changes are still to be received, and whether they were added.
    var own: [Int64: Bool] = [:]
  }

  private typealias ExactTableName = [UInt8]

  /// - Parameters:
  ///   - layouts: the tables.
  ///   - clock: a clock that is never set. Default: the system's.
  package init(
    _ layouts: [TableLayout], clock: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    self.clock = clock
    log = ChangeLog(tables: layouts.count)
    tableNumbers = Dictionary(
      layouts.enumerated().map { (Array($1.name.utf8), $0) }, uniquingKeysWith: { first, _ in first })
    state = Mutex(State(versions: TableVersions(Array(repeating: 0, count: layouts.count))))
  }

  package func versions() throws(RecordStoreError) -> TableVersions? {
    let now = clock()
    return state.withLock { state in
      guard let end = state.aliveUntil, now < end else { return nil }
      return state.versions
    }
  }

  package func keys(of table: Int, version: Int64) -> [RecordKey]? { log.keys(of: table, version: version) }

  /// Changes up to an answered question have been received; nil if the connection is lost.
  package func setAlive(until end: ContinuousClock.Instant?) {
    state.withLock { state in
      state.aliveUntil = end
      if end == nil { state.own = [:] }
    }
  }

  /// All rows may have changed.
  func addAll() {
    state.withLock { state in
      state.versions = TableVersions(state.versions.numbers.map { $0 + 1 })
      state.own = [:]
    }
  }

  /// A transaction of this node is about to be committed. Once its changes are added, they add nothing when
  /// they are received. They may be received first, if the answer to the commit is late.
  package func expect(_ id: Int64) {
    state.withLock { state in
      // Only a connection that asks receives them.
      if state.aliveUntil != nil, state.own.count < 10_000 { state.own[id] = false }
    }
  }

  /// A transaction of this node was not committed.
  package func forget(_ id: Int64) { state.withLock { $0.own[id] = nil } }

  /// Adds the changes of this node's transaction.
  package func add(_ id: Int64, _ changed: ChangedRows) {
    state.withLock { state in
      if state.own[id] != nil { state.own[id] = true }
      add(changed, &state)
    }
  }

  private func add(_ changed: ChangedRows, _ state: inout State) {
    var numbers = state.versions.numbers
    for (table, keys) in changed.tables {
      numbers[table] += 1
      log.add(table, version: numbers[table], keys)
    }
    state.versions = TableVersions(numbers)
  }

  /// Adds the changes of transactions; if there are more than `limit`, all rows may have changed.
  package func receive(_ texts: [String], limit: Int) {
    guard texts.count <= limit else { return addAll() }
    for text in texts { receive(text) }
  }

  private func receive(_ text: String) {
    guard let recorded = RecordedChanges(text) else { return addAll() }
    var changed = ChangedRows()
    for (name, keys) in recorded.tables {
      guard let table = tableNumbers[Array(name.utf8)] else { continue }
      if let keys {
        for key in keys { changed.add(table, key) }
      } else {
        changed.addAll(table)
      }
    }
    state.withLock { state in
      if state.own.removeValue(forKey: recorded.id) == true { return }
      add(changed, &state)
    }
  }
}
