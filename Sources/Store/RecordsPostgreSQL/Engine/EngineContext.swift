internal import Records
internal import Synchronization

/// State that the transactions of a node share.
final class EngineContext: Sendable {
  let statements: [ServerStatements]
  let commitRecord: CommitRecord
  let clock: ServerClock
  let statementTimeout: Duration
  let attempts: Int
  let tracker: ChangeTracker
  /// The channel of notifications, which wake the listeners of other nodes.
  static let channel = "records"
  private let state: Mutex<State>

  /// How long this node may write after its last heartbeat. It ends before others count the node as gone.
  private let lease: Duration
  /// The database, for messages.
  let database: String

  private struct State: Sendable {
    var writeVersions: [Int]
    var liveUntil: ContinuousClock.Instant?
    var refusal: RecordStoreError?
    var nextNotification = ContinuousClock.now
  }

  init(_ registry: NodeRegistry, _ settings: PostgreSQLSettings, _ tracker: ChangeTracker) {
    let layouts = registry.layouts
    database = registry.database
    lease = settings.lease
    commitRecord = CommitRecord(layouts)
    clock = registry.clock
    statements = layouts.map { ServerStatements($0) }
    // The server ends a statement first, and the connection remains.
    statementTimeout = settings.statementTimeout + .seconds(1)
    attempts = max(1, settings.attempts)
    self.tracker = tracker
    state = Mutex(State(writeVersions: layouts.map(\.version)))
  }

  /// The version in which rows of each table are written: the newest one that all live nodes read.
  var writeVersions: [Int] { state.withLock { $0.writeVersions } }

  /// Why this node may not use the database any more.
  var refusal: RecordStoreError? { state.withLock { $0.refusal } }

  /// Why this node may not write now. Others that count it as gone may have added indexes that it does not
  /// fill.
  var refusalOfWrites: RecordStoreError? {
    let now = ContinuousClock.now
    return state.withLock { state in
      if let refusal = state.refusal { return refusal }
      guard let end = state.liveUntil, now < end else {
        return .unavailable("this node has not reached the list of nodes in the database for some time")
      }
      return nil
    }
  }

  /// The node was registered.
  func set(_ registration: NodeRegistry.Registration) {
    state.withLock { state in
      state.writeVersions = registration.versions
      state.refusal = nil
    }
    setLive(since: registration.asked)
  }

  /// A heartbeat was answered that was sent at `asked`.
  func setLive(since asked: ContinuousClock.Instant) { state.withLock { $0.liveUntil = asked + lease } }

  /// The node may not use the database any more, nor what it has cached.
  func set(refusal: RecordStoreError) {
    state.withLock { $0.refusal = refusal }
    tracker.setAlive(until: nil)
  }

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
