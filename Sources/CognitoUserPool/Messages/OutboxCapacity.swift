internal import Records
internal import Synchronization
internal import TokenSecurityEncodings

/// The outbox of a service: how much may wait in it, and its deliveries.
///
/// Messages of all nodes are counted, at most once a second while there is room, so that a busy service does not
/// count them for each message. The limits are therefore exceeded by as much as the other nodes add in a second.
/// A pool has less room than the outbox, so that one pool cannot keep the messages of others out.
package final class OutboxCapacity: Sendable {
  /// How much may wait.
  package struct Limits: Sendable, Hashable {
    /// The most messages of a medium.
    package var rows = 10_000
    /// The most bytes of a medium's messages.
    package var bytes = 64 << 20
    /// The most messages of a pool.
    package var poolRows = 2_000
    /// The most bytes of a pool's messages.
    package var poolBytes = 16 << 20
    /// How long a count is valid.
    package var age = Duration.seconds(1)

    package init() {}
  }

  private enum Scope: Hashable {
    case medium(DeliveryMedium)
    case pool(ExactString)
  }

  private struct Count {
    var counted: ContinuousClock.Instant
    var rows = 0
    var bytes = 0
  }

  let signal: OutboxSignal
  private let limits: Limits
  private let clock: @Sendable () -> ContinuousClock.Instant
  private let counts = Mutex<[Scope: Count]>([:])
  /// The most counts that are kept: those of pools without messages are forgotten.
  private static let countLimit = 1_000

  package init(
    limits: Limits = Limits(), clock: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    self.limits = limits
    self.clock = clock
    signal = OutboxSignal(clock: clock)
  }

  /// Takes room for a message.
  ///
  /// - Throws: `deliveryFailed` where too many messages wait.
  func reserve(
    _ size: Int, _ medium: DeliveryMedium, of poolID: String, in store: any RecordStore
  ) async throws(UserPoolError) {
    let scopes = [Scope.pool(ExactString(poolID)), .medium(medium)]
    for scope in scopes where isOld(scope) {
      let count = try await count(scope, in: store)
      let (now, age) = (clock(), limits.age)
      counts.withLock { counts in
        if counts.count >= Self.countLimit { counts = counts.filter { now - $0.value.counted < age } }
        counts[scope] = count
      }
    }
    let limits = limits
    let fits = counts.withLock { counts in
      for scope in scopes {
        guard let count = counts[scope] else { continue }
        let most = Self.most(scope, limits)
        guard count.rows < most.rows, count.bytes + size <= most.bytes else { return false }
      }
      for scope in scopes {
        counts[scope]?.rows += 1
        counts[scope]?.bytes += size
      }
      return true
    }
    guard fits else { throw .deliveryFailed(rule: "too many messages wait to be sent") }
  }

  private func isOld(_ scope: Scope) -> Bool {
    let now = clock()
    return counts.withLock { counts in
      guard let counted = counts[scope]?.counted else { return true }
      return now - counted >= limits.age
    }
  }

  private static func most(_ scope: Scope, _ limits: Limits) -> (rows: Int, bytes: Int) {
    switch scope {
    case .medium: (limits.rows, limits.bytes)
    case .pool: (limits.poolRows, limits.poolBytes)
    }
  }

  private func count(_ scope: Scope, in store: any RecordStore) async throws(UserPoolError) -> Count {
    let (most, clock) = (Self.most(scope, limits), clock)
    return try await store.read(at: .now, .fresh) { rows throws(UserPoolError) in
      var count = Count(counted: clock())
      switch scope {
      case .medium(let medium):
        count.rows = try rows.count(
          UserPoolTables.outbox, by: UserPoolTables.outboxByDue, .prefix(RecordKey(medium.name)),
          limit: most.rows)
      case .pool(let id):
        count.rows = try rows.count(UserPoolTables.outbox, .prefix(RecordKey(id.text)), limit: most.rows)
      }
      // Few messages need not be read: they fit whatever their size.
      guard count.rows > most.bytes / OutboxRow.sizeLimit, count.rows < most.rows else { return count }
      let messages: [OutboxRow]
      switch scope {
      case .medium(let medium):
        messages = try rows.scan(
          UserPoolTables.outbox, by: UserPoolTables.outboxByDue, .prefix(RecordKey(medium.name)),
          limit: most.rows)
      case .pool(let id):
        messages = try rows.scan(UserPoolTables.outbox, .prefix(RecordKey(id.text)), limit: most.rows)
      }
      count.bytes = messages.reduce(0) { $0 + $1.sealed.count }
      return count
    }
  }
}

extension OutboxRow {
  /// More bytes than a sealed message has: 20,000 characters and their values.
  static let sizeLimit = 256 << 10
}
