internal import Records
internal import TokenLifetime
internal import TokenSecurityBase

/// The outbox of a service: how much may wait in it, and its deliveries.
///
/// Messages of all nodes are counted, at most once a second and once at a time, so that a busy service does not
/// count them for each message. The limits are therefore exceeded by as much as the other nodes add in a second.
/// A pool has less room than the outbox, so that one pool cannot keep the messages of others out.
package final class OutboxCapacity: Sendable {
  /// How much may wait.
  package struct Limits: Sendable, Hashable {
    /// Maximum number of messages of a medium.
    package var rows = 10_000
    /// Maximum size in bytes of a medium's messages.
    package var bytes = 64 << 20
    /// Maximum number of messages of a pool.
    package var poolRows = 2_000
    /// Maximum size in bytes of a pool's messages.
    package var poolBytes = 16 << 20
    /// How long a count is valid.
    package var age = Duration.seconds(1)

    package init() {}
  }

  /// All messages are one scope.
  private enum Scope { case outbox }

  let signal: OutboxSignal
  private let limits: Limits
  private let counts: AgedCounts<Scope, OutboxCount, UserPoolError>

  package init(
    limits: Limits = Limits(), clock: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    self.limits = limits
    counts = AgedCounts(validFor: limits.age, clock: clock)
    signal = OutboxSignal(clock: clock)
  }

  /// Takes room for a message.
  ///
  /// - Throws: `deliveryFailed` where too many messages wait.
  package func reserve(
    _ size: Int, _ medium: DeliveryMedium, of poolID: String, in store: any RecordStore
  ) async throws(UserPoolError) {
    let (limits, pool) = (limits, ExactString(poolID))
    let counted = await counts.refresh(.outbox) {
      do throws(UserPoolError) {
        return .success(
          try await store.read(at: .now, .fresh) { rows throws(UserPoolError) in
            try OutboxCount(rows, limits)
          })
      } catch {
        return .failure(error)
      }
    }
    // Nil: the caller's task was cancelled.
    guard let counted else { throw .storeBusy }
    try counted.get()
    let fits = counts.update(.outbox) { $0.take(size, medium, of: pool, limits) } ?? false
    guard fits else { throw .deliveryFailed(rule: "too many messages wait to be sent") }
  }
}

/// How many messages wait, and how many bytes they have.
struct OutboxCount: Sendable {
  private struct Sum: Sendable {
    var rows = 0
    var bytes = 0

    mutating func add(_ size: Int) {
      rows += 1
      bytes += size
    }
  }

  private var media: [DeliveryMedium: Sum] = [:]
  private var pools: [ExactString: Sum] = [:]

  /// Counts the messages in the index by which they are sent. It has none that have ended.
  init(_ rows: ReadTransaction<UserPoolError>, _ limits: OutboxCapacity.Limits) throws(UserPoolError) {
    for medium in DeliveryMedium.allCases {
      let range = KeyRange.prefix(RecordKey(medium.name))
      let keys = try rows.keys(
        of: UserPoolTables.outbox, by: UserPoolTables.outboxByDue, range, limit: limits.rows)
      // Few messages need not be read: they fit whatever their size. If there is no room for any, neither.
      if keys.count <= min(limits.bytes, limits.poolBytes) / OutboxRow.sizeLimit || keys.count >= limits.rows
      {
        for key in keys { add(0, medium, of: key.firstText ?? "") }
      } else {
        let messages = try rows.scan(
          UserPoolTables.outbox, by: UserPoolTables.outboxByDue, range, limit: limits.rows)
        for message in messages { add(message.sealed.count, medium, of: message.poolID) }
      }
    }
  }

  private mutating func add(_ size: Int, _ medium: DeliveryMedium, of poolID: String) {
    media[medium, default: Sum()].add(size)
    pools[ExactString(poolID), default: Sum()].add(size)
  }

  /// Adds a message if it fits.
  mutating func take(
    _ size: Int, _ medium: DeliveryMedium, of pool: ExactString, _ limits: OutboxCapacity.Limits
  ) -> Bool {
    let (all, own) = (media[medium] ?? Sum(), pools[pool] ?? Sum())
    guard all.rows < limits.rows, all.bytes + size <= limits.bytes, own.rows < limits.poolRows,
      own.bytes + size <= limits.poolBytes
    else { return false }
    add(size, medium, of: pool.text)
    return true
  }
}

extension OutboxRow {
  /// More bytes than a sealed message has: 20,000 characters and their values.
  static let sizeLimit = 256 << 10
}
