internal import GRDB
internal import Records
internal import TokenSecurityPlatform

/// The database's files: the file itself, its write-ahead log (`-wal`) and the log's index (`-shm`).
enum DatabaseFile {
  /// The bytes of a page of a new database. A row of a few kilobytes is then in one page.
  static let pageSize = 8_192

  /// Checks the files. Makes the database if it does not exist and `makesFile` is true.
  static func prepare(
    _ path: String, makesFile: Bool, _ configuration: Configuration, _ schema: Schema
  ) throws {
    try PrivateFiles.check(folder: PrivateFiles.folder(of: path))
    let isMade = PrivateFiles.exists(path)
    if !isMade {
      guard makesFile else { throw RecordStoreError.fileRefused("the database \(path) does not exist") }
      try make(path, configuration, schema)
    }
    try checkFiles(path)
    guard isMade else { return }
    // Before a connection that changes the mode of the file.
    try read(path, configuration) { try schema.check($0) }
  }

  /// Reads a database without changing its mode.
  static func read<Value>(
    _ path: String, _ configuration: Configuration, _ body: (Database) throws -> Value
  ) throws -> Value {
    var reading = configuration
    // After a crash within a change of the mode, only a connection that writes can undo the change.
    reading.readonly = !PrivateFiles.exists(path + "-journal")
    let database = try DatabaseQueue(path: path, configuration: reading)
    let value = try database.read(body)
    try database.close()
    return value
  }

  /// Checks the owners and the modes of a database's files.
  static func checkFiles(_ path: String) throws {
    // SQLite gives the log and its index the database's mode, but files from elsewhere may have another mode.
    try PrivateFiles.check(file: path)
    for name in [path + "-wal", path + "-shm", path + "-journal"] where PrivateFiles.exists(name) {
      do throws(RecordStoreError) { try PrivateFiles.check(file: name) } catch {
        // Another process that closes the database removes these files.
        if PrivateFiles.exists(name) { throw error }
      }
    }
  }

  /// Makes the database with all tables under a temporary name and renames it, so that no partial database is
  /// seen.
  private static func make(_ path: String, _ configuration: Configuration, _ schema: Schema) throws {
    let draft = try PrivateFiles.makeDraft(of: path)
    do {
      // Without a write-ahead log all data is in one file.
      let database = try DatabaseQueue(path: draft, configuration: configuration)
      try database.inDatabase { try $0.execute(sql: "PRAGMA page_size = \(pageSize)") }
      try database.write { try schema.make($0) }
      try database.close()
    } catch {
      unsafe unlink(draft)
      unsafe unlink(draft + "-journal")
      // Another process that made the database first has removed the draft.
      guard PrivateFiles.exists(path) else { throw error }
      return
    }
    try PrivateFiles.publish(draft, at: path)
  }

  /// Copies a database consistently while it is in use. When this returns, the copy is on the disk.
  static func copy(_ database: DatabasePool, to path: String) throws {
    try PrivateFiles.check(folder: PrivateFiles.folder(of: path))
    guard !PrivateFiles.exists(path) else {
      throw RecordStoreError.fileRefused("\(path) exists: a backup replaces no file")
    }
    let draft = try PrivateFiles.makeDraft(of: path)
    do {
      // Into an empty file. Outside of a transaction, on a connection for reading: writes go on.
      try database.unsafeRead { try $0.execute(sql: "VACUUM INTO ?", arguments: [draft]) }
      try PrivateFiles.synchronise(file: draft)
    } catch {
      unsafe unlink(draft)
      throw error
    }
    try PrivateFiles.publish(draft, at: path, isShared: false)
  }
}
