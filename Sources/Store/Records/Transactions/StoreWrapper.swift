internal import TokenLifetime

/// A store that passes its calls on to another one, and may do something of its own in some of them.
///
/// The members are public for the stores that are.
package protocol StoreWrapper: RecordStore {
  var wrapped: any RecordStore { get }
}

extension StoreWrapper {
  /// Whether nodes on several machines may use the store's database.
  public var isShared: Bool { wrapped.isShared }

  /// Reads one state of the store.
  public nonisolated(nonsending) func read<Value: Sendable, Failure: RecordStoreFailure>(
    at now: Timestamp = .now, _ freshness: ReadFreshness = .cached,
    _ body: @escaping @Sendable (ReadTransaction<Failure>) throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    try await wrapped.read(at: now, freshness, body)
  }

  /// Changes the store in one serializable transaction.
  @discardableResult
  public nonisolated(nonsending) func write<Value: Sendable, Failure: RecordStoreFailure>(
    at now: Timestamp = .now,
    _ body: @escaping @Sendable (WriteTransaction<Failure>) throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    try await wrapped.write(at: now, body)
  }

  /// Closes the store.
  public nonisolated(nonsending) func close() async throws(RecordStoreError) { try await wrapped.close() }
}
