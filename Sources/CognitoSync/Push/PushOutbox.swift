package import Records
internal import Synchronization
internal import TokenSecurityEncodings

/// The outbox of a service for push messages: how much may wait in it, and who is woken when something does.
///
/// The messages are rows of the service's store. Those of all nodes are counted, at most once a second, so that a
/// busy service does not count them for each change. The limits are therefore exceeded by as much as the other
/// nodes add in a second. A pool has less room than the outbox, so that one pool cannot keep the messages of others
/// out. A message that does not fit is lost; the change that it would have announced is not.
public final class PushOutbox: Sendable {
  /// How much may wait.
  package struct Limits: Sendable, Hashable {
    /// The most messages.
    package var messages = 10_000
    /// The most messages of a pool.
    package var poolMessages = 2_000
    /// How long a count is valid.
    package var age = Duration.seconds(1)

    package init() {}
  }

  private struct Count {
    var counted: ContinuousClock.Instant
    var messages: Int
  }

  private struct State {
    /// By the pool's id; that of all pools by nil.
    var counts: [ExactString?: Count] = [:]
    var lost = 0
    var number = 0
    var listeners: [Int: AsyncStream<Void>.Continuation] = [:]
  }

  private let limits: Limits
  private let state = Mutex(State())
  /// The most counts that are kept: those of pools without messages are forgotten.
  private static let countLimit = 1_000

  /// An outbox.
  public convenience init() { self.init(limits: Limits()) }

  package init(limits: Limits) { self.limits = limits }

  /// Returns whether messages of a pool may be added now. Where the store cannot count them, they may not.
  package nonisolated(nonsending) func hasRoom(
    forPool poolID: String, in store: any RecordStore
  ) async -> Bool {
    let scopes = [ExactString(poolID), nil]
    for scope in scopes where isOld(scope) {
      guard let found = await count(scope, in: store) else { return false }
      let age = limits.age
      state.withLock { state in
        if state.counts.count >= Self.countLimit {
          state.counts = state.counts.filter { ContinuousClock.now - $0.value.counted < age }
        }
        state.counts[scope] = Count(counted: .now, messages: found)
      }
    }
    let limits = limits
    return state.withLock { state in
      scopes.allSatisfy { scope in
        (state.counts[scope]?.messages ?? 0) < (scope == nil ? limits.messages : limits.poolMessages)
      }
    }
  }

  /// Counts messages that a transaction has added, and wakes the deliveries of this process.
  package func added(_ count: Int, ofPool poolID: String) {
    guard count > 0 else { return }
    state.withLock { state in
      state.counts[ExactString(poolID)]?.messages += count
      state.counts[nil]?.messages += count
    }
    wake()
  }

  /// Counts a change whose messages had no room.
  package func noteLost() { state.withLock { $0.lost += 1 } }

  /// The number of changes, since the last call, whose messages had no room.
  package func takeLost() -> Int {
    state.withLock { state in
      defer { state.lost = 0 }
      return state.lost
    }
  }

  private func isOld(_ scope: ExactString?) -> Bool {
    state.withLock { state in
      guard let counted = state.counts[scope]?.counted else { return true }
      return ContinuousClock.now - counted >= limits.age
    }
  }

  private nonisolated(nonsending) func count(_ scope: ExactString?, in store: any RecordStore) async -> Int? {
    let limits = limits
    return try? await store.read(at: .now, .fresh) { rows throws(RecordStoreError) in
      guard let scope else {
        return try rows.count(PushTable.rows, by: PushTable.byDue, limit: limits.messages)
      }
      return try rows.count(
        PushTable.rows, by: PushTable.waitingOfPool, .only(RecordKey(scope.text)), limit: limits.poolMessages)
    }
  }

  // MARK: Waking

  /// Wakes the deliveries of this process.
  package func wake() {
    for listener in state.withLock({ $0.listeners }).values { listener.yield() }
  }

  /// An element for each time that the deliveries are woken, several in a row as one.
  package func wakings() -> AsyncStream<Void> {
    let (stream, listener) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let number = state.withLock { state in
      state.number += 1
      state.listeners[state.number] = listener
      return state.number
    }
    listener.onTermination = { [weak self] _ in self?.state.withLock { $0.listeners[number] = nil } }
    return stream
  }
}
