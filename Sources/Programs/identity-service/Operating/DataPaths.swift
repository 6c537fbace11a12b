/// The files of a data folder, or of a copy of one.
struct DataPaths {
  let folder: String

  init(_ folder: String) { self.folder = folder }

  /// The SQLite database. Its newest changes are in `-wal` while it is used.
  var database: String { folder + "/identities.sqlite" }
  /// The master key, which seals secrets in the database.
  var masterKey: String { folder + "/master.key" }
  /// The master key that replaces the present one. It exists only while secrets are sealed with it.
  var nextMasterKey: String { folder + "/master.key.next" }
  /// The secret of the first access key, until the operator removes it.
  var firstAccessKey: String { folder + "/first-access-key" }
  /// Exists while `backup` or `restore` makes the folder.
  var unfinishedCopy: String { folder + "/copy.unfinished" }
  /// Exists until the first start has made a signing key.
  var firstStart: String { folder + "/start.unfinished" }
}
