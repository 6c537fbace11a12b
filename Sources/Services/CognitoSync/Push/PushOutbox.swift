package import Records
internal import Synchronization
internal import TokenLifetime
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
    /// The most messages.
    package var messages = 10_000
    /// The most messages of a pool.
    package var poolMessages = 2_000
    /// The most messages of an identity.
    package var identityMessages = 200
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
    /// The counts that are under way: nil where the store cannot count.
    var flights: [ExactString?: SingleFlight<Int?>] = [:]
    /// The changes whose messages had no room, by the pool's id.
    var lost: [ExactString: Int] = [:]
  }

  package let limits: Limits
  /// Wakes the deliveries of this process.
  package let signal = WakeSignal()
  private let clock: @Sendable () -> ContinuousClock.Instant
  private let state = Mutex(State())
  /// The most counts that are kept: those of pools without messages are forgotten.
  private static let countLimit = 1_000

  /// An outbox.
  public convenience init() { self.init(limits: Limits()) }

  package init(limits: Limits, clock: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
    self.limits = limits
    self.clock = clock
  }

  /// Returns how many messages of a pool may be added now. Where the store cannot count them, none.
  package nonisolated(nonsending) func room(forPool poolID: String, in store: any RecordStore) async -> Int {
    let scopes = [ExactString(poolID), nil]
    for scope in scopes {
      guard let flight = neededCount(scope, in: store) else { continue }
      // Without a count, and where the caller's task was cancelled, there is no room.
      guard let found = await flight.value, found != nil else { return 0 }
    }
    let limits = limits
    return state.withLock { state in
      let left = scopes.map { scope in
        (scope == nil ? limits.messages : limits.poolMessages) - (state.counts[scope]?.messages ?? 0)
      }
      return max(0, left.min() ?? 0)
    }
  }

  /// Notes what a transaction did with the messages on a change, and wakes the deliveries of this process.
  package func note(_ added: AddedMessages, ofPool poolID: String) {
    let pool = ExactString(poolID)
    state.withLock { state in
      if added.hasLost {
        // Further pools are counted together.
        let isKnown = state.lost[pool] != nil || state.lost.count < Self.countLimit
        state.lost[isKnown ? pool : ExactString(""), default: 0] += 1
      }
      state.counts[pool]?.messages += added.count
      state.counts[nil]?.messages += added.count
    }
    if added.count > 0 { signal.wake() }
  }

  /// The pools that have lost messages since the last call, and on how many changes.
  package func takeLost() -> [(poolID: String, changes: Int)] {
    state.withLock { state in
      defer { state.lost = [:] }
      return state.lost.map { ($0.key.text, $0.value) }
    }
  }

  /// The count that a message has to wait for, which runs once for all; nil where the last one is valid.
  private func neededCount(_ scope: ExactString?, in store: any RecordStore) -> SingleFlight<Int?>? {
    let (now, age) = (clock(), limits.age)
    return state.withLock { state in
      if let flight = state.flights[scope] { return flight }
      if let counted = state.counts[scope]?.counted, now - counted < age { return nil }
      let flight = SingleFlight {
        let found = await self.count(scope, in: store)
        self.note(found, scope)
        return found
      }
      state.flights[scope] = flight
      return flight
    }
  }

  /// Notes a count with the time at which it is known.
  private func note(_ found: Int?, _ scope: ExactString?) {
    let (now, age) = (clock(), limits.age)
    state.withLock { state in
      state.flights[scope] = nil
      guard let found else { return }
      if state.counts.count >= Self.countLimit {
        state.counts = state.counts.filter { now - $0.value.counted < age }
      }
      state.counts[scope] = Count(counted: now, messages: found)
    }
  }

  private func count(_ scope: ExactString?, in store: any RecordStore) async -> Int? {
    let limits = limits
    return try? await store.read(at: .now, .fresh) { rows throws(RecordStoreError) in
      guard let scope else {
        return try rows.count(PushTable.rows, by: PushTable.byDue, limit: limits.messages)
      }
      return try rows.count(
        PushTable.rows, by: PushTable.waiting, .prefix(RecordKey(scope.text)), limit: limits.poolMessages)
    }
  }
}
