package import TokenLifetime

/// A store over an engine, with or without a cache of rows.
///
/// A read runs on the cache first. If a row is not there, it runs again on the engine, and what it reads is
/// cached.
package final class EngineStore<Engine: RecordEngine>: RecordStore {
  package let engine: Engine
  private let runner: BodyRunner
  private let cache: RowCache?

  /// A store.
  ///
  /// - Parameters:
  ///   - engine: the engine.
  ///   - tables: the tables that it was opened with.
  ///   - cacheSize: the most bytes of cached rows; 0 for no cache.
  ///   - removal: how long ended rows are kept.
  ///   - onDamagedRow: called once for each row that cannot be read.
  package init(
    _ engine: Engine, _ tables: TableSet, cacheSize: Int, removal: RemovalRule,
    onDamagedRow: @escaping DamagedRows.Report
  ) {
    self.engine = engine
    runner = BodyRunner(tables: tables, damaged: DamagedRows(onDamagedRow), removal: removal)
    cache =
      cacheSize > 0 ? RowCache(engine.changes, tables: tables.layouts.count, size: cacheSize) : nil
  }

  package var isShared: Bool { engine.isShared }

  /// The estimated bytes of cached rows.
  package var cachedBytes: Int { cache?.bytes ?? 0 }

  package nonisolated(nonsending) func read<Value: Sendable, Failure: RecordStoreFailure>(
    at now: Timestamp, _ freshness: ReadFreshness,
    _ body: @escaping @Sendable (ReadTransaction<Failure>) throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let runner = runner
    let outcome: BodyOutcome<Value, Failure>
    do throws(RecordStoreError) {
      if let cache, freshness == .cached || engine.changes.isExact, let versions = try cache.update() {
        let cached = CachedTransaction(cache, versions)
        let found = runner.read(on: cached, at: now, body)
        outcome = cached.isIncomplete ? try await fill(cache, versions, at: now, body) : found
      } else {
        outcome = try await engine.read { runner.read(on: $0, at: now, body) }
      }
    } catch {
      throw Failure(error)
    }
    return try outcome.get()
  }

  /// Reads from the engine and caches what was read.
  private nonisolated(nonsending) func fill<Value: Sendable, Failure: RecordStoreFailure>(
    _ cache: RowCache, _ versions: TableVersions, at now: Timestamp,
    _ body: @escaping @Sendable (ReadTransaction<Failure>) throws(Failure) -> Value
  ) async throws(RecordStoreError) -> BodyOutcome<Value, Failure> {
    let runner = runner
    let (read, recorded) = try await engine.read { engine in
      let recording = RecordingTransaction(engine, cache)
      return (runner.read(on: recording, at: now, body), recording.recorded)
    }
    // Rows of a table that changed meanwhile may be outdated already.
    if !recorded.isEmpty, let after = (try? cache.update()) ?? nil {
      cache.insert(recorded, readSince: versions, until: after)
    }
    return read
  }

  @discardableResult
  package nonisolated(nonsending) func write<Value: Sendable, Failure: RecordStoreFailure>(
    at now: Timestamp,
    _ body: @escaping @Sendable (WriteTransaction<Failure>) throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let (runner, cache) = (runner, cache)
    let written: (outcome: BodyOutcome<Value, Failure>, look: RemovalLook?)
    do throws(RecordStoreError) {
      written = try await engine.write { engine in
        let rows = cache.map { RecordingTransaction(engine, $0, isRecording: false) as any EngineTransaction }
        let written = runner.write(on: rows ?? engine, at: now, body)
        return switch written.outcome {
        case .value: .commit(written)
        case .refused: .rollBack(written)
        case .engineFailed(let error): .failed(error)
        }
      }
    } catch {
      throw Failure(error)
    }
    if case .value = written.outcome { runner.isCommitted(written.look) }
    return try written.outcome.get()
  }

  package nonisolated(nonsending) func close() async throws(RecordStoreError) {
    await storeUptime()
    try await engine.close()
  }

  /// Stores how long this process was up since the last pass of the removal. Where it cannot, that is not counted, and
  /// ended rows are kept longer.
  private nonisolated(nonsending) func storeUptime() async {
    let runner = runner
    guard runner.watch.hasUptime else { return }
    _ = try? await engine.write { engine in
      let transaction = WriteTransaction<RecordStoreError>(on: engine, runner, at: .earliest)
      defer { transaction.end() }
      do throws(RecordStoreError) {
        try transaction.storeUptime()
        return WriteDecision.commit(true)
      } catch {
        return .failed(error)
      }
    }
  }
}
