internal import Metrics
internal import CognitoIdentity
internal import TokenLifetime

/// A store that records the durations of its transactions.
struct MeasuredStore: RecordStore {
  private let store: any RecordStore
  private let reads = Metrics.Timer(label: "identity_store_read_seconds")
  private let writes = Metrics.Timer(label: "identity_store_write_seconds")

  init(_ store: any RecordStore) { self.store = store }

  nonisolated(nonsending) func read<Value: Sendable, Failure: RecordStoreFailure>(
    at now: Timestamp, _ freshness: ReadFreshness,
    _ body: @escaping @Sendable (ReadTransaction<Failure>) throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let start = ContinuousClock.now
    defer { Self.record(since: start, reads) }
    return try await store.read(at: now, freshness, body)
  }

  @discardableResult
  nonisolated(nonsending) func write<Value: Sendable, Failure: RecordStoreFailure>(
    at now: Timestamp,
    _ body: @escaping @Sendable (WriteTransaction<Failure>) throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let start = ContinuousClock.now
    defer { Self.record(since: start, writes) }
    return try await store.write(at: now, body)
  }

  var isShared: Bool { store.isShared }

  nonisolated(nonsending) func close() async throws(RecordStoreError) { try await store.close() }

  private static func record(since start: ContinuousClock.Instant, _ timer: Metrics.Timer) {
    timer.recordNanoseconds(Int64((ContinuousClock.now - start) / .nanoseconds(1)))
  }
}
