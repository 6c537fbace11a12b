public import Records
internal import Synchronization
package import TokenLifetime
internal import TokenSecurityBase

/// The keys of all pools: loaded when a pool is first used, and kept for as many pools as the cache holds.
package final class PoolKeyRings: Sendable {
  private let store: any RecordStore
  private let secrets: UserPoolSecrets
  private let rule: RotationRule
  private let maker: SigningKeyMaker
  private let capacity: Int
  private let state = Mutex(State())

  private struct Entry {
    let keys: PoolKeys
    var lastUse: UInt64
  }

  private struct State {
    var entries: [ExactString: Entry] = [:]
    var uses: UInt64 = 0
    /// Loads that are under way.
    var loads: [ExactString: SingleFlight<Result<PoolKeys, UserPoolError>>] = [:]
    /// The last pool that the maintenance has visited.
    var visited: RecordKey?
  }

  /// Makes the rings over a store.
  ///
  /// - Parameters:
  ///   - store: the store of pools and keys.
  ///   - secrets: what seals the keys.
  ///   - rule: the schedule of each ring.
  ///   - maker: makes the keys.
  ///   - capacity: the most pools whose keys are kept in memory.
  package init(
    store: any RecordStore, secrets: UserPoolSecrets, rule: RotationRule,
    maker: SigningKeyMaker = .generating, capacity: Int = 1_000
  ) {
    self.store = store
    self.secrets = secrets
    self.rule = rule
    self.maker = maker
    self.capacity = max(1, capacity)
  }

  /// Returns a pool's keys, and makes them for a pool that has none.
  ///
  /// - Throws: `poolUnknown`; `storeFailed` where the keys are not in memory and the store fails.
  package func keys(of poolID: String) async throws(UserPoolError) -> PoolKeys {
    if let known = cached(poolID) {
      await known.refresh()
      if known.areComplete { return known }
    }
    let load = state.withLock { state in
      if let load = state.loads[ExactString(poolID)] { return load }
      let load = SingleFlight { () -> Result<PoolKeys, UserPoolError> in
        let result: Result<PoolKeys, UserPoolError>
        do throws(UserPoolError) { result = .success(try await self.loadOrMake(poolID)) } catch {
          result = .failure(error)
        }
        self.state.withLock { $0.loads[ExactString(poolID)] = nil }
        return result
      }
      state.loads[ExactString(poolID)] = load
      return load
    }
    // Nil: the caller's task was cancelled.
    guard let result = await load.value else { throw .storeBusy }
    return try result.get()
  }

  /// Returns a pool's keys in memory.
  package func cached(_ poolID: String) -> PoolKeys? {
    state.withLock { state in
      guard var entry = state.entries[ExactString(poolID)] else { return nil }
      state.uses += 1
      entry.lastUse = state.uses
      state.entries[ExactString(poolID)] = entry
      return entry.keys
    }
  }

  /// Forgets the keys of a removed pool.
  package func forget(_ poolID: String) { state.withLock { $0.entries[ExactString(poolID)] = nil } }

  private func loadOrMake(_ poolID: String) async throws(UserPoolError) -> PoolKeys {
    // Keys of names that are not pools take no slot in the cache.
    _ = try await store.read(at: .now, .fresh) { rows throws(UserPoolError) in
      try rows.existingPool(poolID)
    }
    let keys = kept(poolID)
    try await keys.load()
    if !keys.areComplete { try await keys.maintain(at: .now, uptime: nil) }
    return keys
  }

  /// The cache's entry for a pool, made if it is missing.
  private func kept(_ poolID: String) -> PoolKeys {
    if let known = cached(poolID) { return known }
    let keys = PoolKeys(poolID: poolID, store: store, secrets: secrets, rule: rule, maker: maker)
    return state.withLock { state in
      if let known = state.entries[ExactString(poolID)] { return known.keys }
      if state.entries.count >= capacity { Self.removeUnused(&state, capacity) }
      state.uses += 1
      state.entries[ExactString(poolID)] = Entry(keys: keys, lastUse: state.uses)
      return keys
    }
  }

  /// Removes the quarter that was not used for the longest time: not each insertion sorts.
  private static func removeUnused(_ state: inout State, _ capacity: Int) {
    let oldest = state.entries.sorted { $0.value.lastUse < $1.value.lastUse }.prefix(max(1, capacity / 4))
    for entry in oldest { state.entries[entry.key] = nil }
  }
}

/// Result of a step of the maintenance of signing keys.
public struct KeyMaintenanceStep: Sendable {
  /// Changed keys, by their pools.
  public var changes: [(poolID: String, changes: KeyChanges)] = []
  /// The first pool whose keys could not be maintained. The others were.
  public var failure: (poolID: String, error: UserPoolError)?
  /// True where the step ended at the last pool.
  public var isComplete = false
}

// Maintenance.
extension PoolKeyRings {
  /// Maintains the keys of the next pools: makes keys for new pools, publishes successors in time, removes keys
  /// whose last tokens have expired, and loads changes of other nodes.
  ///
  /// Steps must come often enough to visit each pool several times within the notice of new keys.
  ///
  /// - Parameters:
  ///   - now: the time.
  ///   - uptime: a monotonic clock; nil for that of the process.
  ///   - limit: the most pools of the step.
  /// - Returns: what changed.
  /// - Throws: `storeFailed` where the pools cannot be read.
  package func maintain(
    at now: Timestamp, uptime: Duration? = nil, limit: Int = 200
  ) async throws(UserPoolError) -> KeyMaintenanceStep {
    let visited = state.withLock { $0.visited }
    let rule = rule
    let page = try await store.read(at: .now, .fresh) { rows throws(UserPoolError) in
      var page: [Visit] = []
      for pool in try rows.scan(UserPoolTables.pools, KeyRange.all.after(visited), limit: limit) {
        guard !pool.isRemoved else {
          page.append(Visit(poolID: pool.id, stored: nil, isDue: false))
          continue
        }
        var stored: [[StoredSigningKey]] = []
        for use in KeyUse.allCases { stored.append(try rows.signingKeys(of: pool.id, for: use)) }
        let isDue = stored.contains { !rule.plan($0, at: now.wholeSecond).isEmpty }
        page.append(Visit(poolID: pool.id, stored: stored, isDue: isDue))
      }
      return page
    }
    var step = KeyMaintenanceStep(isComplete: page.count < limit)
    var last = visited
    for visit in page {
      // The keys of many pools take longer than a process may take to end.
      if Task.isCancelled {
        step.isComplete = false
        break
      }
      last = RecordKey(visit.poolID)
      do throws(UserPoolError) {
        for changes in try await maintain(visit, at: now, uptime) where changes != KeyChanges() {
          step.changes.append((visit.poolID, changes))
        }
      } catch .poolUnknown {
        // Removed meanwhile.
        forget(visit.poolID)
      } catch {
        if step.failure == nil { step.failure = (visit.poolID, error) }
      }
    }
    let reached = step.isComplete ? nil : last
    state.withLock { $0.visited = reached }
    return step
  }

  private struct Visit: Sendable {
    let poolID: String
    /// The keys of each use; nil for a removed pool.
    let stored: [[StoredSigningKey]]?
    let isDue: Bool
  }

  private func maintain(
    _ visit: Visit, at now: Timestamp, _ uptime: Duration?
  ) async throws(UserPoolError) -> [KeyChanges] {
    guard let stored = visit.stored else {
      forget(visit.poolID)
      return []
    }
    if visit.isDue { return try await kept(visit.poolID).maintain(at: now, uptime: uptime) }
    let known = state.withLock { $0.entries[ExactString(visit.poolID)]?.keys }
    guard let known, zip(KeyUse.allCases, stored).contains(where: { known.ring($0).stored != $1 }) else {
      return []
    }
    try await known.load()
    return []
  }
}
