public import TokenSecurityBase

/// Why a record store did not do what it was called for.
@nonexhaustive public enum RecordStoreError: CodedError, Hashable {
  // The caller's rows and keys.

  /// A key or an index value is longer than ``RecordKey/sizeLimit``.
  case keyTooLong(table: String, count: Int)
  /// An encoded row is larger than ``RowEncoding/sizeLimit``.
  case rowTooLarge(table: String, count: Int)
  /// The table's encoding cannot write a row, or cannot read back what it wrote.
  case rowRefused(table: String, reason: String)
  /// Another row has the value in a unique index.
  case uniqueViolated(table: String, index: String)
  /// A table is not among those that the store was opened with, or two declarations contradict each other.
  case tableRefused(table: String, reason: String)
  /// A transaction is used after its closure returned.
  case transactionEnded

  // Stored rows.

  /// A stored row cannot be read.
  case rowDamaged(table: String)
  /// A stored row has a version that only a newer program reads.
  case rowTooNew(table: String, version: Int)

  // The store.

  /// The database was written by a newer version of the program.
  case databaseTooNew(String)
  /// The database was written by an older version of the program, and this call may not convert it.
  case databaseTooOld(String)
  /// The file or database is not one of this program.
  case databaseForeign(String)
  /// The database has no tables of this program, and this call may not make them.
  case databaseEmpty(String)
  /// The file's owner, mode or kind is refused.
  case fileRefused(String)
  /// The settings of a store are refused.
  case settingsRefused(String)
  /// The store cannot be reached, or failed.
  case unavailable(String)
  /// Too many calls wait for the store, or one has waited too long.
  case busy(String)
  /// It is not known whether a transaction was committed.
  case outcomeUnknown(String)
  /// The machine's clock is ahead of the database server's by this time, or behind where it is negative.
  case clockDiffers(by: Duration)
  /// Other transactions changed the same rows too often.
  case tooManyRetries(attempts: Int)
  /// The store is closed.
  case closed

  /// The stable codes.
  @nonexhaustive public enum Code: String, Sendable, Hashable, CaseIterable {
    /// ``RecordStoreError/keyTooLong(table:count:)``.
    case keyTooLong = "record_key_too_long"
    /// ``RecordStoreError/rowTooLarge(table:count:)``.
    case rowTooLarge = "record_too_large"
    /// ``RecordStoreError/rowRefused(table:reason:)``.
    case rowRefused = "record_refused"
    /// ``RecordStoreError/uniqueViolated(table:index:)``.
    case uniqueViolated = "record_unique_violated"
    /// ``RecordStoreError/tableRefused(table:reason:)``.
    case tableRefused = "record_table_refused"
    /// ``RecordStoreError/transactionEnded``.
    case transactionEnded = "record_transaction_ended"
    /// ``RecordStoreError/rowDamaged(table:)``.
    case rowDamaged = "record_damaged"
    /// ``RecordStoreError/rowTooNew(table:version:)``.
    case rowTooNew = "record_too_new"
    /// ``RecordStoreError/databaseTooNew(_:)``.
    case databaseTooNew = "record_database_too_new"
    /// ``RecordStoreError/databaseTooOld(_:)``.
    case databaseTooOld = "record_database_too_old"
    /// ``RecordStoreError/databaseForeign(_:)``.
    case databaseForeign = "record_database_foreign"
    /// ``RecordStoreError/databaseEmpty(_:)``.
    case databaseEmpty = "record_database_empty"
    /// ``RecordStoreError/fileRefused(_:)``.
    case fileRefused = "record_file_refused"
    /// ``RecordStoreError/settingsRefused(_:)``.
    case settingsRefused = "record_settings_refused"
    /// ``RecordStoreError/unavailable(_:)``.
    case unavailable = "record_store_unavailable"
    /// ``RecordStoreError/busy(_:)``.
    case busy = "record_store_busy"
    /// ``RecordStoreError/outcomeUnknown(_:)``.
    case outcomeUnknown = "record_outcome_unknown"
    /// ``RecordStoreError/clockDiffers(by:)``.
    case clockDiffers = "record_clock_differs"
    /// ``RecordStoreError/tooManyRetries(attempts:)``.
    case tooManyRetries = "record_too_many_retries"
    /// ``RecordStoreError/closed``.
    case closed = "record_store_closed"
  }

  /// The code and the sentence. Tables and indexes are named, never keys or values.
  public var details: (code: Code, sentence: String) {
    switch self {
    case .keyTooLong(let table, let count):
      (
        .keyTooLong,
        "a key or index value of the table \(table) has \(count) bytes, the most are \(RecordLimits.key)"
      )
    case .rowTooLarge(let table, let count):
      (.rowTooLarge, "a row of the table \(table) has \(count) bytes, the most are \(RecordLimits.row)")
    case .rowRefused(let table, let reason):
      (.rowRefused, "a row cannot be written to the table \(table): \(reason)")
    case .uniqueViolated(let table, let index):
      (.uniqueViolated, "another row of the table \(table) has this value in the unique index \(index)")
    case .tableRefused(let table, let reason): (.tableRefused, "the table \(table) is refused: \(reason)")
    case .transactionEnded: (.transactionEnded, "the transaction has ended")
    case .rowDamaged(let table): (.rowDamaged, "a row of the table \(table) cannot be read")
    case .rowTooNew(let table, let version):
      (
        .rowTooNew,
        "a row of the table \(table) has version \(version), which a newer version of this program wrote"
      )
    case .databaseTooNew(let name):
      (.databaseTooNew, "\(name) was written by a newer version of this program: update the program")
    case .databaseTooOld(let name):
      (.databaseTooOld, "\(name) was written by an older version of this program and is not converted here")
    case .databaseForeign(let reason): (.databaseForeign, reason)
    case .databaseEmpty(let name): (.databaseEmpty, "\(name) has no service's data")
    case .fileRefused(let reason): (.fileRefused, reason)
    case .settingsRefused(let reason): (.settingsRefused, reason)
    case .unavailable(let reason): (.unavailable, "the store is unavailable: \(reason)")
    case .busy(let reason): (.busy, "the store is busy: \(reason)")
    case .outcomeUnknown(let reason):
      (.outcomeUnknown, "it is not known whether the change was stored: \(reason)")
    case .clockDiffers(let difference):
      (
        .clockDiffers,
        """
        this machine's clock is \(difference.wholeSeconds.magnitude) seconds \
        \(difference < .zero ? "behind" : "ahead of") the database server's, the most are 60: correct the one that is wrong
        """
      )
    case .tooManyRetries(let attempts):
      (.tooManyRetries, "other transactions changed the same rows in each of \(attempts) attempts")
    case .closed: (.closed, "the store is closed")
    }
  }
}

/// The bounds of keys and rows.
package enum RecordLimits {
  /// Maximum size in bytes of an encoded key or index value. An entry of a PostgreSQL index has at most 2,704 bytes: an
  /// index value, a key and 24 bytes more.
  package static let key = 1_280
  /// Maximum size of an encoded row in bytes.
  package static let row = 2 << 20
  /// Microseconds by which a clock must have passed the end of a row: the clocks of nodes may differ by a minute, and a
  /// call may take as long.
  package static let removalDelay: Int64 = 120_000_000
}
