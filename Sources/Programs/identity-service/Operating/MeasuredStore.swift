internal import CognitoIdentity
internal import Metrics
internal import Records
internal import ServiceOperations
internal import TokenLifetime

/// A store that records the durations of its transactions, and tells the readiness of writes that failed.
struct MeasuredStore: StoreWrapper {
  let wrapped: any RecordStore
  private let reads = Metrics.Timer(label: "identity_store_read_seconds")
  private let writes = Metrics.Timer(label: "identity_store_write_seconds")
  private let health: WriteHealth

  init(_ store: any RecordStore, _ health: WriteHealth) {
    wrapped = store
    self.health = health
  }

  nonisolated(nonsending) func read<Value: Sendable, Failure: RecordStoreFailure>(
    at now: Timestamp, _ freshness: ReadFreshness,
    _ body: @escaping @Sendable (ReadTransaction<Failure>) throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let start = ContinuousClock.now
    defer { Self.record(since: start, reads) }
    return try await wrapped.read(at: now, freshness, body)
  }

  @discardableResult
  nonisolated(nonsending) func write<Value: Sendable, Failure: RecordStoreFailure>(
    at now: Timestamp,
    _ body: @escaping @Sendable (WriteTransaction<Failure>) throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let start = ContinuousClock.now
    defer { Self.record(since: start, writes) }
    do throws(Failure) {
      return try await wrapped.write(at: now, body)
    } catch {
      // A refusal by the rules is the caller's matter, and so are too many calls at once.
      if (error as? any ServiceError).map({ $0.status >= 500 }) ?? true { health.doubt() }
      throw error
    }
  }

  private static func record(since start: ContinuousClock.Instant, _ timer: Metrics.Timer) {
    timer.recordNanoseconds(Int64((ContinuousClock.now - start) / .nanoseconds(1)))
  }
}
