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
      for watcher in watchers {
        if let found = try watcher.versions(waits: false, known: known, read) { return found }
      }
      // All connections are busy: wait for one.
      return try watchers[0].versions(waits: true, known: known, read)
    } catch {
      throw SQLiteEngine.storeError(error)
    }
  }

  private func known() -> TableVersions { current.withLock { $0 } }

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
