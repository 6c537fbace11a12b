internal import Records
internal import Synchronization

/// The versions of tables on this node. They grow with its own writes and with notifications of others'.
///
/// They are known while a listening connection is answered: everything that was committed before the last
/// answered question was sent has been notified.
final class ChangeTracker: ChangeSource {
  private let log: ChangeLog
  private let places: [ExactTableName: Int]
  private let state: Mutex<State>

  private struct State: Sendable {
    var versions: TableVersions
    var aliveUntil: ContinuousClock.Instant?
    /// This node's own transactions whose notifications are still to come.
    var own: Set<Int64> = []
  }

  private typealias ExactTableName = [UInt8]

  init(_ layouts: [TableLayout]) {
    log = ChangeLog(tables: layouts.count)
    places = Dictionary(
      layouts.enumerated().map { (Array($1.name.utf8), $0) }, uniquingKeysWith: { first, _ in first })
    state = Mutex(State(versions: TableVersions(Array(repeating: 0, count: layouts.count))))
  }

  func versions() throws(RecordStoreError) -> TableVersions? {
    state.withLock { state in
      guard let end = state.aliveUntil, end > .now else { return nil }
      return state.versions
    }
  }

  func keys(of table: Int, version: Int64) -> [RecordKey]? { log.keys(of: table, version: version) }

  /// Notifications up to an answered question have arrived.
  func setAlive(until end: ContinuousClock.Instant?) {
    state.withLock { state in
      state.aliveUntil = end
      if end == nil { state.own = [] }
    }
  }

  /// All rows may have changed.
  func addAll() {
    state.withLock { state in
      state.versions = TableVersions(state.versions.numbers.map { $0 + 1 })
      state.own = []
    }
  }

  /// A transaction of this node is about to be committed. Its notification will add nothing.
  func expect(_ id: Int64) {
    state.withLock { state in
      // Only a listening connection receives the notification.
      if state.aliveUntil != nil, state.own.count < 10_000 { state.own.insert(id) }
    }
  }

  /// A transaction of this node was not committed.
  func forget(_ id: Int64) { state.withLock { _ = $0.own.remove(id) } }

  /// Adds the changes of this node's transaction.
  func add(_ changed: ChangedRows) { state.withLock { add(changed, &$0) } }

  private func add(_ changed: ChangedRows, _ state: inout State) {
    var numbers = state.versions.numbers
    for (table, keys) in changed.tables {
      numbers[table] += 1
      log.add(table, version: numbers[table], keys)
    }
    state.versions = TableVersions(numbers)
  }

  /// Adds the changes of a notification.
  func receive(_ text: String) {
    guard let notification = ChangeNotification(text) else { return addAll() }
    var changed = ChangedRows()
    for (name, keys) in notification.tables {
      guard let table = places[Array(name.utf8)] else { continue }
      if let keys {
        for key in keys { changed.add(table, key) }
      } else {
        changed.addAll(table)
      }
    }
    state.withLock { state in
      guard state.own.remove(notification.id) == nil else { return }
      add(changed, &state)
    }
  }
}
