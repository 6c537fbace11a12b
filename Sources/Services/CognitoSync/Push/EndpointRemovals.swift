internal import HTTPExchange
internal import Records
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityPlatform

/// Removes the endpoints of devices that are gone, for as long as a delivery runs.
struct EndpointRemovals: Sendable {
  let store: any RecordStore
  let account: String
  let sender: any PushSender
  let limits: PushDelivery.Limits
  let onEvent: @Sendable (PushDelivery.Event) -> Void
  /// The endpoints that are being removed.
  let running: RunningRows

  /// Removes endpoints until the task is cancelled. It returns when those that are being removed then have ended.
  func run() async {
    let slots = CountedSlots<ExactString>(limits.removing, ofKey: limits.removingOfPool)
    let removing = LeasedWork(
      slots, signal: WakeSignal(), every: TimeLimit.bounded(limits.removalInterval),
      timers: limits.timers, running: running, key: \EndpointRow.key, owner: \EndpointRow.poolID
    ) { slots in
      await leaseForRun(slots)
    } perform: { row in
      await remove(row, at: nil)
    }
    await removing.run()
  }

  /// Removes the endpoints that are due, each once.
  func removeDue(at now: Timestamp) async throws(SyncError) -> Int {
    var count = 0
    while true {
      let rows = try await lease(FreeSlots(max(1, limits.removing)), at: now)
      if rows.isEmpty { return count }
      await withDiscardingTaskGroup { group in
        for row in rows where running.begin(row.key) {
          group.addTask {
            await remove(row, at: now)
            running.end(row.key)
          }
        }
      }
      count += rows.count
    }
  }

  private func leaseForRun(_ slots: FreeSlots<ExactString>) async -> [EndpointRow] {
    do throws(SyncError) { return try await lease(slots, at: .now) } catch {
      report("", 0, .storeFailed(error))
      return []
    }
  }

  /// Leases endpoints that are due. A transaction that writes begins only where there are some.
  private func lease(
    _ slots: FreeSlots<ExactString>, at now: Timestamp
  ) async throws(SyncError) -> [EndpointRow] {
    let (time, running) = (limits.lease, running.keys)
    while true {
      let hasDue = try await store.read(at: now, .fresh) { rows throws(SyncError) in
        try rows.hasDueEndpoints(slots, except: running)
      }
      guard hasDue else { return [] }
      let found = try await store.write(at: now) { rows throws(SyncError) in
        try rows.leaseEndpoints(slots, for: time, except: running)
      }
      for row in found.late {
        report(row.poolID, row.attempts, .endpointLeft(.unavailable("it was not removed in time")))
      }
      // Where devices have all of them, the next ones are looked at. Rows that cannot be read stay due: looking again
      // would not end.
      if !found.hasNext || Task.isCancelled { return found.leased }
    }
  }

  /// Removes a leased endpoint, and notes what became of it.
  private func remove(_ row: EndpointRow, at time: Timestamp?) async {
    let outcome = await tried(row, at: time)
    let now = time ?? .now
    do throws(SyncError) {
      try await store.write(at: now) { rows throws(SyncError) in
        if case .endpointDelayed? = outcome {
          try rows.retryRemoval(row, at: now + row.pause)
        } else {
          try rows.endRemoval(row)
        }
      }
      if let outcome { report(row.poolID, row.attempts, outcome) }
    } catch {
      // Its lease ends, and it is removed again.
      report(row.poolID, row.attempts, .storeFailed(error))
    }
  }

  /// Result of a try; nil where the pool's settings were removed, so that no role may remove it.
  private func tried(_ row: EndpointRow, at time: Timestamp?) async -> PushDelivery.Event.Outcome? {
    let failure: PushError
    do throws(PushError) {
      guard let endpoint = try await endpoint(for: row) else { return nil }
      let (sender, late) = (sender, Result<Void, PushError>.failure(.unavailable("it took too long")))
      try await TimeLimit.run(within: limits.timeout, else: late, timers: limits.timers) {
        do throws(PushError) { return .success(try await sender.remove(endpoint)) } catch {
          return .failure(error)
        }
      }.get()
      return .endpointRemoved
    } catch {
      failure = error
    }
    switch failure {
    // It is gone.
    case .endpointRefused: return .endpointRemoved
    case .unavailable where (time ?? .now) + row.pause < row.end: return .endpointDelayed(failure)
    default: return .endpointLeft(failure)
    }
  }

  /// The endpoint with the role that may remove it now.
  private func endpoint(for row: EndpointRow) async throws(PushError) -> PushEndpoint? {
    let found: (endpoint: PushEndpoint, isRemoved: Bool)?
    do throws(SyncError) {
      found = try await store.read(at: .now, .fresh) { rows throws(SyncError) in try rows.endpoint(for: row) }
    } catch {
      throw .unavailable("\(error)")
    }
    guard let found else { return nil }
    let isThere = try await store.checkPublishing(
      found.endpoint.roleARN, poolID: row.poolID, account: account, isRemoved: found.isRemoved)
    return isThere ? found.endpoint : nil
  }

  private func report(_ poolID: String, _ attempts: Int64, _ outcome: PushDelivery.Event.Outcome) {
    onEvent(PushDelivery.Event(poolID: poolID, deviceID: "", attempts: attempts, outcome: outcome))
  }
}
