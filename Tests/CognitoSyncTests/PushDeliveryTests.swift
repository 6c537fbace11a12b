internal import CognitoIdentity
internal import CognitoSync
internal import Records
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityTesting

/// Messages from a change to the devices.
@Suite struct PushDeliveryTests {
  @Test(arguments: SyncStore.allCases)
  func aChangeTellsTheOtherDevices(kind: SyncStore) async throws {
    let f = try await PushFixture(kind.make())
    try await f.change("profile")
    let phone = try await f.device("phone", subscribedTo: ["profile"])
    let tablet = try await f.device("tablet", .apns, subscribedTo: ["profile"])
    // Not subscribed.
    _ = try await f.device("watch")
    try await f.change("profile", by: phone)
    #expect(try await f.waiting().map(\.deviceID) == [tablet])
    #expect(try await f.delivery().sendDue(at: PushFixture.start) == 1)
    let message = try #require(f.sender.messages.first)
    #expect(
      message
        == PushMessage(
          poolID: f.identity.poolID, identityID: f.identity.identityID, datasetName: "profile", syncCount: 2,
          deviceID: tablet, platform: .apns,
          endpoint: "arn:aws:sns:us-east-1:123456789012:endpoint/APNS/app/tablet",
          applicationARN: PushFixture.apple, roleARN: PushFixture.role))
    #expect(f.sender.messages.count == 1)
    #expect(f.events.outcomes == [.sent])
    // A change that no device made is for both.
    try await f.change("profile", key: "other", later: .seconds(10))
    #expect(try await f.delivery().sendDue(at: PushFixture.start + .seconds(10)) == 2)
    #expect(f.sender.messages.dropFirst().map(\.syncCount) == [3, 3])
  }

  @Test(arguments: SyncStore.allCases)
  func aBurstBecomesOneMessage(kind: SyncStore) async throws {
    let f = try await PushFixture(kind.make())
    try await f.change("profile")
    _ = try await f.device("phone", subscribedTo: ["profile"])
    for _ in 0..<5 { try await f.change("profile") }
    #expect(try await f.delivery().sendDue(at: PushFixture.start) == 1)
    #expect(f.sender.messages.map(\.syncCount) == [6])
    // Within the pause after a message the next one waits.
    for _ in 0..<3 { try await f.change("profile", later: .seconds(1)) }
    #expect(try await f.delivery().sendDue(at: PushFixture.start + .seconds(1)) == 0)
    #expect(try await f.delivery().sendDue(at: PushFixture.start + .seconds(2)) == 1)
    #expect(f.sender.messages.map(\.syncCount) == [6, 9])
    // Nothing waits, and the row goes with its pause.
    #expect(try await f.waiting(.seconds(3)).isEmpty)
    let left = try await f.store.read(at: PushFixture.start + .seconds(5), .fresh) { rows throws(SyncError) in
      try rows.count(PushTable.rows, limit: 10)
    }
    #expect(left == 0)
  }

  /// Messages are written in the transaction of the change: without a change there are none.
  @Test func aRefusedChangeSendsNothing() async throws {
    let f = try await PushFixture()
    try await f.change("profile")
    _ = try await f.device("phone", subscribedTo: ["profile"])
    let token = try #require(try await f.records("profile").sessionToken)
    let stale = UpdateRecords.Input {
      $0.dataset = DatasetName {
        $0.poolID = f.identity.poolID
        $0.identityID = f.identity.identityID
        $0.name = "profile"
      }
      $0.sessionToken = token
      $0.patches = [.set("new", "v"), .set("k", "w", count: 0)]
    }
    #expect(await pushCode { _ = try await f.sync.updateRecords(stale, f.context()) } == "record_conflict")
    #expect(try await f.waiting().isEmpty)
    #expect(try await f.delivery().sendDue(at: PushFixture.start) == 0)
  }

  /// Each data set and each device has messages of its own.
  @Test func dataSetsDoNotReplaceEachOther() async throws {
    let f = try await PushFixture()
    for name in ["profile", "scores"] { try await f.change(name) }
    for token in ["phone", "tablet"] { _ = try await f.device(token, subscribedTo: ["profile", "scores"]) }
    for name in ["profile", "scores"] { try await f.change(name) }
    #expect(try await f.delivery().sendDue(at: PushFixture.start) == 4)
    #expect(Set(f.sender.messages.map { ExactString("\($0.deviceID) \($0.datasetName)") }).count == 4)
  }

  /// A change that comes while a message about an earlier one is sent is not lost.
  @Test(arguments: SyncStore.allCases)
  func aChangeDuringSendingIsSentAfterwards(kind: SyncStore) async throws {
    let f = try await PushFixture(kind.make())
    try await f.change("profile")
    _ = try await f.device("phone", subscribedTo: ["profile"])
    try await f.change("profile")
    let delivery = f.delivery(with: ChangingSender(f))
    #expect(try await delivery.sendDue(at: PushFixture.start) == 1)
    #expect(try await f.waiting().map(\.count) == [3])
    #expect(try await f.delivery().sendDue(at: PushFixture.start + .seconds(2)) == 1)
    #expect(f.sender.messages.map(\.syncCount) == [3])
  }

  /// Changes the data set while it sends.
  private struct ChangingSender: PushSender {
    let fixture: PushFixture

    init(_ fixture: PushFixture) { self.fixture = fixture }

    func register(_ device: PushRegistration) async throws(PushError) -> String { device.token }
    func send(_ message: PushMessage) async throws(PushError) {
      do { try await fixture.change("profile") } catch { throw .configurationRefused("\(error)") }
    }
    func remove(_ endpoint: PushEndpoint) async throws(PushError) {}
  }

  @Test func aDeviceThatIsNotSubscribedAnyMoreGetsNothing() async throws {
    let f = try await PushFixture()
    try await f.change("profile")
    let phone = try await f.device("phone", subscribedTo: ["profile"])
    try await f.change("profile")
    try await f.unsubscribe(phone, from: "profile")
    #expect(try await f.delivery().sendDue(at: PushFixture.start) == 1)
    #expect(f.sender.messages.isEmpty)
    #expect(f.events.outcomes == [.withdrawn])
    #expect(try await f.waiting().isEmpty)
  }

  @Test func aMessageIsTriedForTenMinutes() async throws {
    let f = try await PushFixture()
    try await f.change("profile")
    _ = try await f.device("phone", subscribedTo: ["profile"])
    try await f.change("profile")
    f.sender.fail(Array(repeating: .unavailable("no route"), count: 100))
    var tries: [Int] = []
    for second in 0..<700 {
      let count = try await f.delivery().sendDue(at: PushFixture.start + .seconds(second))
      if count > 0 { tries.append(second) }
    }
    #expect(tries == [0, 2, 6, 14, 30, 62, 126, 246, 366, 486])
    #expect(f.events.outcomes.dropLast().allSatisfy { $0 == .delayed(.unavailable("no route")) })
    #expect(f.events.outcomes.last == .dropped(.unavailable("no route")))
    #expect(f.sender.messages.isEmpty)
    #expect(try await f.waiting(.seconds(500)).isEmpty)
  }

  @Test(arguments: [
    PushError.endpointRefused("EndpointDisabled"), .configurationRefused("NotFound"), .tokenRefused("no"),
  ])
  func aRefusedMessageIsGivenUp(_ error: PushError) async throws {
    let f = try await PushFixture()
    try await f.change("profile")
    _ = try await f.device("phone", subscribedTo: ["profile"])
    try await f.change("profile")
    f.sender.fail([error])
    #expect(try await f.delivery().sendDue(at: PushFixture.start) == 1)
    #expect(f.events.outcomes == [.dropped(error)])
    #expect(try await f.waiting().isEmpty)
    // The next change is a new message.
    try await f.change("profile")
    #expect(try await f.delivery().sendDue(at: PushFixture.start) == 1)
    #expect(f.sender.messages.map(\.syncCount) == [3])
  }

  /// The role's trust policy counts as it is when a message is sent.
  @Test func aRoleThatDoesNotAdmitThePoolSendsNothing() async throws {
    let f = try await PushFixture()
    try await f.change("profile")
    _ = try await f.device("phone", subscribedTo: ["profile"])
    let other = try await f.identities.createPool(named: "other")
    try await f.identities.putRole(
      StoredRole(arn: PushFixture.role, trustPolicy: PushFixture.trust(other.id)))
    try await f.change("profile")
    #expect(try await f.delivery().sendDue(at: PushFixture.start) == 1)
    guard case .dropped(.configurationRefused)? = f.events.outcomes.first else {
      Issue.record("\(f.events.outcomes)")
      return
    }
    #expect(f.sender.messages.isEmpty)
    #expect(await pushCode { _ = try await f.device("tablet") } == "push_not_configured")
    #expect(f.sender.registered.map(\.token) == ["phone"])
  }

  @Test func aPlatformWithoutApplicationIsRefused() async throws {
    let f = try await PushFixture()
    #expect(await pushCode { _ = try await f.device("kindle", .adm) } == "push_not_configured")
    #expect(f.sender.registered.isEmpty)
  }

  @Test func whatTheSenderRefusesIsNotRegistered() async throws {
    let f = try await PushFixture()
    f.sender.fail([.tokenRefused("bad"), .configurationRefused("bad"), .unavailable("later")])
    var codes: [String] = []
    for _ in 0..<3 { codes.append(await pushCode { _ = try await f.device("phone") }) }
    // An endpoint is stored: it is bounded, and has visible characters alone.
    for token in ["a b", "é", String(repeating: "a", count: 2_048)] {
      codes.append(await pushCode { _ = try await f.device(token) })
    }
    #expect(codes.prefix(3) == ["sync_push_token_refused", "push_not_configured", "sync_push_unavailable"])
    #expect(codes.dropFirst(3) == Array(repeating: "sync_push_unavailable", count: 3)[...])
    let count = try await f.store.read(at: PushFixture.start, .fresh) { rows throws(SyncError) in
      try rows.count(SyncTables.devices, limit: 10)
    }
    #expect(count == 0)
  }
}

/// Errors that callers get on a sender's refusal.
@Suite struct PushReasonTests {
  @Test func callersDoNotGetTheReason() async throws {
    let f = try await PushFixture()
    let long = String(repeating: "secret ", count: 1_000)
    f.sender.fail([.tokenRefused(long), .configurationRefused(long), .unavailable(long)])
    for message in [
      "Token: the platform does not accept it",
      "push messages cannot be sent: the pool's application or role cannot be used",
      "An internal error occurred.",
    ] {
      let error = try await refusal { _ = try await f.device("phone") }
      #expect(error.publicMessage == message)
      // For the log, and bounded.
      #expect(error.description.contains("secret") && error.description.utf8.count < 400)
    }
  }
}

/// Deliveries that run, and the bounds of the outbox.
@Suite struct PushOutboxTests {
  @Test func anAddedMessageWakesTheDelivery() async throws {
    let f = try await PushFixture()
    try await f.change("profile")
    try await f.change("scores")
    for number in 0..<20 { _ = try await f.device("\(number)", subscribedTo: ["profile", "scores"]) }
    // The delivery's own check comes too late.
    let delivery = f.delivery { $0.interval = .seconds(3_600) }
    let running = Task { await delivery.run() }
    // The checks when it begins, and when a message was sent, are over then.
    try await f.change("profile", later: Timestamp.now - PushFixture.start)
    try await eventually { f.events.outcomes.count == 20 }
    await letOthersRun()
    try await f.change("scores", later: Timestamp.now - PushFixture.start)
    try await eventually { f.sender.messages.count == 40 }
    for name in ["profile", "scores"] {
      let devices = f.sender.messages.filter { $0.datasetName == name }.map { ExactString($0.deviceID) }
      #expect(devices.count == 20 && Set(devices).count == 20)
    }
    running.cancel()
    await running.value
  }

  @Test(arguments: SyncStore.allCases)
  func twoNodesSendEachMessageOnce(kind: SyncStore) async throws {
    let f = try await PushFixture(kind.make())
    try await f.change("profile")
    for number in 0..<40 { _ = try await f.device("\(number)", subscribedTo: ["profile"]) }
    try await f.change("profile")
    let nodes = [f.delivery(), f.delivery()]
    try await withThrowingTaskGroup(of: Void.self) { group in
      for node in nodes {
        group.addTask { _ = try await node.sendDue(at: PushFixture.start) }
      }
      try await group.waitForAll()
    }
    #expect(f.sender.messages.count == 40)
    #expect(Set(f.sender.messages.map { ExactString($0.deviceID) }).count == 40)
  }

  /// A change without room for its messages is stored, and reported as lost.
  @Test func aFullOutboxDoesNotRefuseChanges() async throws {
    var limits = PushOutbox.Limits()
    limits.poolMessages = 2
    // Its counts are valid for all of the test.
    let timers = SettableClock()
    let f = try await PushFixture(outbox: PushOutbox(limits: limits, clock: { timers.instant }))
    try await f.change("profile")
    for number in 0..<3 { _ = try await f.device("\(number)", subscribedTo: ["profile"]) }
    try await f.change("profile")
    #expect(try await f.waiting().count == 2)
    #expect(f.outbox.takeLost().map(\.changes) == [1])
    // No device is subscribed to it: nothing is lost.
    try await f.change("scores")
    #expect(f.outbox.takeLost().isEmpty)
    // A waiting message announces the last change, although no further message has room.
    try await f.change("profile")
    #expect(try await f.records("profile").datasetSyncCount == 3)
    #expect(try await f.waiting().map(\.count) == [3, 3])
    let lost = f.outbox.takeLost()
    #expect(lost.count == 1 && lost[0].poolID.isIdentical(to: f.identity.poolID) && lost[0].changes == 1)
    #expect(f.outbox.takeLost().isEmpty)
  }

  /// An identity with many devices leaves room for the others of its pool.
  @Test func oneIdentityDoesNotFillTheOutboxOfItsPool() async throws {
    var limits = PushOutbox.Limits()
    (limits.poolMessages, limits.identityMessages) = (4, 2)
    let f = try await PushFixture(outbox: PushOutbox(limits: limits))
    let joe = try await f.identity(of: "joe")
    for owner in [f.identity, joe] {
      try await f.change("profile", of: owner)
      for number in 0..<3 {
        _ = try await f.device("\(number)\(owner.identityID)", of: owner, subscribedTo: ["profile"])
      }
      try await f.change("profile", of: owner)
    }
    let waiting = try await f.waiting()
    #expect(waiting.count == 4)
    #expect(waiting.filter { $0.identityID.isIdentical(to: joe.identityID) }.count == 2)
    #expect(f.outbox.takeLost().map(\.changes) == [2])
    #expect(try await f.delivery().sendDue(at: PushFixture.start) == 4)
  }

  @Test func anotherPoolHasRoomOfItsOwn() async throws {
    var limits = PushOutbox.Limits()
    limits.poolMessages = 1
    let timers = SettableClock()
    let outbox = PushOutbox(limits: limits, clock: { timers.instant })
    let f = try await PushFixture(outbox: outbox)
    try await f.change("profile")
    _ = try await f.device("phone", subscribedTo: ["profile"])
    try await f.change("profile")
    // The row waits at the fixture's time, which the clock has not reached: it counts all the same.
    timers.advance(by: .seconds(1))
    #expect(await outbox.room(forPool: f.identity.poolID, in: f.store) == 0)
    #expect(await outbox.room(forPool: "us-east-1:other", in: f.store) == 1)
  }
}
