internal import Synchronization

/// Rows that were read since they were changed last, by any process.
///
/// Every read begins with the tables' versions (``ChangeSource``). A new version removes the rows that the
/// change concerns, or all rows of the table if they are not known.
///
/// Only existing rows are cached, within a number of bytes: callers cannot fill the cache with unknown names.
/// Rows are kept in two generations. When the newer one has a quarter of the bytes, it becomes the older one,
/// whose rows that were not used since are dropped.
final class RowCache: Sendable {
  private let source: any ChangeSource
  private let size: Int
  private let state: Mutex<State>

  private struct State: Sendable {
    var versions: TableVersions?
    var newer: CacheGeneration
    var older: CacheGeneration
  }

  init(_ source: any ChangeSource, tables: Int, size: Int) {
    self.source = source
    self.size = size
    let empty = CacheGeneration(tables: tables)
    state = Mutex(State(versions: nil, newer: empty, older: empty))
  }

  /// The estimated bytes of all cached rows.
  var bytes: Int { state.withLock { $0.newer.bytes + $0.older.bytes } }

  /// Removes outdated rows, and returns the versions that the others have; nil while nothing may be cached.
  func update() throws(RecordStoreError) -> TableVersions? {
    let versions = try source.versions()
    return state.withLock { state in
      if state.versions === versions { return versions }
      apply(versions, to: &state)
      return state.versions
    }
  }

  private func apply(_ versions: TableVersions?, to state: inout State) {
    guard let versions, let known = state.versions else {
      for table in state.newer.tables.indices { removeAll(table, &state) }
      state.versions = versions
      return
    }
    // Two threads may arrive here in another order than they asked in.
    guard zip(versions.numbers, known.numbers).allSatisfy({ $0 >= $1 }) else { return }
    state.versions = versions
    for (table, number) in versions.numbers.enumerated() where number != known.numbers[table] {
      var version = known.numbers[table]
      while version < number, let keys = source.keys(of: table, version: version + 1) {
        version += 1
        state.newer.remove(table, keys)
        state.older.remove(table, keys)
      }
      if version < number { removeAll(table, &state) }
    }
  }

  private func removeAll(_ table: Int, _ state: inout State) {
    state.newer.removeAll(table)
    state.older.removeAll(table)
  }

  // MARK: Lookups

  // Each returns nil if the versions are no longer those with which the read began.

  func row(_ table: Int, _ key: RecordKey, _ versions: TableVersions) -> StoredRow? {
    state.withLock { state in
      guard state.versions === versions else { return nil }
      return row(table, key, &state)
    }
  }

  private func row(_ table: Int, _ key: RecordKey, _ state: inout State) -> StoredRow? {
    if let row = state.newer.tables[table].rows[key] { return row }
    guard let row = state.older.tables[table].rows[key] else { return nil }
    makeSpace(&state)
    state.newer.insert(table, key, row)
    return row
  }

  /// The cached row if it is the same as one that was read, since its value may be decoded; otherwise the one that
  /// was read.
  func known(_ table: Int, _ key: RecordKey, as row: StoredRow) -> StoredRow {
    let known = state.withLock { $0.newer.tables[table].rows[key] ?? $0.older.tables[table].rows[key] }
    guard let known, known.isEqual(to: row) else { return row }
    return known
  }

  func entry(_ table: Int, _ index: Int, _ value: RecordKey, _ versions: TableVersions) -> FoundRow? {
    state.withLock { state in
      guard state.versions === versions else { return nil }
      let entry = CacheGeneration.Entry(index: index, value: value)
      let isNew = state.newer.tables[table].entries[entry]
      guard let found = isNew ?? state.older.tables[table].entries[entry],
        // A row that was changed or removed since is another object or not there.
        row(table, found.key, &state) === found.row
      else { return nil }
      if isNew == nil { state.newer.insert(table, entry, found) }
      return found
    }
  }

  func scan(_ scan: Scan, _ versions: TableVersions) -> [FoundRow]? {
    let (now, scan) = (scan.now, scan.timeless)
    return state.withLock { state in
      guard state.versions === versions else { return nil }
      let isNew = state.newer.tables[scan.table].scans[scan]
      guard let cached = isNew ?? state.older.tables[scan.table].scans[scan] else { return nil }
      // Without the rows that have expired since, others might follow.
      guard now >= cached.now, cached.rows.allSatisfy({ $0.row.isLive(at: now) }) else { return nil }
      if isNew == nil { state.newer.insert(scan, cached) }
      return cached.rows
    }
  }

  // MARK: Changes

  /// Caches what was read, of the tables that did not change from `start` to `end`.
  func insert(_ reads: RecordedReads, readSince start: TableVersions, until end: TableVersions) {
    state.withLock { state in
      guard state.versions === end else { return }
      func isCurrent(_ table: Int) -> Bool { start.numbers[table] == end.numbers[table] }
      for (table, key, row) in reads.rows where isCurrent(table) { insert(table, key, row, &state) }
      for (table, index, found) in reads.entries where isCurrent(table) {
        guard let row = insert(table, found.key, found.row, &state), let value = found.value else { continue }
        let entry = CacheGeneration.Entry(index: index, value: value)
        state.newer.insert(table, entry, FoundRow(key: found.key, value: value, row: row))
      }
      for (scan, rows) in reads.scans where isCurrent(scan.table) {
        guard CacheGeneration.weight(scan, rows) <= size / 4 else { continue }
        makeSpace(&state)
        state.newer.insert(scan.timeless, .init(rows: rows, now: scan.now))
      }
    }
  }

  /// Caches a row, and returns the cached one.
  @discardableResult
  private func insert(
    _ table: Int, _ key: RecordKey, _ row: StoredRow, _ state: inout State
  ) -> StoredRow? {
    if let known = self.row(table, key, &state) { return known }
    guard CacheGeneration.weight(key, row) <= size / 4 else { return nil }
    makeSpace(&state)
    state.newer.insert(table, key, row)
    return row
  }

  private func makeSpace(_ state: inout State) {
    // The entry that is added next has at most a quarter of the bytes.
    guard state.newer.bytes > size / 4 else { return }
    state.older = state.newer
    state.newer = CacheGeneration(tables: state.newer.tables.count)
  }
}

extension Scan {
  /// The scan at any time.
  fileprivate var timeless: Scan {
    Scan(
      table: table, index: index, range: range, after: after, isDescending: isDescending, limit: limit, now: 0
    )
  }
}
