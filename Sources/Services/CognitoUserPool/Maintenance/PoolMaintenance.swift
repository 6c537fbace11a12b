internal import Records
public import TokenLifetime

/// Maintenance of a service at intervals. Each step is one short transaction, so that calls do not wait.
public struct PoolMaintenance: Sendable {
  let store: any RecordStore
  let keyRings: PoolKeyRings

  /// Removes the next rows of a removed pool or a removed user.
  ///
  /// - Returns: true if some may be left: call it again.
  /// - Throws: `storeFailed`, `storeBusy`.
  public nonisolated(nonsending) func continueRemovals() async throws(UserPoolError) -> Bool {
    try await continueRemovals(portion: UserPoolTables.portion)
  }

  package nonisolated(nonsending) func continueRemovals(portion: Int) async throws(UserPoolError) -> Bool {
    let next = try await store.read(at: .now, .fresh) { rows throws(UserPoolError) in
      (
        pool: try rows.scan(UserPoolTables.pools, by: UserPoolTables.removedPools, limit: 1).first?.id,
        user: try rows.scan(UserPoolTables.removedUsers, limit: 1).first
      )
    }
    guard next.pool != nil || next.user != nil else { return false }
    try await store.write { rows throws(UserPoolError) in
      if let pool = next.pool { _ = try rows.continueRemoval(ofPool: pool, limit: portion) }
      if let user = next.user { try rows.continueRemoval(of: user, limit: portion) }
    }
    return true
  }

  /// The number of messages of a medium that wait to be sent, at most ``messageLimit``.
  ///
  /// - Parameter medium: the medium.
  /// - Returns: the number.
  /// - Throws: `storeFailed`, `storeBusy`.
  public nonisolated(nonsending) func waitingMessages(_ medium: DeliveryMedium) async throws(UserPoolError)
    -> Int
  {
    try await store.read(at: .now, .fresh) { rows throws(UserPoolError) in
      try rows.count(
        UserPoolTables.outbox, by: UserPoolTables.outboxByDue, .prefix(RecordKey(medium.name)),
        limit: Self.messageLimit)
    }
  }

  /// Maximum number of messages that are counted.
  public static let messageLimit = 20_000

  /// Removes rows whose time has passed: codes, sessions, sign-ins, messages, devices that were not confirmed.
  ///
  /// They are removed once they were seen to have ended for a day of uptime, so that a clock that is ahead for a moment
  /// removes nothing. Call it at least once an hour: longer pauses count as an hour of uptime.
  ///
  /// - Parameter now: the time. Default: now.
  /// - Returns: true if some may be left: call it again, after a pause in which other calls can write.
  /// - Throws: `storeFailed`, `storeBusy`.
  public nonisolated(nonsending) func removeEndedRows(at now: Timestamp = .now) async throws(UserPoolError)
    -> Bool
  {
    // Before the transaction that writes, since a count can take seconds.
    try await store.read(at: now, .fresh) { rows throws(UserPoolError) in
      try rows.countEnded(in: UserPoolTables.all)
    }
    return try await store.write(at: now) { rows throws(UserPoolError) in
      try rows.removeEndedRows(limit: UserPoolTables.portion)
    }
  }

  /// Maintains the signing keys of the next 200 pools: makes keys for new pools, publishes the next ones in
  /// time, removes keys whose tokens have expired, and loads changes of other nodes. Call it every few seconds.
  ///
  /// - Parameter now: the time. Default: now.
  /// - Returns: what changed.
  /// - Throws: `storeFailed`.
  @discardableResult
  public nonisolated(nonsending) func maintainKeys(at now: Timestamp = .now) async throws(UserPoolError)
    -> KeyMaintenanceStep
  {
    try await keyRings.maintain(at: now)
  }
}
