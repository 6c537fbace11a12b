internal import Dispatch
internal import Records
internal import Synchronization

/// The thread that asks for changes of other nodes, when it is notified and otherwise regularly, and keeps
/// this node registered.
final class ChangeListener: Sendable {
  private let settings: PostgreSQLSettings
  private let registry: NodeRegistry
  private let context: EngineContext
  private let removal: CommitRecordRemoval
  private let isClosed = Atomic<Bool>(false)
  private let thread = DispatchGroup()

  /// The longest time between two questions.
  private static let interval = Duration.milliseconds(500)
  /// How long an answer may take.
  private static let patience = Duration.milliseconds(1_500)
  /// The time between two heartbeats.
  private static let heartbeat = Duration.seconds(5)

  init(
    _ settings: PostgreSQLSettings, _ registry: NodeRegistry, _ context: EngineContext,
    _ removal: CommitRecordRemoval
  ) {
    self.removal = removal
    self.settings = settings.ofListener
    self.registry = registry
    self.context = context
    DispatchQueue(label: "records.listener").async(group: thread) { self.run() }
  }

  func close() { isClosed.store(true, ordering: .releasing) }

  /// Calls `body` once the thread has ended.
  func whenClosed(_ body: @escaping @Sendable () -> Void) {
    thread.notify(queue: .global()) { body() }
  }

  private func run() {
    var failures = 0
    while !isClosed.load(ordering: .acquiring) {
      do throws(ServerFailure) {
        let connection = try ServerConnection(settings, Deadline(after: settings.connectTimeout))
        failures = 0
        try listen(connection)
      } catch {
        failures += 1
      }
      context.tracker.setAlive(until: nil)
      let pause = Deadline(after: .milliseconds(Backoff.milliseconds(failures, first: 50, most: 1_000)))
      while failures > 0, !pause.hasPassed, !isClosed.load(ordering: .acquiring) {
        Backoff.sleep(milliseconds: min(50, pause.remainingMilliseconds))
      }
    }
    leave()
  }

  /// Leaves the list of nodes, also if this one never listened. If the server cannot be reached, the list
  /// forgets the node later.
  private func leave() {
    let end = Deadline(after: Self.patience)
    if let connection = try? ServerConnection(settings, end) { registry.leave(connection, end) }
  }

  /// Listens until the store is closed or the connection is lost.
  private func listen(_ connection: ServerConnection) throws(ServerFailure) {
    try connection.simple("LISTEN \(EngineContext.channel)", Deadline(after: Self.patience))
    var snapshot = try CommitRecord.changes(since: nil, connection, Deadline(after: Self.patience)).snapshot
    // Changes that were made while this node did not listen are not known.
    context.tracker.addAll()
    var nextBeat = ContinuousClock.now
    while !isClosed.load(ordering: .acquiring) {
      // All commits before this moment are in the answer.
      let asked = ContinuousClock.now
      let found = try CommitRecord.changes(since: snapshot, connection, Deadline(after: Self.patience))
      snapshot = found.snapshot
      context.tracker.receive(found.changes, limit: CommitRecord.limit)
      if context.refusal == nil { context.tracker.setAlive(until: asked + ChangeTracker.staleness) }
      if nextBeat <= .now {
        try beat(connection, snapshot)
        nextBeat = .now + Self.heartbeat
      }
      let end = Deadline(after: Self.interval)
      while !end.hasPassed, !isClosed.load(ordering: .acquiring) {
        if try connection.isNotified(until: end) {
          // More notifications may follow at once.
          Backoff.sleep(milliseconds: 2)
          break
        }
      }
    }
  }

  private func beat(_ connection: ServerConnection, _ snapshot: String) throws(ServerFailure) {
    let deadline = Deadline(after: Self.patience)
    do {
      try registry.clock.check(connection, deadline)
      let asked = ContinuousClock.now
      // Another node may have the lock for minutes.
      if try registry.refresh(connection, deadline) { context.setLive(since: asked) }
      let registration = try registry.lockedNow(connection, deadline) {
        try registry.beat(connection, deadline)
      }
      guard let registration else { return }
      context.set(registration)
      removal.begin(snapshot)
      try registry.removeGone(connection, deadline)
    } catch let error as ServerFailure {
      // The next heartbeat tries again; a lost connection is opened again.
      if case .lost = error { throw error }
    } catch let error as RecordStoreError {
      // Newer nodes have counted this one as gone, or its clock differs. Others need not write for it. Once the clocks
      // agree it registers again.
      context.set(refusal: error)
      registry.leave(connection, deadline)
    } catch {}
  }
}
