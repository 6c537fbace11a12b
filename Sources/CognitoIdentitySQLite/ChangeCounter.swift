internal import GRDB
internal import Synchronization

/// Detects changes of the file by this process and others.
///
/// SQLite counts changes per connection (`PRAGMA data_version`). Several connections read the count, so that
/// threads do not wait for one another. A change may be counted more than once, but is never missed.
final class ChangeCounter: Sendable {
  private let watchers: [Watcher]
  private let changes = Atomic<Int64>(0)

  private final class Watcher: Sendable {
    let queue: DatabaseQueue
    let last = Mutex<Int64?>(nil)
    let isBusy = Atomic<Bool>(false)

    init(_ queue: DatabaseQueue) { self.queue = queue }
  }

  /// Opens `connections` connections to a file.
  init(path: String, configuration: Configuration, connections: Int) throws {
    var reading = configuration
    reading.readonly = true
    reading.label = "identities.watch"
    watchers = try (0..<max(1, connections)).map { _ in
      Watcher(try DatabaseQueue(path: path, configuration: reading))
    }
  }

  /// Returns a number that is larger after every change of the file.
  func count() throws -> Int64 {
    for watcher in watchers
    where watcher.isBusy.compareExchange(expected: false, desired: true, ordering: .acquiring).exchanged {
      defer { watcher.isBusy.store(false, ordering: .releasing) }
      return try read(watcher)
    }
    // All connections are busy: wait for one.
    return try read(watchers[0])
  }

  /// Closes the connections. Later calls of ``count()`` fail.
  func close() throws {
    for watcher in watchers { try watcher.queue.close() }
  }

  private func read(_ watcher: Watcher) throws -> Int64 {
    let version = try watcher.queue.unsafeRead { connection in
      try Int64.fetchOne(try connection.cachedStatement(sql: "PRAGMA data_version"))
    }
    return watcher.last.withLock { last in
      guard last != version else { return changes.load(ordering: .acquiring) }
      last = version
      // Counted before another caller finds `last` updated.
      return changes.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue
    }
  }
}
