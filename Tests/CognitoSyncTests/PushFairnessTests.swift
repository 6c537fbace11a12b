internal import CognitoIdentity
@testable internal import CognitoSync
internal import Records
internal import Synchronization
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityCrypto
internal import TokenSecurityPlatform
internal import TokenSecurityTesting

/// Messages of one pool beside those of others, and those that come too late.
@Suite struct PushFairnessTests {
  private static let start = PushFixture.start

  /// Keeps messages of one pool waiting until it is told to go on.
  private final class HangingSender: PushSender {
    let poolID: String
    let gate = Gate()
    private let pools = Mutex<[ExactString]>([])

    init(hangsFor poolID: String) { self.poolID = poolID }

    /// The pools of messages that were begun.
    var begun: [ExactString] { pools.withLock { $0 } }

    func register(_ device: PushRegistration) async throws(PushError) -> String { device.token }

    func send(_ message: PushMessage) async throws(PushError) {
      pools.withLock { $0.append(ExactString(message.poolID)) }
      if message.poolID.isIdentical(to: poolID) { await gate.pass() }
    }

    func remove(_ endpoint: PushEndpoint) async throws(PushError) {
      if endpoint.poolID.isIdentical(to: poolID) { await gate.pass() }
    }
  }

  /// The clock is set forward while a message is sent: its lease has ended, and the process neither takes it again nor gives
  /// it up.
  @Test(arguments: [Duration.seconds(300), .seconds(86_400)])
  func aClockThatJumpsSendsNoMessageTwice(_ distance: Duration) async throws {
    let f = try await PushFixture()
    try await f.change("profile")
    _ = try await f.device("phone", subscribedTo: ["profile"])
    try await f.change("profile")
    let sender = HangingSender(hangsFor: f.identity.poolID)
    let delivery = f.delivery(with: sender)
    async let first = delivery.sendDue(at: Self.start)
    try await eventually { sender.gate.waiting == 1 }
    async let second = delivery.sendDue(at: Self.start + distance)
    await letOthersRun()
    #expect(sender.gate.waiting == 1)
    sender.gate.open()
    #expect(try await (first, second) == (1, 0))
    #expect(sender.begun.count == 1)
    #expect(f.events.outcomes == [.sent])
  }

  /// The same for an endpoint that is being removed.
  @Test(arguments: [Duration.seconds(300), .seconds(86_400)])
  func aClockThatJumpsRemovesNoEndpointTwice(_ distance: Duration) async throws {
    var limits = SyncLimits()
    limits.devices = 1
    let f = try await PushFixture(limits: limits)
    for token in ["phone", "tablet"] { _ = try await f.device(token) }
    let sender = HangingSender(hangsFor: f.identity.poolID)
    let delivery = f.delivery(with: sender)
    async let first = delivery.removeDueEndpoints(at: Self.start + .seconds(10))
    try await eventually { sender.gate.waiting == 1 }
    async let second = delivery.removeDueEndpoints(at: Self.start + .seconds(10) + distance)
    await letOthersRun()
    #expect(sender.gate.waiting == 1)
    sender.gate.open()
    #expect(try await (first, second) == (1, 0))
    #expect(f.events.outcomes == [.endpointRemoved])
  }

  /// Rows of another pool, as another node may have stored them.
  private static func rows(_ count: Int, pool: String, due: Duration) -> [PushRow] {
    (0..<count).map { number in
      var row = PushRow()
      (row.poolID, row.identityID, row.datasetName) = (pool, "us-east-1:x", "profile")
      row.deviceID = "\(number)"
      row.isWaiting = true
      row.due = start + due
      row.deadline = row.due + .seconds(600)
      return row
    }
  }

  /// A lease takes no more rows of a pool than it has slots, and looks further for those of others.
  @Test(arguments: SyncStore.allCases)
  func aPoolAtItsLimitIsPassedOver(kind: SyncStore) async throws {
    let store = try await kind.make()
    let many = Self.rows(300, pool: "us-east-1:many", due: .zero)
    let few = Self.rows(3, pool: "us-east-1:few", due: .seconds(1))
    try await store.write(at: Self.start) { rows throws(SyncError) in
      for row in many + few { try rows.put(row, in: PushTable.rows) }
    }
    let slots = CountedSlots<ExactString>(8, ofKey: 2)
    func lease() async throws -> [String] {
      let free = slots.free
      return try await store.write(at: Self.start + .seconds(2)) { rows throws(SyncError) in
        try rows.leasePushes(free, for: .seconds(30)).leased.map(\.poolID)
      }
    }
    #expect(try await lease() == ["many", "many", "few", "few"].map { "us-east-1:\($0)" })
    let held = try ["us-east-1:many", "us-east-1:many", "us-east-1:few"].map {
      try slots.taken(for: ExactString($0))
    }
    #expect(try await lease() == ["us-east-1:few"])
    #expect(held.count == 3 && slots.free.total == 5)
  }

  /// The messages of a pool whose receiver hangs take two of the slots.
  @Test func aPoolThatHangsDelaysNoOther() async throws {
    let f = try await PushFixture()
    let sender = HangingSender(hangsFor: f.identity.poolID)
    try await f.change("profile")
    for number in 0..<20 { _ = try await f.device("\(number)", subscribedTo: ["profile"]) }
    try await f.change("profile", later: Timestamp.now - Self.start)
    let delivery = f.delivery(with: sender) {
      ($0.interval, $0.timeout) = (.milliseconds(20), .seconds(600))
    }
    let running = Task { await delivery.run() }
    try await eventually { sender.begun.count == 2 }
    let other = try await PushFixture(f.store, outbox: f.outbox)
    try await other.change("profile")
    _ = try await other.device("tablet", subscribedTo: ["profile"])
    try await other.change("profile", later: Timestamp.now - Self.start)
    let otherPool = ExactString(other.identity.poolID)
    try await eventually { sender.begun.contains(otherPool) }
    #expect(sender.begun.filter { $0 != otherPool }.count == 2)
    #expect(sender.begun.contains(otherPool))
    sender.gate.open()
    running.cancel()
    await running.value
  }

  /// A message that no delivery could send in time is given up with a report.
  @Test(arguments: SyncStore.allCases)
  func aMessageThatWaitedTooLongIsReported(kind: SyncStore) async throws {
    let f = try await PushFixture(kind.make())
    try await f.change("profile")
    _ = try await f.device("phone", subscribedTo: ["profile"])
    try await f.change("profile")
    #expect(try await f.delivery().sendDue(at: Self.start + .seconds(600)) == 0)
    #expect(f.events.outcomes == [.dropped(.unavailable("it was not sent in time"))])
    #expect(try await f.waiting(.seconds(600)).isEmpty && f.sender.messages.isEmpty)
    // It is reported once, and sent if the clock was ahead.
    #expect(try await f.delivery().sendDue(at: Self.start + .seconds(601)) == 0)
    #expect(f.events.outcomes.count == 1)
    while try await f.sync.removeOldMessages(at: Self.start + .seconds(2)) {}
    #expect(try await f.delivery().sendDue(at: Self.start + .seconds(2)) == 1)
    #expect(try await f.waiting().isEmpty && f.sender.messages.count == 1)
  }

  @Test(arguments: SyncStore.allCases)
  func anEndpointThatWaitedTooLongIsReported(kind: SyncStore) async throws {
    var limits = SyncLimits()
    limits.devices = 1
    let f = try await PushFixture(kind.make(), limits: limits)
    for token in ["phone", "tablet"] { _ = try await f.device(token) }
    #expect(try await f.delivery().removeDueEndpoints(at: Self.start + .seconds(3_600)) == 0)
    #expect(try await f.delivery().removeDueEndpoints(at: Self.start + .seconds(3_601)) == 0)
    #expect(f.events.outcomes == [.endpointLeft(.unavailable("it was not removed in time"))])
    #expect(f.sender.removed.isEmpty)
    // It is removed if the clock was ahead.
    while try await f.sync.removeOldMessages(at: Self.start + .seconds(10)) {}
    #expect(try await f.delivery().removeDueEndpoints(at: Self.start + .seconds(10)) == 1)
    #expect(f.sender.removed.count == 1)
  }

  /// A change shortly before the deadline of a message that waits has ten minutes of its own.
  @Test func aLateChangeIsNotDroppedWithTheMessage() async throws {
    let f = try await PushFixture()
    try await f.change("profile")
    _ = try await f.device("phone", subscribedTo: ["profile"])
    try await f.change("profile")
    f.sender.fail([.unavailable("no route")])
    #expect(try await f.delivery().sendDue(at: Self.start) == 1)
    try await f.change("profile", later: .seconds(599))
    #expect(try await f.delivery().sendDue(at: Self.start + .seconds(601)) == 1)
    #expect(f.sender.messages.map(\.syncCount) == [3])
  }

  /// A change that comes while an earlier one is refused is tried.
  @Test func aChangeDuringARefusalIsTried() async throws {
    let f = try await PushFixture()
    try await f.change("profile")
    _ = try await f.device("phone", subscribedTo: ["profile"])
    try await f.change("profile")
    let delivery = f.delivery(with: RefusingSender(f))
    #expect(try await delivery.sendDue(at: Self.start) == 1)
    #expect(f.events.outcomes == [.delayed(.endpointRefused("gone"))])
    #expect(try await f.delivery().sendDue(at: Self.start + .seconds(2)) == 1)
    #expect(f.sender.messages.map(\.syncCount) == [3])
  }

  /// Changes the data set, and refuses the message.
  private struct RefusingSender: PushSender {
    let fixture: PushFixture

    init(_ fixture: PushFixture) { self.fixture = fixture }

    func register(_ device: PushRegistration) async throws(PushError) -> String { device.token }
    func send(_ message: PushMessage) async throws(PushError) {
      do { try await fixture.change("profile") } catch { throw .unavailable("\(error)") }
      throw .endpointRefused("gone")
    }
    func remove(_ endpoint: PushEndpoint) async throws(PushError) {}
  }
}
