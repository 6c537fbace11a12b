internal import CognitoIdentity
internal import CognitoSync
internal import Records
internal import Synchronization
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityTesting

/// Endpoints of devices that are gone.
@Suite struct EndpointTests {
  private static let start = PushFixture.start
  /// A time at which everything is due that the store does at the current time.
  private static var later: Timestamp { .now + .seconds(300) }

  private func fixture(_ kind: SyncStore = .memory) async throws -> PushFixture {
    var limits = SyncLimits()
    limits.devices = 1
    return try await PushFixture(kind.make(), limits: limits)
  }

  @Test(arguments: SyncStore.allCases)
  func thatOfAReplacedDeviceIsRemoved(kind: SyncStore) async throws {
    let f = try await fixture(kind)
    _ = try await f.device("phone")
    _ = try await f.device("tablet", .apns)
    let delivery = f.delivery()
    #expect(try await delivery.removeDueEndpoints(at: Self.start + .seconds(9)) == 0)
    #expect(try await delivery.removeDueEndpoints(at: Self.start + .seconds(10)) == 1)
    #expect(
      f.sender.removed == [
        PushEndpoint(
          poolID: f.identity.poolID, platform: .gcm, endpoint: PushMemory.endpoint("phone"),
          roleARN: PushFixture.role)
      ])
    #expect(f.events.outcomes == [.endpointRemoved])
    #expect(try await delivery.removeDueEndpoints(at: Self.start + .seconds(11)) == 0)
  }

  /// A phone on which one user followed another has one endpoint.
  @Test(arguments: SyncStore.allCases)
  func thatOfAnotherIdentityStays(kind: SyncStore) async throws {
    let f = try await PushFixture(kind.make())
    let joan = try await f.identity(of: "joan")
    _ = try await f.device("phone", of: joan)
    _ = try await f.device("phone")
    #expect(try await f.identities.deleteIdentities([joan.identityID]).isEmpty)
    #expect(try await f.delivery().removeDueEndpoints(at: Self.later) == 0)
    #expect(f.sender.removed.isEmpty)
    #expect(try await f.identities.deleteIdentities([f.identity.identityID]).isEmpty)
    #expect(try await f.delivery().removeDueEndpoints(at: Self.later) == 1)
    #expect(f.sender.removed.map(\.endpoint) == [PushMemory.endpoint("phone")])
  }

  @Test func thoseOfAMergedIdentityAreRemoved() async throws {
    let f = try await PushFixture()
    let joan = try await f.identity(of: "joan")
    for token in ["phone", "tablet"] { _ = try await f.device(token, of: joan) }
    // The application has registered it for the identity that remains already.
    _ = try await f.device("tablet")
    try await f.merge("joan", into: "jane")
    let times = [Self.start + .seconds(60), Self.later]
    for time in times { _ = try await f.delivery().removeDueEndpoints(at: time) }
    #expect(f.sender.removed.map(\.endpoint) == [PushMemory.endpoint("phone")])
  }

  /// The pool and its settings are gone by then.
  @Test(arguments: SyncStore.allCases)
  func thoseOfARemovedPoolAreRemoved(kind: SyncStore) async throws {
    let f = try await PushFixture(kind.make())
    let tokens = (0..<9).map { "phone-\($0)" }
    for token in tokens { _ = try await f.device(token) }
    try await f.identities.deletePool(f.identity.poolID, portion: 2)
    while try await f.identities.continueRemovals(portion: 2) {}
    #expect(try await f.delivery().removeDueEndpoints(at: Self.later) == 9)
    #expect(f.sender.removed.map(\.endpoint).sorted() == tokens.map { PushMemory.endpoint($0) })
    #expect(f.sender.removed.allSatisfy { $0.roleARN == PushFixture.role })
  }

  /// Without settings there is no role that may remove it.
  @Test func aPoolWithoutSettingsRemovesNothing() async throws {
    let f = try await fixture()
    for token in ["phone", "tablet"] { _ = try await f.device(token) }
    let poolID = f.identity.poolID
    _ = try await f.sync.setConfiguration(
      SetIdentityPoolConfiguration.Input { $0.poolID = poolID }, f.context())
    #expect(try await f.delivery().removeDueEndpoints(at: Self.start + .seconds(60)) == 1)
    #expect(f.sender.removed.isEmpty && f.events.outcomes.isEmpty)
    #expect(try await f.delivery().removeDueEndpoints(at: Self.start + .seconds(100)) == 0)
  }

  @Test func aRoleThatDoesNotAdmitThePoolRemovesNothing() async throws {
    let f = try await fixture()
    for token in ["phone", "tablet"] { _ = try await f.device(token) }
    try await f.identities.putRole(
      StoredRole(
        arn: PushFixture.role,
        trustPolicy: PushFixture.trust("us-east-1:00000000-0000-4000-8000-000000000000")))
    #expect(try await f.delivery().removeDueEndpoints(at: Self.start + .seconds(60)) == 1)
    #expect(f.sender.removed.isEmpty)
    guard case .endpointLeft(.configurationRefused)? = f.events.outcomes.first else {
      Issue.record("\(f.events.outcomes)")
      return
    }
  }

  @Test(arguments: SyncStore.allCases)
  func aDeviceThatComesBackKeepsItsEndpoint(kind: SyncStore) async throws {
    let f = try await fixture(kind)
    for token in ["phone", "tablet", "phone"] { _ = try await f.device(token) }
    #expect(try await f.delivery().removeDueEndpoints(at: Self.start + .seconds(60)) == 1)
    #expect(f.sender.removed.map(\.endpoint) == [PushMemory.endpoint("tablet")])
  }

  /// The sender makes a new endpoint where the old one was deleted at the platform.
  @Test func anEndpointThatADeviceNoLongerHasIsRemoved() async throws {
    let f = try await PushFixture()
    let device = SyncDevice(
      identity: f.identity, id: "device", platform: .gcm, token: "phone", endpoint: "old",
      registered: Self.start)
    try await f.store.write(at: Self.start) { rows throws(SyncError) in
      _ = try rows.add(device, limits: SyncLimits())
    }
    #expect(try await f.device("phone") == "device")
    #expect(try await f.delivery().removeDueEndpoints(at: Self.start + .seconds(60)) == 1)
    #expect(f.sender.removed.map(\.endpoint) == ["old"])
  }

  @Test func aRemovalIsTriedForAnHour() async throws {
    let f = try await fixture()
    for token in ["phone", "tablet"] { _ = try await f.device(token) }
    f.sender.fail(Array(repeating: .unavailable("no route"), count: 100))
    for second in stride(from: 10, to: 3_700, by: 1) {
      _ = try await f.delivery().removeDueEndpoints(at: Self.start + .seconds(second))
    }
    let outcomes = f.events.outcomes
    #expect(outcomes.dropLast().allSatisfy { $0 == .endpointDelayed(.unavailable("no route")) })
    #expect(outcomes.last == .endpointLeft(.unavailable("no route")) && outcomes.count == 19)
    #expect(f.sender.removed.isEmpty)
  }

  @Test(arguments: [
    (
      PushError.configurationRefused("no"),
      PushDelivery.Event.Outcome.endpointLeft(.configurationRefused("no"))
    ),
    (PushError.endpointRefused("gone"), PushDelivery.Event.Outcome.endpointRemoved),
  ])
  func aRefusedRemovalIsNotTriedAgain(_ error: PushError, _ outcome: PushDelivery.Event.Outcome) async throws
  {
    let f = try await fixture()
    for token in ["phone", "tablet"] { _ = try await f.device(token) }
    f.sender.fail([error])
    for second in [10, 100, 1_000] {
      _ = try await f.delivery().removeDueEndpoints(at: Self.start + .seconds(second))
    }
    #expect(f.events.outcomes == [outcome] && f.sender.removed.isEmpty)
  }

  /// An endpoint that does not fit stays at the sender: the devices are removed all the same.
  @Test(arguments: SyncStore.allCases)
  func theOutboxIsBounded(kind: SyncStore) async throws {
    let f = try await PushFixture(kind.make())
    let devices = (0..<5).map { number in
      SyncDevice(
        identity: f.identity, id: "\(number)", platform: .gcm, token: "\(number)", endpoint: "\(number)",
        registered: Self.start)
    }
    let counts = try await f.store.write(at: Self.start) { rows throws(SyncError) in
      try rows.removeEndpoints(of: Array(devices[..<2]), limit: 3)
      let first = try rows.count(EndpointTable.rows, limit: 10)
      // One that waits already needs no room.
      try rows.removeEndpoints(of: devices, limit: 3)
      return [first, try rows.count(EndpointTable.rows, limit: 10)]
    }
    #expect(counts == [2, 3])
  }

  @Test func twoNodesRemoveEachOnce() async throws {
    let f = try await PushFixture(SyncStore.sqlite.make())
    for number in 0..<30 { _ = try await f.device("\(number)") }
    #expect(try await f.identities.deleteIdentities([f.identity.identityID]).isEmpty)
    let (nodes, time) = ([f.delivery(), f.delivery()], Self.later)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for node in nodes { group.addTask { _ = try await node.removeDueEndpoints(at: time) } }
      try await group.waitForAll()
    }
    #expect(f.sender.removed.count == 30)
  }

  /// A delivery that runs removes what is due.
  @Test func aDeliveryThatRunsRemoves() async throws {
    let f = try await PushFixture()
    for number in 0..<10 { _ = try await f.device("\(number)") }
    // Due ten seconds ago.
    try await f.store.write(at: Timestamp.now + .seconds(-20)) { rows throws(SyncError) in
      try rows.removeDevices(of: f.identity)
    }
    let delivery = f.delivery()
    let running = Task { await delivery.run() }
    try await eventually { f.sender.removed.count == 10 }
    #expect(f.sender.removed.count == 10)
    running.cancel()
    await running.value
  }
}
