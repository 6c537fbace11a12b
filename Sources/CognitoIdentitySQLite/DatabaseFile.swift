internal import CognitoIdentity
internal import Foundation
internal import GRDB

/// The database's files: the file itself, its write-ahead log (`-wal`) and the log's index (`-shm`).
enum DatabaseFile {
  /// Checks the files, and makes the database where there is none.
  ///
  /// - Parameter makesFile: false where a database must be there already.
  static func prepare(_ path: String, makesFile: Bool, _ configuration: Configuration) throws {
    try PrivateFiles.check(folder: PrivateFiles.folder(of: path))
    if !PrivateFiles.exists(path) {
      guard makesFile else { throw IdentityError.storeFailed("there is no database \(path)") }
      try make(path, configuration)
    }
    // SQLite gives the log and its index the mode of the database; others can be left from elsewhere.
    try PrivateFiles.check(file: path)
    for name in [path + "-wal", path + "-shm", path + "-journal"] where PrivateFiles.exists(name) {
      do throws(IdentityError) { try PrivateFiles.check(file: name) } catch {
        // The last process that used the database removes them when it closes it.
        if PrivateFiles.exists(name) { throw error }
      }
    }
  }

  /// Makes the database under another name with all its tables, then gives it its own: it is there complete, or not at all.
  private static func make(_ path: String, _ configuration: Configuration) throws {
    let draft = try PrivateFiles.makeDraft(of: path)
    do {
      // Without a write-ahead log: all of it is in one file.
      let database = try DatabaseQueue(path: draft, configuration: configuration)
      try Schema.migrator.migrate(database)
      try database.close()
    } catch {
      unsafe unlink(draft)
      unsafe unlink(draft + "-journal")
      // A process that came first removes the drafts that it finds.
      guard PrivateFiles.exists(path) else { throw error }
      return
    }
    try PrivateFiles.settle(draft, at: path)
  }

  /// Checks that the tables are there and are not from a newer version of this program.
  static func checkTables(_ connection: Database, _ path: String) throws {
    guard try connection.tableExists("grdb_migrations") else {
      throw IdentityError.storeFailed(
        "there are no tables in \(path): it is the copy of a database without its -wal file, or no database of this program"
      )
    }
    guard try !Schema.migrator.hasBeenSuperseded(connection) else {
      throw IdentityError.storeFailed(
        "\(path) was written by a newer version of this program: update this one")
    }
  }
}
