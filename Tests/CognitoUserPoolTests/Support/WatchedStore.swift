internal import Records
internal import Synchronization
internal import TokenLifetime

/// A store that counts writes. A test can act before the next one.
final class WatchedStore: StoreWrapper {
  typealias Action = @Sendable (any RecordStore) async -> Void

  let wrapped: any RecordStore
  private let count = Mutex(0)
  private let action = Mutex<Action?>(nil)

  init(_ store: any RecordStore) { wrapped = store }

  /// The writes so far that were not refused. Each that changes something is a commit.
  var writes: Int { count.withLock { $0 } }

  /// Sets what happens right before the next write, once.
  func beforeNextWrite(_ action: @escaping Action) { self.action.withLock { $0 = action } }

  nonisolated(nonsending) func write<Value: Sendable, Failure: RecordStoreFailure>(
    at now: Timestamp, _ body: @escaping @Sendable (WriteTransaction<Failure>) throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let action = action.withLock { action in
      defer { action = nil }
      return action
    }
    if let action { await action(wrapped) }
    let value = try await wrapped.write(at: now, body)
    count.withLock { $0 += 1 }
    return value
  }
}
