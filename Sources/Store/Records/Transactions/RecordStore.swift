public import TokenLifetime

/// A store of the rows of declared tables.
///
///     try await store.write { rows throws(RuleError) in
///       guard var login = try rows.get(Login.table, key) else { throw .loginUnknown }
///       login.identity = identity
///       try rows.put(login, in: Login.table)
///     }
///
/// The closure of a transaction throws one type of errors, its rules' own, which conforms to
/// ``RecordStoreFailure``. An error that it throws rolls the transaction back.
///
/// The closure must do nothing but compute and use its transaction, without waiting for anything else: it may
/// run again, after a row was not in a cache or after another transaction changed what it had read.
public protocol RecordStore: Sendable {
  /// Reads one state of the store.
  ///
  /// - Parameters:
  ///   - now: the time at which rows are live or expired.
  ///   - freshness: whether a cache may be read.
  ///   - body: the reads. It may run several times.
  /// - Returns: what the last run of `body` returned.
  /// - Throws: what `body` throws, and the failure of the store.
  nonisolated(nonsending) func read<Value: Sendable, Failure: RecordStoreFailure>(
    at now: Timestamp, _ freshness: ReadFreshness,
    _ body: @escaping @Sendable (ReadTransaction<Failure>) throws(Failure) -> Value
  ) async throws(Failure) -> Value

  /// Changes the store in one serializable transaction. When this returns, the change is durable.
  ///
  /// - Parameters:
  ///   - now: the time at which rows are live or expired.
  ///   - body: the reads and changes. It may run several times; only the last run is stored.
  /// - Returns: what the last run of `body` returned.
  /// - Throws: what `body` throws, and the failure of the store.
  @discardableResult
  nonisolated(nonsending) func write<Value: Sendable, Failure: RecordStoreFailure>(
    at now: Timestamp,
    _ body: @escaping @Sendable (WriteTransaction<Failure>) throws(Failure) -> Value
  ) async throws(Failure) -> Value

  /// Whether nodes on several machines may use the store's database: what must happen once among them goes
  /// through the store.
  var isShared: Bool { get }

  /// Finishes running transactions and closes the store. Later calls throw `closed`.
  ///
  /// - Throws: `unavailable` where the store cannot be closed cleanly. No acknowledged write is lost.
  nonisolated(nonsending) func close() async throws(RecordStoreError)
}

/// Whether a read may use a cache.
public enum ReadFreshness: Sendable, Hashable {
  /// The rows may be as old as the store's cache permits. SQLite's is never outdated, PostgreSQL's by at most
  /// two seconds.
  case cached
  /// The store itself is read, for instance for revocations.
  case fresh
}

extension RecordStore {
  /// Reads one state of the store.
  ///
  /// - Parameters:
  ///   - now: the time at which rows are live or expired. Default: the current time.
  ///   - body: the reads. It may run several times.
  /// - Returns: what the last run of `body` returned.
  /// - Throws: what `body` throws, and the failure of the store.
  public nonisolated(nonsending) func read<Value: Sendable, Failure: RecordStoreFailure>(
    at now: Timestamp = .now,
    _ body: @escaping @Sendable (ReadTransaction<Failure>) throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    try await read(at: now, .cached, body)
  }

  /// Changes the store in one serializable transaction. When this returns, the change is durable.
  ///
  /// - Parameter body: the reads and changes. It may run several times; only the last run is stored.
  /// - Returns: what the last run of `body` returned.
  /// - Throws: what `body` throws, and the failure of the store.
  @discardableResult
  public nonisolated(nonsending) func write<Value: Sendable, Failure: RecordStoreFailure>(
    _ body: @escaping @Sendable (WriteTransaction<Failure>) throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    try await write(at: .now, body)
  }

  /// Removes rows of a table that expired a day of uptime ago, in portions, each in a transaction of its own: see
  /// ``WriteTransaction/removeExpired(from:limit:)``. Portions follow each other without a pause: where other calls wait
  /// for the store's writer, give a small limit.
  ///
  /// - Parameters:
  ///   - table: the table.
  ///   - now: the time at which rows are expired. Default: the current time.
  ///   - portion: the most rows of a transaction. Default: 500.
  ///   - limit: the most rows in all. Default: 100,000.
  /// - Returns: the number of removed rows.
  /// - Throws: the failure of the store.
  public nonisolated(nonsending) func removeExpired<Row>(
    from table: Table<Row>, at now: Timestamp = .now, portion: Int = 500, limit: Int = 100_000
  ) async throws(RecordStoreError) -> Int {
    var removed = 0
    while removed < limit {
      try await read(at: now, .fresh) { rows throws(RecordStoreError) in try rows.countEnded(in: [table]) }
      let most = min(portion, limit - removed)
      let (count, hasMore) = try await write(at: now) { rows throws(RecordStoreError) in
        (try rows.removeExpired(from: table, limit: most), rows.hasMoreExpired)
      }
      removed += count
      guard hasMore else { break }
    }
    return removed
  }
}
