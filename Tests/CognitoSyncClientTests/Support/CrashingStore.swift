internal import CognitoSyncClient
internal import Synchronization
internal import TokenSecurityVectorFiles

/// A store whose process ends at random while it writes: before the change is stored, or after it.
final class CrashingStore: LocalDatasetStore {
  private let base: any LocalDatasetStore
  private let state: Mutex<(generator: SeededGenerator, crashes: Bool)>

  init(_ base: any LocalDatasetStore, seed: UInt64) {
    self.base = base
    state = Mutex((SeededGenerator(seed: seed), false))
  }

  /// Whether writes may fail.
  func setCrashes(_ crashes: Bool) { state.withLock { $0.crashes = crashes } }

  nonisolated(nonsending) func read<Value: Sendable>(
    _ body: @escaping @Sendable (any DatasetReading) throws(SyncClientError) -> Value
  ) async throws(SyncClientError) -> Value {
    try await base.read(body)
  }

  @discardableResult
  nonisolated(nonsending) func write<Value: Sendable>(
    _ body: @escaping @Sendable (any DatasetWriting) throws(SyncClientError) -> Value
  ) async throws(SyncClientError) -> Value {
    let number = state.withLock { state -> Int in
      state.crashes ? Int.random(in: 0..<100, using: &state.generator) : 99
    }
    guard number > 2 else { throw .storeUnavailable("the process ended before the change") }
    let value = try await base.write(body)
    guard number > 5 else { throw .storeUnavailable("the process ended after the change") }
    return value
  }
}
