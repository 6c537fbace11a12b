internal import CognitoIdentity
internal import CognitoSync
internal import Records
internal import Synchronization
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityTesting

/// Registrations beside removals of endpoints, and how many may wait for the sender.
@Suite struct RegistrationTests {
  private static let start = PushFixture.start

  /// Does something else while it registers or removes.
  private final class BusySender: PushSender {
    private let memory: PushMemory
    private let whileRegistering: @Sendable (Int) async -> Void
    private let whileRemoving: @Sendable () async -> Void
    private let calls = Mutex(0)

    init(
      _ memory: PushMemory, whileRegistering: @escaping @Sendable (Int) async -> Void = { _ in },
      whileRemoving: @escaping @Sendable () async -> Void = {}
    ) {
      self.memory = memory
      self.whileRegistering = whileRegistering
      self.whileRemoving = whileRemoving
    }

    func register(_ device: PushRegistration) async throws(PushError) -> String {
      let endpoint = try await memory.register(device)
      let number = calls.withLock { calls in
        calls += 1
        return calls
      }
      await whileRegistering(number)
      return endpoint
    }

    func send(_ message: PushMessage) async throws(PushError) {}

    func remove(_ endpoint: PushEndpoint) async throws(PushError) {
      await whileRemoving()
      try await memory.remove(endpoint)
    }
  }

  /// A pool whose phone was replaced by a tablet.
  private func replaced(_ kind: SyncStore) async throws -> PushFixture {
    var limits = SyncLimits()
    limits.devices = 1
    let f = try await PushFixture(kind.make(), limits: limits)
    for token in ["phone", "tablet"] { _ = try await f.device(token) }
    return f
  }

  private func devices(_ f: PushFixture) async throws -> [String] {
    try await f.store.read(at: Self.start, .fresh) { rows throws(SyncError) in
      try rows.devices(of: f.identity, limit: 10).map(\.token)
    }
  }

  /// The endpoint is removed between the sender's answer and the row of the device: the sender is asked again.
  @Test(arguments: SyncStore.allCases)
  func anEndpointThatIsRemovedMeanwhileIsMadeAgain(kind: SyncStore) async throws {
    let f = try await replaced(kind)
    let sender = BusySender(
      f.sender,
      whileRegistering: { number in
        guard number == 1 else { return }
        _ = try? await f.delivery().removeDueEndpoints(at: Self.start + .seconds(20))
      })
    _ = try await f.device("phone", with: f.service(sender))
    #expect(f.sender.removed.map(\.endpoint) == [PushMemory.endpoint("phone")])
    #expect(f.sender.registered.map(\.token) == ["phone", "tablet", "phone", "phone"])
    #expect(try await devices(f) == ["phone"])
    // It is in use now.
    _ = try await f.delivery().removeDueEndpoints(at: Self.start + .seconds(60))
    #expect(f.sender.removed.map(\.endpoint) == ["phone", "tablet"].map { PushMemory.endpoint($0) })
  }

  /// No device gets an endpoint while it is being removed.
  @Test(arguments: SyncStore.allCases)
  func anEndpointThatIsBeingRemovedIsNotUsed(kind: SyncStore) async throws {
    let f = try await replaced(kind)
    let (codes, timers) = (Notes(), SettableClock())
    let service = try f.service(f.sender, timeout: .seconds(1 << 32), timers: timers)
    let sender = BusySender(
      f.sender,
      whileRemoving: {
        let code = try? await timers.advancing(by: .milliseconds(500)) {
          await pushCode { _ = try await f.device("phone", with: service) }
        }
        codes.add(code ?? "")
      })
    // Machines can be slow.
    let delivery = f.delivery(with: sender) { $0.timeout = .seconds(600) }
    #expect(try await delivery.removeDueEndpoints(at: Self.start + .seconds(20)) == 1)
    #expect(codes.all == ["sync_device_busy"])
    #expect(try await devices(f) == ["tablet"])
    _ = try await f.device("phone")
    #expect(try await devices(f) == ["phone"])
  }

  /// The lease of a node that removes the endpoint has ended by the time at which the device is stored: the endpoint may be
  /// gone, and the sender is asked for it once more.
  @Test(arguments: SyncStore.allCases)
  func aRegistrationCanTakeLongerThanALease(kind: SyncStore) async throws {
    let f = try await replaced(kind)
    let (codes, steps) = (Notes(), Notes())
    let slow = try f.service(
      f.sender,
      elapsed: {
        steps.add("")
        // More than a lease, and less than would be a wrong clock's.
        return .seconds(60 * steps.all.count)
      })
    let sender = BusySender(
      f.sender,
      whileRemoving: {
        codes.add(await pushCode { _ = try await f.device("phone", with: slow) })
      })
    // Machines can be slow.
    let delivery = f.delivery(with: sender) { $0.timeout = .seconds(600) }
    #expect(try await delivery.removeDueEndpoints(at: Self.start + .seconds(20)) == 1)
    #expect(codes.all == [""])
    #expect(f.sender.registered.map(\.token) == ["phone", "tablet", "phone", "phone"])
    #expect(try await devices(f) == ["phone"])
  }

  /// The identity is removed while its device is registered.
  @Test(arguments: SyncStore.allCases)
  func anEndpointOfNoDeviceIsRemoved(kind: SyncStore) async throws {
    let f = try await PushFixture(kind.make())
    let sender = BusySender(
      f.sender,
      whileRegistering: { _ in
        _ = try? await f.identities.deleteIdentities([f.identity.identityID])
      })
    let service = try f.service(sender)
    #expect(await pushCode { _ = try await f.device("phone", with: service) } == "identity_unknown")
    #expect(try await f.delivery().removeDueEndpoints(at: Self.start + .seconds(60)) == 1)
    #expect(f.sender.removed.map(\.endpoint) == [PushMemory.endpoint("phone")])
  }

  /// A sender that does not answer holds as many registrations as may wait; the next one is refused.
  @Test func registrationsThatWaitAreBounded() async throws {
    var limits = SyncLimits()
    limits.registrations = 3
    limits.poolRegistrations = 2
    let f = try await PushFixture(limits: limits)
    let (gate, waiting) = (Gate(), Notes())
    let service = try f.service(
      BusySender(
        f.sender,
        whileRegistering: { _ in
          waiting.add("")
          await gate.pass()
        }))
    let other = try await f.identities.createPool(named: "other") { $0.allowsGuests = true }
    let guest = IdentityKey(
      poolID: other.id, identityID: try await f.identities.resolveIdentity(poolID: other.id, at: Self.start))
    try await f.identities.putRole(
      StoredRole(arn: PushFixture.role + "2", trustPolicy: PushFixture.trust(other.id)))
    let configuration = PushConfiguration(
      poolID: other.id, applicationARNs: [PushFixture.application], roleARN: PushFixture.role + "2")
    try await f.store.write(at: Self.start) { rows throws(SyncError) in try rows.put(configuration) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for token in ["a", "b"] { group.addTask { _ = try await f.device(token, with: service) } }
      try await eventually { waiting.all.count == 2 }
      let error = try await refusal { _ = try await f.device("c", with: service) }
      #expect(error == .registrationsFull(limit: 2))
      #expect(error.codeText == "sync_registrations_full" && error.status == 429)
      #expect(error.type == "TooManyRequestsException")
      // Another pool has room; then nothing has.
      group.addTask { _ = try await f.device("d", of: guest, with: service) }
      try await eventually { waiting.all.count == 3 }
      #expect(
        try await refusal { _ = try await f.device("e", of: guest, with: service) }
          == .registrationsFull(limit: 3))
      gate.open()
      try await group.waitForAll()
    }
    // The slots are free again, also those of registrations that failed.
    f.sender.fail([.tokenRefused("no"), .unavailable("later"), .unavailable("later")])
    for code in ["sync_push_token_refused", "sync_push_unavailable", "sync_push_unavailable"] {
      #expect(await pushCode { _ = try await f.device("c", with: service) } == code)
    }
    _ = try await f.device("c", with: service)
    #expect(f.sender.registered.map(\.token).sorted() == ["a", "b", "c", "d"])
  }

  /// A sender that never answers holds a slot for a time only.
  @Test func aRegistrationThatTakesTooLongFails() async throws {
    var limits = SyncLimits()
    limits.registrations = 1
    let f = try await PushFixture(limits: limits)
    let (gate, timers) = (Gate(), SettableClock())
    let sender = BusySender(f.sender, whileRegistering: { number in if number == 1 { await gate.pass() } })
    let service = try f.service(sender, timers: timers)
    async let late = pushCode { _ = try await f.device("phone", with: service) }
    try await eventually { gate.waiting == 1 && timers.sleepers == 1 }
    timers.advance(by: .seconds(600))
    #expect(await late == "sync_push_unavailable")
    #expect(try await devices(f).isEmpty)
    // Its slot is free.
    f.sender.fail([.tokenRefused("no")])
    #expect(await pushCode { _ = try await f.device("phone", with: service) } == "sync_push_token_refused")
    gate.open()
  }

  private final class Notes: Sendable {
    private let texts = Mutex<[String]>([])

    var all: [String] { texts.withLock { $0 } }
    func add(_ text: String) { texts.withLock { $0.append(text) } }
  }
}
