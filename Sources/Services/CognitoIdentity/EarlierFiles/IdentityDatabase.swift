#if RecordsSQLite
  internal import GRDB
  public import RecordsSQLite

  /// A database of identity pools in an SQLite file, also one that an earlier version made.
  ///
  ///     let store = try IdentityDatabase.open(path: "/var/lib/identity/identities.sqlite")
  ///
  /// A file of an earlier version is converted once, in one transaction. Earlier versions then refuse it.
  public enum IdentityDatabase {
    /// Opens a database.
    ///
    /// - Parameters:
    ///   - path: the file. It and its folder must belong to this user, and no other user may write to them.
    ///   - tables: the tables, those of identity pools among them. Default: these alone.
    ///   - readers: the most concurrent reads. Default: 8.
    ///   - makesFile: whether to make the file if it does not exist. Default: yes.
    ///   - migrates: false where a file of an earlier version is refused (`databaseTooOld`). Default: true.
    ///   - onDamagedRow: called once for each row that cannot be read, with its table and key. Default: nothing.
    /// - Returns: the store.
    /// - Throws: `fileRefused`, `databaseForeign`, `databaseTooNew`, `databaseTooOld`, `tableRefused`,
    ///   `unavailable`.
    public static func open(
      path: String, tables: [any DeclaredTable] = IdentityTables.all, readers: Int = 8,
      makesFile: Bool = true,
      migrates: Bool = true,
      onDamagedRow: @escaping @Sendable (_ table: String, _ key: RecordKey) -> Void = { _, _ in }
    ) throws(RecordStoreError) -> SQLiteRecordStore {
      try convert(path, to: tables, isAllowed: migrates)
      return try SQLiteRecordStore(
        path: path, tables: tables, readers: readers, makesFile: makesFile, migrates: migrates,
        onDamagedRow: onDamagedRow)
    }

    /// Converts a file of an earlier version, whose tables have another layout; other files remain as they are.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - tables: the new tables.
    ///   - isAllowed: false to refuse such a file (`databaseTooOld`).
    /// - Throws: `fileRefused`, `databaseTooNew`, `databaseTooOld`, `unavailable`.
    private static func convert(
      _ path: String, to tables: [any DeclaredTable], isAllowed: Bool
    ) throws(RecordStoreError) {
      try DatabaseConversion.run(
        path, to: tables,
        if: { connection in
          let isEarlier = try EarlierSchema.isFound(connection, path)
          guard isAllowed || !isEarlier else { throw RecordStoreError.databaseTooOld(path) }
          return isEarlier
        }, prepare: EarlierSchema.rename,
        convert: { conversion, connection in
          try EarlierRows(connection).write(to: conversion)
          try EarlierSchema.remove(connection)
        })
    }
  }
#endif
