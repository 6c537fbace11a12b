internal import HTTPExchange
internal import Records
public import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityPlatform

/// Sends the messages in the outbox of a service, for as long as it runs.
///
///     let delivery = MessageDelivery(service, sender: MessageMemory())
///     let running = Task { await delivery.run() }
///     // …
///     running.cancel()          // messages that are being sent are sent to the end
///     await running.value
///
/// Each node of a service runs one. A message is leased by one of them at a time. E-mail and SMS do not wait for
/// each other. A message that cannot be sent is tried again until its code has ended.
public final class MessageDelivery: Sendable {
  private let store: any RecordStore
  private let secrets: UserPoolSecrets
  private let signal: OutboxSignal
  private let sender: any MessageSender
  private let limits: Limits
  private let onEvent: @Sendable (Event) -> Void
  /// The messages that are being sent.
  private let running = RunningRows()

  /// The outcome of a message.
  public struct Event: Sendable, Equatable {
    /// The outcome of the message.
    public enum Outcome: Sendable, Equatable {
      /// It was sent.
      case sent
      /// It could not be sent, and is tried again.
      case delayed(MessageError)
      /// It cannot be sent, or not before its code ends, and is not tried again.
      case dropped(MessageError)
      /// The outbox could not be read or written.
      case storeFailed(UserPoolError)
    }

    /// The message's id; empty for `storeFailed` without one.
    public let id: String
    /// The pool's id.
    public let poolID: String
    /// How it is sent.
    public let medium: DeliveryMedium
    /// How often it was tried.
    public let attempts: Int64
    /// The outcome of the message.
    public let outcome: Outcome
  }

  package struct Limits: Sendable {
    /// Maximum number of messages of a medium that are sent at a time.
    package var running = 8
    /// How long a message may take.
    package var timeout = Duration.seconds(30)
    /// How long a node keeps a message for itself.
    package var lease = Duration.seconds(60)
    /// How often messages of other nodes, and delayed ones, are looked for.
    package var interval = Duration.seconds(1)
    /// How long after an enqueue its transaction may end.
    package var settling = Duration.milliseconds(500)
    /// The clock of `timeout` and `interval`.
    package var timers: any Clock<Duration> = ContinuousClock()

    package init() {}
  }

  /// Makes a delivery.
  ///
  /// - Parameters:
  ///   - service: the service.
  ///   - sender: sends the messages.
  ///   - onEvent: called for each try, for logs and metrics. Default: nothing.
  public convenience init(
    _ service: UserPoolService, sender: any MessageSender,
    onEvent: @escaping @Sendable (Event) -> Void = { _ in }
  ) {
    self.init(service, sender: sender, limits: Limits(), onEvent: onEvent)
  }

  package init(
    _ service: UserPoolService, sender: any MessageSender, limits: Limits,
    onEvent: @escaping @Sendable (Event) -> Void = { _ in }
  ) {
    store = service.store
    secrets = service.secrets
    signal = service.outbox.signal
    self.sender = sender
    self.limits = limits
    self.onEvent = onEvent
  }

  /// True while messages are being sent.
  package var isSending: Bool { !running.isEmpty }

  /// Sends messages until the task is cancelled. It returns when the messages that are being sent then have
  /// ended.
  public func run() async {
    await withTaskGroup(of: Void.self) { group in
      for medium in DeliveryMedium.allCases { group.addTask { await self.run(medium) } }
    }
  }

  /// Sends the messages that are due, each once. For tests and tools without a running delivery.
  ///
  /// - Parameter now: the time. Default: the current time.
  /// - Returns: the number of messages that were tried.
  /// - Throws: `storeFailed`, `storeBusy`.
  @discardableResult
  public func sendDue(at now: Timestamp = .now) async throws(UserPoolError) -> Int {
    var count = 0
    for medium in DeliveryMedium.allCases {
      while true {
        let rows = try await lease(medium, limits.running, at: now)
        for row in rows.filter({ running.begin($0.rowKey) }) {
          await send(row, medium, at: now)
          running.end(row.rowKey)
        }
        count += rows.count { !$0.isSimulated }
        if rows.isEmpty { break }
      }
    }
    return count
  }

  private func run(_ medium: DeliveryMedium) async {
    let (signal, settling) = (signal, limits.settling)
    let sending = LeasedWork(
      CountedSlots(limits.running), signal: signal.signal(of: medium),
      every: TimeLimit.bounded(limits.interval), timers: limits.timers, running: running,
      key: \OutboxRow.rowKey, owner: \OutboxRow.poolID,
      isSettling: { signal.hasRung(medium, within: settling) }
    ) { slots in
      await self.leaseForRun(medium, slots.total)
    } perform: { row in
      await self.send(row, medium, at: nil)
    }
    await sending.run()
  }

  private func leaseForRun(_ medium: DeliveryMedium, _ limit: Int) async -> [OutboxRow] {
    do throws(UserPoolError) { return try await lease(medium, limit, at: .now) } catch {
      onEvent(Event(id: "", poolID: "", medium: medium, attempts: 0, outcome: .storeFailed(error)))
      return []
    }
  }

  /// Leases messages that are due. A transaction that writes begins only where some can be read.
  private func lease(
    _ medium: DeliveryMedium, _ limit: Int, at now: Timestamp
  ) async throws(UserPoolError) -> [OutboxRow] {
    guard limit > 0 else { return [] }
    let (time, running) = (limits.lease, running.keys)
    let hasDue = try await store.read(at: now, .fresh) { rows throws(UserPoolError) in
      try !rows.dueMessages(medium, limit: 1, except: running).isEmpty
    }
    guard hasDue else { return [] }
    return try await store.write(at: now) { rows throws(UserPoolError) in
      try rows.leaseMessages(medium, limit: limit, for: time, except: running)
    }
  }

  /// Sends a leased message, and notes what became of it.
  private func send(_ row: OutboxRow, _ medium: DeliveryMedium, at time: Timestamp?) async {
    // A message to a user who does not exist: nobody gets it. It counts as one that waits, and as no event.
    let outcome = row.isSimulated ? Event.Outcome.sent : await tried(row, at: time)
    let now = time ?? .now
    do throws(UserPoolError) {
      try await store.write(at: now) { rows throws(UserPoolError) in
        switch outcome {
        case .sent, .dropped(.refused): try rows.removeMessage(row)
        // One that is given up ends by itself. A clock that is ahead does not remove it.
        default: try rows.retryMessage(row, at: now + row.pause)
        }
      }
      if !row.isSimulated { report(row, medium, outcome) }
    } catch {
      // Its lease ends, and it is sent again.
      if !row.isSimulated { report(row, medium, .storeFailed(error)) }
    }
  }

  private func tried(_ row: OutboxRow, at time: Timestamp?) async -> Event.Outcome {
    let message: OutgoingMessage?
    do throws(UserPoolError) { message = try row.message(secrets) } catch {
      return .delayed(.unavailable("it could not be opened"))
    }
    guard let message else { return .dropped(.refused("the service's master key does not open it")) }
    let (sender, limit) = (sender, limits.timeout)
    let late = Result<Void, MessageError>.failure(.unavailable("it took too long"))
    let result = await TimeLimit.run(within: limit, else: late, timers: limits.timers) {
      do throws(MessageError) { return .success(try await sender.send(message)) } catch {
        return .failure(error)
      }
    }
    switch result {
    case .success: return .sent
    case .failure(.refused(let rule)): return .dropped(.refused(rule))
    case .failure(let error):
      return (time ?? .now) + row.pause < row.end ? .delayed(error) : .dropped(error)
    }
  }

  private func report(_ row: OutboxRow, _ medium: DeliveryMedium, _ outcome: Event.Outcome) {
    onEvent(
      Event(id: row.id, poolID: row.poolID, medium: medium, attempts: row.attempts, outcome: outcome))
  }
}
