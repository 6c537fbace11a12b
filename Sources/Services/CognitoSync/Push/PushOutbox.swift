package import Records
internal import Synchronization
internal import TokenSecurityBase
package import TokenSecurityPlatform

/// The outbox of a service for push messages: how much may wait in it, and who is woken when something does.
///
/// The messages are rows of the service's store. Those of all nodes are counted, at most once a second, so that a
/// busy service does not count them for each change. The limits are therefore exceeded by as much as the other
/// nodes add in a second. A pool has less room than the outbox, and an identity less than its pool, so that none keeps
/// the messages of others out. A message that does not fit is lost; the change that it would have announced is not.
public final class PushOutbox: Sendable {
  /// How much may wait.
  package struct Limits: Sendable, Hashable {
    /// Maximum number of messages.
    package var messages = 10_000
    /// Maximum number of messages of a pool.
    package var poolMessages = 2_000
    /// Maximum number of messages of an identity.
    package var identityMessages = 200
    /// How long a count is valid.
    package var age = Duration.seconds(1)

    package init() {}
  }

  package let limits: Limits
  /// Wakes the deliveries of this process.
  package let signal = WakeSignal()
  /// The messages that wait, by the pool's id; those of all pools by nil.
  private let counts: AgedCounts<ExactString?, Int, RecordStoreError>
  /// The changes whose messages had no room, by the pool's id.
  private let lost = Mutex<[ExactString: Int]>([:])
  /// Maximum number of pools whose lost messages are counted apart.
  private static let lostLimit = 1_000

  /// An outbox.
  public convenience init() { self.init(limits: Limits()) }

  package init(limits: Limits, clock: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
    self.limits = limits
    counts = AgedCounts(validFor: limits.age, clock: clock)
  }

  /// Returns how many messages of a pool may be added now. Where the store cannot count them, none.
  package nonisolated(nonsending) func room(forPool poolID: String, in store: any RecordStore) async -> Int {
    let scopes: [(ExactString?, Int)] = [(ExactString(poolID), limits.poolMessages), (nil, limits.messages)]
    var room = Int.max
    for (scope, limit) in scopes {
      let counted = await counts.refresh(scope) { await self.count(scope, limit, in: store) }
      // Without a count, and where the caller's task was cancelled, there is no room.
      guard case .success? = counted else { return 0 }
      room = min(room, limit - (counts[scope] ?? limit))
    }
    return max(0, room)
  }

  /// Notes what a transaction did with the messages on a change, and wakes the deliveries of this process.
  package func note(_ added: AddedMessages, ofPool poolID: String) {
    let pool = ExactString(poolID)
    if added.hasLost {
      lost.withLock { lost in
        // Further pools are counted together.
        let isKnown = lost[pool] != nil || lost.count < Self.lostLimit
        lost[isKnown ? pool : ExactString(""), default: 0] += 1
      }
    }
    for scope in [pool, nil] { _ = counts.update(scope) { $0 += added.count } }
    if added.count > 0 { signal.wake() }
  }

  /// The pools that have lost messages since the last call, and on how many changes.
  package func takeLost() -> [(poolID: String, changes: Int)] {
    lost.withLock { lost in
      defer { lost = [:] }
      return lost.map { ($0.key.text, $0.value) }
    }
  }

  private func count(
    _ scope: ExactString?, _ limit: Int, in store: any RecordStore
  ) async -> Result<Int, RecordStoreError> {
    do throws(RecordStoreError) {
      return .success(
        try await store.read(at: .now, .fresh) { rows throws(RecordStoreError) in
          guard let scope else { return try rows.count(PushTable.rows, by: PushTable.byDue, limit: limit) }
          return try rows.count(
            PushTable.rows, by: PushTable.waiting, .prefix(RecordKey(scope.text)), limit: limit)
        })
    } catch {
      return .failure(error)
    }
  }
}
