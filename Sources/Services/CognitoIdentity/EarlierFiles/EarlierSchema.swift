#if RecordsSQLite
  internal import GRDB
  internal import RecordsSQLite

  /// The tables of earlier versions.
  ///
  /// `grdb_migrations` names the schemas that a file has passed: `1`, then `2`, which added the kind of logins and
  /// the scope of access keys.
  enum EarlierSchema {
    private static let tables = [
      // Each before the tables that it refers to.
      "login", "identity", "pool", "role", "login_provider", "signing_key", "access_key",
    ]

    /// True for a database of an earlier version.
    ///
    /// - Throws: `databaseTooNew` for one with a schema that never was.
    static func isFound(_ connection: Database, _ path: String) throws -> Bool {
      guard try connection.tableExists("grdb_migrations"), try !connection.tableExists("records.tables")
      else {
        return false
      }
      let others = try Row.fetchOne(
        connection, sql: "SELECT 1 FROM grdb_migrations WHERE identifier NOT IN ('1', '2')")
      guard others == nil else { throw RecordStoreError.databaseTooNew(path) }
      return true
    }

    /// True for the first schema.
    static func isFirst(_ connection: Database) throws -> Bool {
      try Row.fetchOne(connection, sql: "SELECT 1 FROM grdb_migrations WHERE identifier = '2'") == nil
    }

    /// Gives the tables other names: the new ones have the same.
    static func rename(_ connection: Database) throws {
      for name in tables { try connection.execute(sql: "ALTER TABLE \(name) RENAME TO earlier_\(name)") }
    }

    /// Removes the tables, and lets earlier versions refuse the file.
    static func remove(_ connection: Database) throws {
      for name in tables { try connection.execute(sql: "DROP TABLE earlier_\(name)") }
      // Earlier versions say that a newer one wrote a file with a schema that they do not know. Those that do
      // not look for one fail to make the tables of the first schema.
      try connection.execute(
        sql: "DELETE FROM grdb_migrations; INSERT INTO grdb_migrations VALUES ('records')")
    }
  }
#endif
