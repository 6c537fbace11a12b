internal import HTTPExchange
public import Records
public import TokenLifetime
internal import TokenSecurityEncodings

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

  /// What became of a message.
  public struct Event: Sendable, Equatable {
    /// What became of it.
    public enum Outcome: Sendable, Equatable {
      /// It was sent.
      case sent
      /// It could not be sent, and is tried again.
      case delayed(PushError)
      /// It cannot be sent, and was removed.
      case dropped(PushError)
      /// The device is not subscribed any more.
      case withdrawn
      /// Messages on this many changes had no room in the outbox.
      case lost(Int)
      /// The endpoint of a device that is gone was removed.
      case endpointRemoved
      /// The endpoint could not be removed. It is tried again.
      case endpointDelayed(PushError)
      /// The endpoint cannot be removed.
      case endpointLeft(PushError)
      /// The outbox could not be read or written.
      case storeFailed(SyncError)
    }

    /// The pool's id; empty for `lost`, and for `storeFailed` without a message or endpoint.
    public let poolID: String
    /// The device's id; empty as ``poolID``, and for endpoints, whose device is gone.
    public let deviceID: String
    /// How often it was tried.
    public let attempts: Int64
    /// What became of it.
    public let outcome: Outcome
  }

  package struct Limits: Sendable {
    /// The most messages that are sent at a time.
    package var running = 8
    /// How long a message may take.
    package var timeout = Duration.seconds(15)
    /// How long a node keeps a message for itself.
    package var lease = Duration.seconds(30)
    /// How often messages of other nodes, and delayed ones, are looked for.
    package var interval = Duration.seconds(1)
    /// The most endpoints that are removed at a time, and how often they are looked for.
    package var removing = 4
    package var removalInterval = Duration.seconds(5)

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

  /// Sends messages, and removes endpoints, until the task is cancelled. It returns when those that are being sent or
  /// removed then have ended.
  public func run() async {
    let removals = removals
    let removing = Task.detached { await removals.run() }
    let free = FreePlaces(limits.running)
    let wakings = outbox.wakings()
    let (outbox, interval) = (outbox, Deadline.bounded(limits.interval))
    let clock = Task {
      while !Task.isCancelled {
        outbox.wake()
        try? await Task.sleep(for: interval)
      }
    }
    defer { clock.cancel() }
    await withDiscardingTaskGroup { group in
      for await _ in wakings {
        let lost = outbox.takeLost()
        if lost > 0 { report(nil, .lost(lost)) }
        for row in await leaseForRun(free.count) {
          free.take()
          // Of its own, since a cancellation must not stop a message half way.
          let sending = Task.detached {
            await self.send(row, at: nil)
            free.give()
            outbox.wake()
          }
          group.addTask { await sending.value }
        }
      }
    }
    removing.cancel()
    await removing.value
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
    EndpointRemovals(store: store, account: account, sender: sender, limits: limits, onEvent: onEvent)
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
      let rows = try await lease(limits.running, at: now)
      if rows.isEmpty { return count }
      for row in rows { await send(row, at: now) }
      count += rows.count
    }
  }

  private func leaseForRun(_ limit: Int) async -> [PushRow] {
    do throws(SyncError) { return try await lease(limit, at: .now) } catch {
      report(nil, .storeFailed(error))
      return []
    }
  }

  /// Leases messages that are due. A transaction that writes begins only where there are some.
  private func lease(_ limit: Int, at now: Timestamp) async throws(SyncError) -> [PushRow] {
    guard limit > 0 else { return [] }
    let hasDue = try await store.read(at: now, .fresh) { rows throws(SyncError) in try rows.hasDuePushes() }
    guard hasDue else { return [] }
    let time = limits.lease
    return try await store.write(at: now) { rows throws(SyncError) in
      try rows.leasePushes(limit: limit, for: time)
    }
  }

  /// Sends a leased message, and notes what became of it.
  private func send(_ row: PushRow, at time: Timestamp?) async {
    let outcome = await tried(row, at: time)
    let now = time ?? .now
    do throws(SyncError) {
      try await store.write(at: now) { rows throws(SyncError) in
        switch outcome {
        case .sent: try rows.notePushSent(row)
        case .delayed: try rows.retryPush(row, at: now + row.pause)
        default: try rows.removePush(row)
        }
      }
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
      try await Deadline.run(within: limits.timeout, else: late) {
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
