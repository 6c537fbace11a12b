internal import HTTPExchange
public import Records
public import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityPlatform

/// Sends the push messages in the outbox of a service, for as long as it runs.
///
///     let delivery = PushDelivery(store, outbox: outbox, account: "123456789012", sender: sender)
///     let running = Task { await delivery.run() }
///     // …
///     running.cancel()          // messages that are being sent are sent to the end
///     await running.value
///
/// Each node of a service runs one. A message is leased by one of them at a time. A message that cannot be sent is
/// tried again for ten minutes. Before each try the device, its subscription, the pool's application and the role
/// are looked up again: a device that is not subscribed any more gets nothing. Beside the messages, the endpoints
/// of devices that are gone are removed.
public final class PushDelivery: Sendable {
  private let store: any RecordStore
  private let outbox: PushOutbox
  private let account: String
  private let sender: any PushSender
  private let limits: Limits
  private let onEvent: @Sendable (Event) -> Void
  /// The messages that are being sent, and the endpoints that are being removed.
  private let (sending, removing) = (RunningRows(), RunningRows())

  package struct Limits: Sendable {
    /// Maximum number of messages that are sent at a time, and of one pool. A sender can be slow for one pool alone.
    package var running = 8
    package var runningOfPool = 2
    /// How long a message may take.
    package var timeout = Duration.seconds(15)
    /// How long a node keeps a message for itself.
    package var lease = Duration.seconds(30)
    /// How often messages of other nodes, and delayed ones, are looked for.
    package var interval = Duration.seconds(1)
    /// Maximum number of endpoints that are removed at a time, of one pool, and the interval of looking for them.
    package var removing = 4
    package var removingOfPool = 2
    package var removalInterval = Duration.seconds(5)
    /// The clock of `timeout` and of the intervals.
    package var timers: any Clock<Duration> = ContinuousClock()

    package init() {}
  }

  /// Makes a delivery.
  ///
  /// - Parameters:
  ///   - store: the store of identity pools and data sets.
  ///   - outbox: the outbox of the service.
  ///   - account: the account of the service, 12 digits, for which the trust policies of roles are checked.
  ///   - sender: sends the messages.
  ///   - onEvent: called for each try, for logs and metrics. Default: nothing.
  public convenience init(
    _ store: any RecordStore, outbox: PushOutbox, account: String, sender: any PushSender,
    onEvent: @escaping @Sendable (Event) -> Void = { _ in }
  ) {
    self.init(
      store, outbox: outbox, account: account, sender: sender, limits: Limits(), onEvent: onEvent)
  }

  package init(
    _ store: any RecordStore, outbox: PushOutbox, account: String, sender: any PushSender, limits: Limits,
    onEvent: @escaping @Sendable (Event) -> Void = { _ in }
  ) {
    self.store = store
    self.outbox = outbox
    self.account = account
    self.sender = sender
    self.limits = limits
    self.onEvent = onEvent
  }

  /// True while messages are being sent, or endpoints removed.
  package var isSending: Bool { !sending.isEmpty || !removing.isEmpty }

  /// Sends messages, and removes endpoints, until the task is cancelled. It returns when those that are being sent or
  /// removed then have ended.
  public func run() async {
    let removals = removals
    let slots = CountedSlots<ExactString>(limits.running, ofKey: limits.runningOfPool)
    let work = LeasedWork(
      slots, signal: outbox.signal, every: TimeLimit.bounded(limits.interval), timers: limits.timers,
      running: sending, key: \PushRow.key, owner: \PushRow.poolID
    ) { slots in
      await self.leaseForRun(slots)
    } perform: { row in
      await self.send(row, at: nil)
    }
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await removals.run() }
      group.addTask { await work.run() }
    }
  }

  /// Removes the endpoints that are due, each once. For tests and tools without a running delivery.
  ///
  /// - Parameter now: the time. Default: the current time.
  /// - Returns: the number of endpoints that were tried.
  /// - Throws: `storeFailed`, `storeBusy`.
  @discardableResult
  public func removeDueEndpoints(at now: Timestamp = .now) async throws(SyncError) -> Int {
    try await removals.removeDue(at: now)
  }

  private var removals: EndpointRemovals {
    EndpointRemovals(
      store: store, account: account, sender: sender, limits: limits, onEvent: onEvent, running: removing)
  }

  /// Sends the messages that are due, each once. For tests and tools without a running delivery.
  ///
  /// - Parameter now: the time. Default: the current time.
  /// - Returns: the number of messages that were tried.
  /// - Throws: `storeFailed`, `storeBusy`.
  @discardableResult
  public func sendDue(at now: Timestamp = .now) async throws(SyncError) -> Int {
    var count = 0
    while true {
      let (rows, ended) = try await lease(FreeSlots(limits.running), at: now)
      if rows.isEmpty, ended == 0 { return count }
      for row in rows.filter({ sending.begin($0.key) }) {
        await send(row, at: now)
        sending.end(row.key)
      }
      count += rows.count
    }
  }

  private func leaseForRun(_ slots: FreeSlots<ExactString>) async -> [PushRow] {
    for (poolID, changes) in outbox.takeLost() {
      onEvent(Event(poolID: poolID, deviceID: "", attempts: 0, outcome: .lost(changes)))
    }
    while !Task.isCancelled {
      do throws(SyncError) {
        let (rows, ended) = try await lease(slots, at: .now)
        if !rows.isEmpty || ended == 0 { return rows }
      } catch {
        report(nil, .storeFailed(error))
        return []
      }
    }
    return []
  }

  /// Leases messages that are due, and gives up those whose time has ended. A transaction that writes begins only where
  /// there are some.
  private func lease(
    _ slots: FreeSlots<ExactString>, at now: Timestamp
  ) async throws(SyncError) -> (leased: [PushRow], ended: Int) {
    guard slots.total > 0 else { return ([], 0) }
    let (time, sending) = (limits.lease, sending.keys)
    let hasDue = try await store.read(at: now, .fresh) { rows throws(SyncError) in
      try rows.hasDuePushes(slots, except: sending)
    }
    guard hasDue else { return ([], 0) }
    let (leased, ended) = try await store.write(at: now) { rows throws(SyncError) in
      try rows.leasePushes(slots, for: time, except: sending)
    }
    for row in ended { report(row, .dropped(.unavailable("it was not sent in time"))) }
    return (leased, ended.count)
  }

  /// Sends a leased message, and notes what became of it.
  private func send(_ row: PushRow, at time: Timestamp?) async {
    var outcome = await tried(row, at: time)
    let (now, found) = (time ?? .now, outcome)
    do throws(SyncError) {
      let isEnded = try await store.write(at: now) { rows throws(SyncError) in
        switch found {
        case .sent: try rows.notePushSent(row)
        case .delayed: try rows.retryPush(row, at: now + row.pause)
        default: return try rows.removePush(row)
        }
        return true
      }
      if case .dropped(let error) = outcome, !isEnded { outcome = .delayed(error) }
      report(row, outcome)
    } catch {
      // Its lease ends, and it is sent again.
      report(row, .storeFailed(error))
    }
  }

  private func tried(_ row: PushRow, at time: Timestamp?) async -> Event.Outcome {
    let failure: PushError
    do throws(PushError) {
      guard let message = try await message(for: row) else { return .withdrawn }
      let (sender, late) = (sender, Result<Void, PushError>.failure(.unavailable("it took too long")))
      try await TimeLimit.run(within: limits.timeout, else: late, timers: limits.timers) {
        do throws(PushError) { return .success(try await sender.send(message)) } catch {
          return .failure(error)
        }
      }.get()
      return .sent
    } catch {
      failure = error
    }
    guard case .unavailable = failure, (time ?? .now) + row.pause < row.deadline else {
      return .dropped(failure)
    }
    return .delayed(failure)
  }

  private func report(_ row: PushRow?, _ outcome: Event.Outcome) {
    onEvent(
      Event(
        poolID: row?.poolID ?? "", deviceID: row?.deviceID ?? "", attempts: row?.attempts ?? 0,
        outcome: outcome))
  }
}

extension PushDelivery {
  /// The message for a device as everything is now; nil where it is to get none.
  ///
  /// - Throws: `unavailable` where the store cannot be read, `configurationRefused` for the role.
  private func message(for row: PushRow) async throws(PushError) -> PushMessage? {
    let found: PushMessage?
    do throws(SyncError) {
      found = try await store.read(at: .now, .fresh) { rows throws(SyncError) in try rows.message(for: row) }
    } catch {
      throw .unavailable("\(error)")
    }
    guard let found else { return nil }
    let isThere = try await store.checkPublishing(found.roleARN, poolID: found.poolID, account: account)
    return isThere ? found : nil
  }
}
