internal import CognitoIdentity
internal import Foundation
internal import GRDB

/// The database's files: the file itself, its write-ahead log (`-wal`) and the log's index (`-shm`).
enum DatabaseFile {
  /// Checks the files. Makes the database if it does not exist and `makesFile` is true.
  static func prepare(_ path: String, makesFile: Bool, _ configuration: Configuration) throws {
    try PrivateFiles.check(folder: PrivateFiles.folder(of: path))
    if !PrivateFiles.exists(path) {
      guard makesFile else { throw IdentityError.storeFailed("the database \(path) does not exist") }
      try make(path, configuration)
    }
    // SQLite gives the log and its index the database's mode, but files from elsewhere may have another mode.
    try PrivateFiles.check(file: path)
    for name in [path + "-wal", path + "-shm", path + "-journal"] where PrivateFiles.exists(name) {
      do throws(IdentityError) { try PrivateFiles.check(file: name) } catch {
        // Another process that closes the database removes these files.
        if PrivateFiles.exists(name) { throw error }
      }
    }
  }

  /// Makes the database with all tables under a temporary name and renames it, so that no partial database is
  /// seen.
  private static func make(_ path: String, _ configuration: Configuration) throws {
    let draft = try PrivateFiles.makeDraft(of: path)
    do {
      // Without a write-ahead log all data is in one file.
      let database = try DatabaseQueue(path: draft, configuration: configuration)
      try Schema.migrator.migrate(database)
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

  /// Checks that the tables exist and are not from a newer version of this program.
  static func checkTables(_ connection: Database, _ path: String) throws {
    guard try connection.tableExists("grdb_migrations") else {
      throw IdentityError.storeFailed(
        "\(path) has no tables: it is a copy without its -wal file, or not a database of this program"
      )
    }
    guard try !Schema.migrator.hasBeenSuperseded(connection) else {
      throw IdentityError.storeFailed(
        "\(path) was written by a newer version of this program: update the program")
    }
  }
}
