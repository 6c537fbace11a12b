internal import CognitoSync
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityTesting

/// Devices and their subscriptions, as rows.
@Suite struct DeviceTests {
  private static func device(_ number: Int, _ identity: IdentityKey) -> SyncDevice {
    SyncDevice(
      identity: identity, id: "device\(number)", platform: .gcm, token: "token\(number)",
      endpoint: "endpoint",
      registered: SyncFixture.now + .seconds(Int64(number)))
  }

  @Test(arguments: SyncStore.allCases)
  func aTokenKeepsItsDevice(kind: SyncStore) async throws {
    let place = try await SyncFixture(kind)
    let identity = IdentityKey(poolID: place.poolID, identityID: place.identityID)
    let again = SyncDevice(
      identity: identity, id: "other", platform: .gcm, token: "token1", endpoint: "new",
      registered: SyncFixture.now)
    let ids = try await place.store.write { rows throws(SyncError) in
      let first = try rows.add(Self.device(1, identity), limits: SyncLimits())
      return [first.id, try rows.add(again, limits: SyncLimits()).id]
    }
    #expect(ids == ["device1", "device1"])
    let stored = try await place.store.read { rows throws(SyncError) in
      try rows.devices(of: identity, limit: 10)
    }
    #expect(stored.map(\.id) == ["device1"] && stored.map(\.endpoint) == ["new"])
  }

  /// The device that was registered first goes, with its subscriptions.
  @Test(arguments: SyncStore.allCases)
  func anotherDeviceReplacesTheFirst(kind: SyncStore) async throws {
    let place = try await SyncFixture(kind)
    let identity = IdentityKey(poolID: place.poolID, identityID: place.identityID)
    try await place.update("notes", [.set("a", "1")])
    var limits = SyncLimits()
    limits.devices = 3
    let most = limits
    let notes = DatasetKey(identity, name: "notes")
    let left = try await place.store.write { rows throws(SyncError) in
      for number in 1...4 {
        _ = try rows.add(Self.device(number, identity), limits: most)
        try rows.subscribe("device\(number)", to: notes)
      }
      return try rows.devices(of: identity, limit: 10).map(\.id)
    }
    #expect(left == ["device2", "device3", "device4"])
    let subscribed = try await place.store.read { rows throws(SyncError) in
      guard let dataset = try rows.dataset(notes) else { return [] as [String] }
      return try rows.subscriptions(to: dataset.id, limit: 10).map(\.deviceID)
    }
    #expect(subscribed == ["device2", "device3", "device4"])
  }

  @Test func subscriptionsNeedBoth() async throws {
    let place = try await SyncFixture()
    let identity = IdentityKey(poolID: place.poolID, identityID: place.identityID)
    func subscribe(_ device: String, _ name: String) async throws {
      _ = try await place.call(SubscribeToDataset.self) {
        $0.dataset = place.name(name)
        $0.deviceID = device
      }
    }
    func unsubscribe(_ device: String, _ name: String) async throws {
      _ = try await place.call(UnsubscribeFromDataset.self) {
        $0.dataset = place.name(name)
        $0.deviceID = device
      }
    }
    #expect(try await refusal { try await subscribe("device1", "notes") } == .datasetUnknown("notes"))
    #expect(try await refusal { try await unsubscribe("device1", "notes") } == .datasetUnknown("notes"))
    try await place.update("notes", [.set("a", "1")])
    #expect(try await refusal { try await subscribe("device1", "notes") } == .deviceUnknown("device1"))
    #expect(try await refusal { try await unsubscribe("device1", "notes") } == .deviceUnknown("device1"))
    _ = try await place.store.write { rows throws(SyncError) in
      try rows.add(Self.device(1, identity), limits: SyncLimits())
    }
    try await subscribe("device1", "notes")
    try await subscribe("device1", "notes")
    try await unsubscribe("device1", "notes")
    try await unsubscribe("device1", "notes")
  }

  // MARK: Registrations

  /// Registrations wait for another service. Their number is bounded, so that it is reached by messages too.
  @Test func registrationsAreBounded() async throws {
    let f = try await PushFixture()
    f.sender.registrations.close()
    await withTaskGroup(of: String.self) { group in
      for number in 0..<17 {
        group.addTask { await pushCode { _ = try await f.device("phone\(number)") } }
      }
      // One of them is refused while the others wait.
      let first = await group.next()
      #expect(first == "sync_registrations_full")
      f.sender.registrations.open()
      for await code in group { #expect(code == "") }
    }
    #expect(f.sender.registered.count == 16)
    // Their places are free again, also after failures.
    f.sender.fail([PushError](repeating: .unavailable("later"), count: 16))
    for _ in 0..<16 {
      #expect(await pushCode { _ = try await f.device("tablet") } == "sync_push_unavailable")
    }
    _ = try await f.device("tablet")
    #expect(SyncError.registrationsFull(limit: 16).type == "TooManyRequestsException")
    #expect(SyncError.registrationsFull(limit: 16).status == 429)
  }

  /// Any guest can register a device: what other services say of the role is for the operator.
  @Test func reasonsOfOtherServicesAreNotToldToCallers() async throws {
    let f = try await PushFixture()
    f.sender.fail([.configurationRefused("AuthorizationError: the operator may not use \(PushFixture.role)")])
    let error = try await refusal { _ = try await f.device("phone") }
    #expect(error.code == .pushNotConfigured && error.status == 400)
    #expect(error.description.contains(PushFixture.role))
    #expect(!error.publicMessage.contains("Authorization") && !error.publicMessage.contains(PushFixture.role))
    let none = try await refusal { _ = try await f.device("phone", .adm) }
    #expect(none.publicMessage == none.description && none.publicMessage.contains("ADM"))
  }
}
