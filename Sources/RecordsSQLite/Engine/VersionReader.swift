internal import GRDB
internal import Records
internal import Synchronization
internal import TokenSecurityEncodings

/// Reads the tables' versions, which this process and others have counted in the file.
///
/// SQLite shows on each connection whether another one has committed since (`PRAGMA data_version`); only then
/// the versions are read. Several connections do it, so that threads do not wait for one another.
final class VersionReader: ChangeSource {
  let log: ChangeLog
  /// SQLite shows each commit at once, also those of other processes.
  let isExact = true
  private let watchers: [Watcher]
  private let names: [ExactString]
  private let current: Mutex<TableVersions>
  private let isClosed = Atomic<Bool>(false)

  private final class Watcher: Sendable {
    let queue: DatabaseQueue
    let last = Mutex<Int64?>(nil)
    let isBusy = Atomic<Bool>(false)

    init(_ queue: DatabaseQueue) { self.queue = queue }
  }

  /// Opens `connections` connections to a file.
  init(path: String, configuration: Configuration, connections: Int, tables: [TableLayout]) throws {
    var reading = configuration
    reading.readonly = true
    reading.label = "records.versions"
    watchers = try (0..<max(1, connections)).map { _ in
      Watcher(try DatabaseQueue(path: path, configuration: reading))
    }
    names = tables.map { ExactString($0.name) }
    log = ChangeLog(tables: tables.count)
    current = Mutex(TableVersions(Array(repeating: -1, count: tables.count)))
  }

  /// Closes the connections. Later calls of ``versions()`` fail.
  func close() throws {
    isClosed.store(true, ordering: .releasing)
    for watcher in watchers { try watcher.queue.close() }
  }

  func keys(of table: Int, version: Int64) -> [RecordKey]? { log.keys(of: table, version: version) }

  func versions() throws(RecordStoreError) -> TableVersions? {
    do {
      for watcher in watchers
      where watcher.isBusy.compareExchange(expected: false, desired: true, ordering: .acquiring).exchanged {
        defer { watcher.isBusy.store(false, ordering: .releasing) }
        return try read(watcher)
      }
      // All connections are busy: wait for one.
      return try read(watchers[0])
    } catch {
      throw SQLiteEngine.storeError(error)
    }
  }

  private func read(_ watcher: Watcher) throws -> TableVersions {
    try watcher.queue.unsafeRead { connection in
      // Set before the connection is closed on this queue.
      guard !isClosed.load(ordering: .acquiring) else { throw RecordStoreError.closed }
      let version = try Int64.fetchOne(try connection.cachedStatement(sql: "PRAGMA data_version"))
      if watcher.last.withLock({ $0 }) == version { return current.withLock { $0 } }
      let sql = "SELECT name, change FROM \"records.tables\""
      var numbers: [ExactString: Int64] = [:]
      for row in try Row.fetchAll(try connection.cachedStatement(sql: sql)) {
        guard let name = String.fromDatabaseValue(row[0]), let number = Int64.fromDatabaseValue(row[1]) else {
          throw RecordStoreError.unavailable("the database is damaged: its tables' versions cannot be read")
        }
        numbers[ExactString(name)] = number
      }
      let read = names.map { numbers[$0] ?? 0 }
      let newest = current.withLock { current in
        // Another connection may have read later versions.
        if zip(read, current.numbers).contains(where: { $0 > $1 }) {
          current = TableVersions(zip(read, current.numbers).map { max($0, $1) })
        }
        return current
      }
      watcher.last.withLock { $0 = version }
      return newest
    }
  }
}
