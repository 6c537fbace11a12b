internal import Synchronization

/// The version of each table. A version grows with each transaction that changes the table.
package final class TableVersions: Sendable {
  package let numbers: [Int64]

  package init(_ numbers: [Int64]) { self.numbers = numbers }
}

/// Reports changes of tables by this process and others.
package protocol ChangeSource: Sendable {
  /// True if ``versions()`` knows of every change that was committed before: rows of a cache with these
  /// versions are those of the database.
  var isExact: Bool { get }
  /// The versions now; the same object as before if nothing has changed. Nil while changes are not reported,
  /// when nothing may be cached.
  func versions() throws(RecordStoreError) -> TableVersions?
  /// The keys of the rows that the transaction has changed which led to a version of a table; nil if they are
  /// not known.
  func keys(of table: Int, version: Int64) -> [RecordKey]?
}

/// The rows that a transaction has changed.
package struct ChangedRows: Sendable {
  /// The keys by table; nil for a table of which any row may have changed.
  package private(set) var tables: [Int: [RecordKey]?] = [:]
  /// Maximum number of listed keys of a table.
  private static let limit = 1_024

  package init() {}

  package var isEmpty: Bool { tables.isEmpty }

  /// Adds a row.
  package mutating func add(_ table: Int, _ key: RecordKey) {
    guard case .some(.none) = tables[table] else {
      var keys = (tables[table] ?? nil) ?? []
      keys.append(key)
      tables[table] = keys.count > Self.limit ? .some(nil) : .some(keys)
      return
    }
  }

  /// Adds the rows of another transaction.
  package mutating func merge(_ other: ChangedRows) {
    for (table, keys) in other.tables {
      if let keys {
        for key in keys { add(table, key) }
      } else {
        addAll(table)
      }
    }
  }

  /// Adds all rows of a table.
  package mutating func addAll(_ table: Int) { tables[table] = .some(nil) }
}

/// The keys that the latest transactions have changed, by table and version.
package final class ChangeLog: Sendable {
  private let state: Mutex<[[Int64: [RecordKey]]]>
  /// Maximum number of transactions for each table.
  private static let limit: Int64 = 64

  package init(tables: Int) { state = Mutex(Array(repeating: [:], count: tables)) }

  /// Adds the keys of the transaction that leads to a version.
  package func add(_ table: Int, version: Int64, _ keys: [RecordKey]?) {
    state.withLock { state in
      state[table][version] = keys
      // Versions between may be those of other processes.
      if state[table].count > Self.limit {
        state[table] = state[table].filter { $0.key > version - Self.limit }
      }
    }
  }

  /// Removes the keys of a transaction that was not committed.
  package func remove(_ table: Int, version: Int64) { state.withLock { $0[table][version] = nil } }

  package func keys(of table: Int, version: Int64) -> [RecordKey]? {
    state.withLock { $0[table][version] }
  }
}
