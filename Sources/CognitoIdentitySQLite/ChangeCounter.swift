internal import GRDB
internal import Synchronization

/// Tells whether the file was changed since somebody last asked: by this process or another.
///
/// SQLite counts changes for each connection by itself (`PRAGMA data_version`). Several connections ask here, so that threads
/// do not wait for one another, and what one of them finds is counted for all: a change may be counted more than once, and never
/// less.
final class ChangeCounter: Sendable {
  private let watchers: [Watcher]
  private let changes = Atomic<Int64>(0)

  private final class Watcher: Sendable {
    let queue: DatabaseQueue
    let last = Mutex<Int64>(-1)
    let isBusy = Atomic<Bool>(false)

    init(_ queue: DatabaseQueue) { self.queue = queue }
  }

  /// Watches a file with so many connections.
  init(path: String, configuration: Configuration, connections: Int) throws {
    var reading = configuration
    reading.readonly = true
    reading.label = "identities.watch"
    watchers = try (0..<max(1, connections)).map { _ in
      Watcher(try DatabaseQueue(path: path, configuration: reading))
    }
  }

  /// A number that has moved on if the file was changed before this was asked.
  func count() throws -> Int64 {
    for watcher in watchers
    where watcher.isBusy.compareExchange(expected: false, desired: true, ordering: .acquiring).exchanged {
      defer { watcher.isBusy.store(false, ordering: .releasing) }
      return try ask(watcher)
    }
    // More ask than there are connections: these wait.
    return try ask(watchers[0])
  }

  /// Closes the connections; later calls of ``count()`` fail.
  func close() throws {
    for watcher in watchers { try watcher.queue.close() }
  }

  private func ask(_ watcher: Watcher) throws -> Int64 {
    let version = try watcher.queue.unsafeRead { connection in
      try Int64.fetchOne(try connection.cachedStatement(sql: "PRAGMA data_version")) ?? -1
    }
    return watcher.last.withLock { last in
      guard last != version else { return changes.load(ordering: .acquiring) }
      last = version
      // Before anybody else learns that this watcher has seen the change.
      return changes.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue
    }
  }
}
