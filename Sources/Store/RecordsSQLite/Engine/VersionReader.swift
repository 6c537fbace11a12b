internal import GRDB
internal import Records
internal import Synchronization
internal import TokenSecurityBase
internal import TokenSecurityPlatform

/// Reads the tables' versions, which this process and others have counted in the file.
///
/// SQLite shows on each connection whether another one has committed since (`PRAGMA data_version`); only then
/// the versions are read. Several connections do it, so that threads do not wait for one another.
final class VersionReader: ChangeSource {
  let log: ChangeLog
  /// SQLite shows each commit at once, also those of other processes.
  let isExact = true
  private let watchers: [VersionWatcher]
  private let names: [ExactString]
  private let current: Mutex<TableVersions>

  /// Opens `connections` connections to a file.
  init(path: String, configuration: Configuration, connections: Int, tables: [TableLayout]) throws {
    var reading = configuration
    reading.readonly = true
    reading.label = "records.versions"
    watchers = try (0..<max(1, connections)).map { _ in try VersionWatcher(path: path, reading) }
    names = tables.map { ExactString($0.name) }
    log = ChangeLog(tables: tables.count)
    current = Mutex(TableVersions(Array(repeating: -1, count: tables.count)))
  }

  /// Closes the connections. Later calls of ``versions()`` fail.
  func close() throws { for watcher in watchers { try watcher.close() } }

  func keys(of table: Int, version: Int64) -> [RecordKey]? { log.keys(of: table, version: version) }

  func versions() throws(RecordStoreError) -> TableVersions? {
    do {
      // Each thread begins with a connection of its own, so that threads seldom try the same lock.
      let first = Self.number(below: watchers.count)
      for offset in watchers.indices {
        let watcher = watchers[(first + offset) % watchers.count]
        if let found = try watcher.versions(waits: false, read) { return found }
      }
      // All connections are busy: wait for one.
      return try watchers[first].versions(waits: true, read)
    } catch {
      throw SQLiteEngine.storeError(error)
    }
  }

  /// A number below `count` that is the same for all calls of a thread.
  private static func number(below count: Int) -> Int {
    // The numbers of threads are some pages apart.
    let pages = CurrentThread.number >> 12
    return Int((pages ^ pages >> 9) % UInt64(count))
  }

  private func read(_ connection: Database) throws -> TableVersions {
    let sql = "SELECT name, change FROM \"records.tables\""
    var numbers: [ExactString: Int64] = [:]
    for row in try Row.fetchAll(try connection.cachedStatement(sql: sql)) {
      guard let name = String.fromDatabaseValue(row[0]), let number = Int64.fromDatabaseValue(row[1]) else {
        throw RecordStoreError.unavailable("the database is damaged: its tables' versions cannot be read")
      }
      numbers[ExactString(name)] = number
    }
    let read = names.map { numbers[$0] ?? 0 }
    return current.withLock { current in
      // Another connection may have read later versions.
      if zip(read, current.numbers).contains(where: { $0 > $1 }) {
        current = TableVersions(zip(read, current.numbers).map { max($0, $1) })
      }
      return current
    }
  }
}
