internal import Records
internal import Synchronization
internal import TokenSecurityEncodings

/// The outbox of a service: how much may wait in it, and its deliveries.
///
/// Messages of all nodes are counted, at most once a second while there is room, so that a busy service does not
/// count them for each message. The limits are therefore exceeded by as much as the other nodes add in a second.
package final class OutboxRoom: Sendable {
  /// How much may wait.
  package struct Limits: Sendable, Hashable {
    /// The most messages of a medium.
    package var rows = 10_000
    /// The most bytes of a medium's messages.
    package var bytes = 64 << 20
    /// How long a count is valid.
    package var age = Duration.seconds(1)

    package init() {}
  }

  private struct Count {
    var counted: ContinuousClock.Instant?
    var rows = 0
    var bytes = 0
  }

  let signal = OutboxSignal()
  private let limits: Limits
  private let counts = Mutex<[DeliveryMedium: Count]>([:])

  package init(limits: Limits = Limits()) { self.limits = limits }

  /// Takes room for a message.
  ///
  /// - Throws: `deliveryFailed` where too many messages wait.
  func reserve(
    _ size: Int, _ medium: DeliveryMedium, in store: any RecordStore
  ) async throws(UserPoolError) {
    let isOld = counts.withLock { counts in
      guard let counted = counts[medium]?.counted else { return true }
      return ContinuousClock.now - counted >= limits.age
    }
    if isOld {
      let count = try await count(medium, in: store)
      counts.withLock { $0[medium] = count }
    }
    let fits = counts.withLock { counts in
      var count = counts[medium] ?? Count()
      guard count.rows < limits.rows, count.bytes + size <= limits.bytes else { return false }
      count.rows += 1
      count.bytes += size
      counts[medium] = count
      return true
    }
    guard fits else { throw .deliveryFailed(rule: "too many messages wait to be sent") }
  }

  private func count(
    _ medium: DeliveryMedium, in store: any RecordStore
  ) async throws(UserPoolError) -> Count {
    let (limits, lane) = (limits, KeyRange.prefix(RecordKey(medium.rawValue.text)))
    return try await store.read(at: .now, .fresh) { rows throws(UserPoolError) in
      var count = Count(counted: .now)
      count.rows = try rows.count(
        UserPoolTables.outbox, by: UserPoolTables.outboxByDue, lane, limit: limits.rows)
      // Few messages need not be read: they fit whatever their size.
      guard count.rows > limits.bytes / OutboxRow.sizeLimit, count.rows < limits.rows else { return count }
      count.bytes = try rows.scan(
        UserPoolTables.outbox, by: UserPoolTables.outboxByDue, lane, limit: limits.rows
      ).reduce(0) { $0 + $1.sealed.count }
      return count
    }
  }
}

extension OutboxRow {
  /// More bytes than a sealed message has: 20,000 characters and their values.
  static let sizeLimit = 256 << 10
}
