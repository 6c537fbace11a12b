internal import CognitoUserPool
internal import Records
internal import RecordsSQLite
internal import Synchronization
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityTesting

/// Deliveries that run.
@Suite struct MessagesDeliveryTests {
  private static let phone = Destination(.phoneNumber, "+15550100")

  @Test func anEnqueueWakesIt() async throws {
    let fixture = try MessagesFixture()
    let sender = MessageMemory()
    var limits = MessageDelivery.Limits()
    // The delivery's own check comes too late.
    limits.interval = .seconds(3_600)
    let delivery = MessageDelivery(fixture.service, sender: sender, limits: limits)
    let running = Task { await delivery.run() }
    for number in 0..<30 {
      try await fixture.enqueue(code: "\(number)", at: .now)
      try await eventually { sender.messages.count == number + 1 }
      #expect(sender.messages.last?.code == "\(number)")
    }
    try await fixture.enqueue(.authentication, to: Self.phone, code: "sms", at: .now)
    try await eventually { sender.messages.count == 31 }
    #expect(sender.messages.last?.code == "sms")
    running.cancel()
    await running.value
  }

  @Test func itFindsWhatAnotherNodeEnqueued() async throws {
    let store = try MemoryRecordStore(tables: UserPoolTables.all)
    let (one, other) = (try MessagesFixture(store), try MessagesFixture(store))
    let sender = MessageMemory()
    var limits = MessageDelivery.Limits()
    limits.interval = .milliseconds(20)
    let delivery = MessageDelivery(other.service, sender: sender, limits: limits)
    let running = Task { await delivery.run() }
    try await one.enqueue(at: .now)
    try await eventually { sender.messages.count == 1 }
    #expect(sender.messages.count == 1)
    running.cancel()
    await running.value
  }

  @Test func aDeadMailServerDoesNotStopSMS() async throws {
    let fixture = try MessagesFixture()
    let sender = HangingMail()
    let delivery = MessageDelivery(fixture.service, sender: sender)
    let running = Task { await delivery.run() }
    for number in 0..<20 { try await fixture.enqueue(code: "\(number)", at: .now) }
    try await eventually { sender.waiting == 8 }
    for _ in 0..<12 { try await fixture.enqueue(.authentication, to: Self.phone, at: .now) }
    try await eventually { sender.sent == 12 }
    #expect(sender.sent == 12)
    #expect(sender.waiting == 8)
    sender.release()
    try await eventually { sender.sent == 32 }
    #expect(sender.sent == 32)
    running.cancel()
    await running.value
  }

  @Test func theEndWaitsForMessagesThatAreBeingSent() async throws {
    let fixture = try MessagesFixture()
    let sender = HangingMail()
    let delivery = MessageDelivery(fixture.service, sender: sender)
    let hasEnded = Atomic(false)
    let running = Task {
      await delivery.run()
      hasEnded.store(true, ordering: .relaxed)
    }
    for _ in 0..<12 { try await fixture.enqueue(at: .now) }
    try await eventually { sender.waiting == 8 }
    running.cancel()
    await letOthersRun()
    let hadEnded = hasEnded.load(ordering: .relaxed)
    #expect(!hadEnded)
    sender.release()
    await running.value
    // Those that had begun were sent and removed; the others wait for the next start.
    #expect(sender.sent == 8)
    #expect(try await fixture.rows(at: .now).count == 4)
  }

  /// The clock is set forward by a day while a message is sent: its lease has ended, and the process does not take it again.
  @Test func aClockThatJumpsSendsNoMessageTwice() async throws {
    let fixture = try MessagesFixture()
    let sender = HangingMail()
    let delivery = MessageDelivery(fixture.service, sender: sender)
    try await fixture.enqueue(lifetime: .seconds(7 * 86_400))
    async let first = delivery.sendDue(at: MessagesFixture.now)
    try await eventually { sender.waiting == 1 }
    async let second = delivery.sendDue(at: MessagesFixture.now + .seconds(86_400))
    await letOthersRun()
    #expect(sender.waiting == 1)
    sender.release()
    #expect(try await (first, second) == (1, 0))
    #expect(sender.sent == 1)
    #expect(try await fixture.rows().isEmpty)
  }

  /// The same in a delivery that runs: leases are over when they begin.
  @Test func aRunningDeliveryTakesNoMessageTwice() async throws {
    let fixture = try MessagesFixture()
    let sender = HangingMail()
    var limits = MessageDelivery.Limits()
    limits.lease = .seconds(-60)
    let delivery = MessageDelivery(fixture.service, sender: sender, limits: limits)
    let running = Task { await delivery.run() }
    for number in 1...5 {
      try await fixture.enqueue(code: "\(number)", at: .now)
      try await eventually { sender.waiting >= number }
    }
    await letOthersRun()
    #expect(sender.waiting == 5)
    sender.release()
    try await eventually { try await fixture.rows(at: .now).isEmpty }
    running.cancel()
    await running.value
    #expect(sender.sent == 5)
  }

  @Test func aSenderThatHangsIsGivenUp() async throws {
    let fixture = try MessagesFixture()
    let (sender, events) = (HangingMail(), DeliveryEvents())
    var limits = MessageDelivery.Limits()
    let timers = SettableClock()
    limits.timers = timers
    let delivery = MessageDelivery(fixture.service, sender: sender, limits: limits, onEvent: events.add)
    try await fixture.enqueue()
    async let sent = delivery.sendDue(at: MessagesFixture.now)
    try await eventually { sender.waiting == 1 && timers.sleepers == 1 }
    timers.advance(by: limits.timeout)
    #expect(try await sent == 1)
    #expect(events.outcomes == [.delayed(.unavailable("it took too long"))])
    #expect(try await fixture.rows().map(\.attempts) == [1])
    sender.release()
  }

  @Test(arguments: [false, true])
  func twoNodesSendEachMessageOnce(inSQLite: Bool) async throws {
    let path = try MessagesFixture.folder() + "/records.sqlite"
    let store: any RecordStore =
      inSQLite
      ? try SQLiteRecordStore(path: path, tables: UserPoolTables.all)
      : try MemoryRecordStore(tables: UserPoolTables.all)
    let fixture = try MessagesFixture(store)
    for number in 0..<60 { try await fixture.enqueue(code: "\(number)", at: .now) }
    let sender = MessageMemory()
    let nodes = try (0..<2).map { _ in
      MessageDelivery(try MessagesFixture(store).service, sender: sender)
    }
    let running = nodes.map { node in Task { await node.run() } }
    try await eventually { sender.messages.count >= 60 }
    for task in running {
      task.cancel()
      await task.value
    }
    #expect(Set(sender.messages.map(\.id)).count == 60)
    #expect(sender.messages.count == 60)
    #expect(try await fixture.rows(at: .now).isEmpty)
    try await store.close()
  }

  @Test func theLeaseOfANodeThatEndedIsOver() async throws {
    let fixture = try MessagesFixture()
    try await fixture.enqueue()
    let now = MessagesFixture.now
    // A node that leased the message and was killed.
    let leased = try await fixture.service.store.write(at: now) { rows throws(UserPoolError) in
      try rows.leaseMessages(.email, limit: 8, for: .seconds(60))
    }
    #expect(leased.count == 1)
    let sender = MessageMemory()
    let delivery = MessageDelivery(fixture.service, sender: sender)
    #expect(try await delivery.sendDue(at: now + .seconds(59)) == 0)
    #expect(try await delivery.sendDue(at: now + .seconds(60)) == 1)
    #expect(sender.messages.count == 1)
  }

  /// A clock that was ahead, by less than the life of the code, has tried to send a message.
  @Test func aMessageThatAClockAheadHasLeasedIsSent() async throws {
    let fixture = try MessagesFixture()
    try await fixture.enqueue()
    let sender = MessageMemory()
    let delivery = MessageDelivery(fixture.service, sender: sender)
    let now = MessagesFixture.now
    for _ in 0..<3 {
      sender.fail([.unavailable("it is away")])
      #expect(try await delivery.sendDue(at: now + .seconds(12 * 3_600)) == 1)
      sender.fail([.unavailable("it is away")])
      #expect(try await delivery.sendDue(at: now) == 1)
      // As ever after a failure it waits for a pause.
      #expect(try await delivery.sendDue(at: now) == 0)
    }
    #expect(try await delivery.sendDue(at: now + .seconds(300)) == 1)
    #expect(sender.messages.count == 1)
  }

  /// A clock that is ahead gives a message up near the end of its code. It is sent once the clock is right.
  @Test func aMessageThatAClockAheadGaveUpIsSent() async throws {
    let fixture = try MessagesFixture()
    try await fixture.enqueue(lifetime: .seconds(86_400))
    let (sender, events) = (MessageMemory(), DeliveryEvents())
    let delivery = MessageDelivery(fixture.service, sender: sender, onEvent: events.add)
    let (now, away) = (MessagesFixture.now, MessageError.unavailable("it is away"))
    sender.fail([away])
    #expect(try await delivery.sendDue(at: now + .seconds(86_399)) == 1)
    #expect(events.outcomes == [.dropped(away)])
    #expect(try await delivery.sendDue(at: now) == 1)
    #expect(sender.messages.count == 1)
    #expect(try await fixture.rows().isEmpty)
  }

  @Test func aNodeWhoseLeaseIsOverChangesNothing() async throws {
    let fixture = try MessagesFixture()
    try await fixture.enqueue()
    let now = MessagesFixture.now
    func lease(at time: Timestamp) async throws -> OutboxRow {
      try #require(
        try await fixture.service.store.write(at: time) { rows throws(UserPoolError) in
          try rows.leaseMessages(.email, limit: 8, for: .seconds(60))
        }.first)
    }
    let first = try await lease(at: now)
    let second = try await lease(at: now + .seconds(60))
    try await fixture.service.store.write(at: now + .seconds(61)) { rows throws(UserPoolError) in
      try rows.removeMessage(first)
      try rows.retryMessage(first, at: now + .seconds(61))
    }
    #expect(try await fixture.rows(at: now + .seconds(61)) == [second])
    try await fixture.service.store.write(at: now + .seconds(62)) { rows throws(UserPoolError) in
      try rows.removeMessage(second)
    }
    #expect(try await fixture.rows(at: now + .seconds(62)).isEmpty)
  }
}

/// E-mail waits until it is released; SMS is sent at once.
private final class HangingMail: MessageSender {
  private let (gate, done) = (Gate(), Tally())

  var sent: Int { done.value }
  var waiting: Int { gate.waiting }

  func release() { gate.open() }

  func send(_ message: OutgoingMessage) async throws(MessageError) {
    if message.medium == .email { await gate.pass() }
    done.add()
  }
}
