internal import Records
internal import Synchronization

/// What the transactions of a node share.
final class EngineContext: Sendable {
  let statements: [ServerStatements]
  let statementTimeout: Duration
  let attempts: Int
  let tracker: ChangeTracker
  private let state: Mutex<State>

  private struct State: Sendable {
    var writeVersions: [Int]
    var refusal: RecordStoreError?
    var nextNotification = ContinuousClock.now
  }

  init(_ layouts: [TableLayout], _ settings: PostgreSQLSettings, _ tracker: ChangeTracker) {
    statements = layouts.map { ServerStatements($0) }
    // The server ends a statement first, and the connection remains.
    statementTimeout = settings.statementTimeout + .seconds(1)
    attempts = max(1, settings.attempts)
    self.tracker = tracker
    state = Mutex(State(writeVersions: layouts.map(\.version), refusal: nil))
  }

  /// The version in which rows of each table are written: the newest one that all live nodes read.
  var writeVersions: [Int] { state.withLock { $0.writeVersions } }

  /// Why this node may not use the database any more.
  var refusal: RecordStoreError? { state.withLock { $0.refusal } }

  func set(writeVersions: [Int]) { state.withLock { $0.writeVersions = writeVersions } }

  func set(refusal: RecordStoreError?) { state.withLock { $0.refusal = refusal } }

  /// Returns true if other nodes are to be notified now, at most a hundred times a second. Transactions that
  /// notify are committed one after the other, so that writes do not, and one notification is for many.
  func mayNotify() -> Bool {
    let now = ContinuousClock.now
    return state.withLock { state in
      guard state.nextNotification <= now else { return false }
      state.nextNotification = now + .milliseconds(10)
      return true
    }
  }
}
