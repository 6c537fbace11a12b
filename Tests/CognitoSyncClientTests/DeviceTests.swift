internal import CognitoSyncClient
internal import ServiceOperations
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityTesting

/// This device and its subscriptions.
@Suite struct DeviceTests {
  private let service: LocalSync
  private let identity: TestIdentity
  private let identityID: String
  private let client: SyncDatasets

  init() async throws {
    service = try await LocalSync()
    identityID = try await service.addIdentity()
    identity = TestIdentity(identityID)
    client = try service.client(identity)
  }

  @Test func aDeviceIsRegistered() async throws {
    #expect(try await !client.isDeviceRegistered())
    let id = try await client.registerDevice(.gcm, token: "token")
    #expect(try await client.isDeviceRegistered())
    let registration = DeviceRegistration(identityID: identityID, platform: .gcm, deviceID: id)
    #expect(try await client.registration() == registration)
    // The service knows the device, and names it as the one that made a change.
    let settings = try client.dataset("settings")
    try await settings.put("dark", for: "theme")
    try await settings.synchronize()
    #expect(try await settings.record(for: "theme")?.lastModifiedBy == id)

    // Another identity needs a registration of its own.
    identity.set(try await service.addIdentity(2))
    #expect(try await !client.isDeviceRegistered())
    identity.set(identityID)
    try await client.unregisterDevice()
    #expect(try await !client.isDeviceRegistered())
    identity.set(nil)
    #expect(try await !client.isDeviceRegistered())
    try await client.unregisterDevice()
  }

  @Test func applesTokensAreWrittenInUpperCase() async throws {
    let token = [UInt8](repeating: 0xAB, count: 32)
    let id = try await client.registerDevice(apnsToken: token, isSandbox: false)
    let again = try await client.registerDevice(.apns, token: String(repeating: "AB", count: 32))
    #expect(id == again)
    #expect(try await client.registration()?.platform == .apns)
    // The pool has no application for builds of development.
    await expectSyncError(.refused) {
      try await client.registerDevice(apnsToken: token, isSandbox: true)
    }
    #expect(try await client.registration()?.platform == .apns)
  }

  @Test func subscriptionsNeedARegistration() async throws {
    let settings = try client.dataset("settings")
    await expectSyncError(.deviceNotRegistered) { try await settings.subscribe() }
    await expectSyncError(.deviceNotRegistered) { try await client.subscribe(to: ["settings"]) }
    await expectSyncError(.deviceNotRegistered) { try await client.subscribeAll() }
    await expectSyncError(.deviceNotRegistered) { try await settings.unsubscribe() }
    await expectSyncError(.inputInvalid) { try await client.subscribe(to: ["a/b"]) }
    #expect(service.takeOperations().isEmpty)
  }

  @Test func subscriptions() async throws {
    try await client.registerDevice(.gcm, token: "token")
    let names = ["a", "b", "c"]
    for name in names { try await client.dataset(name).put("1", for: "k") }
    // The service has none of them yet.
    await expectSyncError(.refused) { try await client.dataset("a").subscribe() }
    #expect(try await client.subscribeAll() == [])
    for name in names.prefix(2) { try await client.dataset(name).synchronize() }
    _ = service.takeOperations()
    #expect(try await client.subscribeAll() == ["a", "b"])
    #expect(service.takeOperations() == ["SubscribeToDataset", "SubscribeToDataset"])
    try await client.subscribe(to: ["a"])
    try await client.dataset("a").unsubscribe()
    // Unsubscribing from a data set that the service does not have does not fail.
    try await client.unsubscribe(from: ["a", "c", "unknown"])
    #expect(try await client.unsubscribeAll() == ["a", "b"])
  }
}

/// Push messages against the data sets on a device.
@Suite struct PushReceiverTests {
  private let service: LocalSync
  private let identity: TestIdentity
  private let identityID: String
  private let client: SyncDatasets

  init() async throws {
    service = try await LocalSync()
    identityID = try await service.addIdentity()
    identity = TestIdentity(identityID)
    client = try service.client(identity)
  }

  private func message(
    _ dataset: String = "settings", count: Int64 = 9, of identityID: String? = nil,
    pool: String = LocalSync.poolID
  ) throws -> PushSyncMessage {
    try PushSyncMessage(fields: [
      "source": "cognito-sync", "identityPoolId": pool, "identityId": identityID ?? self.identityID,
      "datasetName": dataset, "syncCount": "\(count)",
    ])
  }

  @Test func messagesAreJudged() async throws {
    let settings = try client.dataset("settings")
    let receiver = PushSyncReceiver(client)
    // A message makes no data set.
    #expect(try await receiver.dataset(for: message()) == nil)
    #expect(try await client.localDatasets().isEmpty)
    try await settings.put("dark", for: "theme")
    try await settings.synchronize()
    #expect(try await receiver.dataset(for: message(count: 1)) == nil)
    #expect(try await receiver.dataset(for: message(of: "us-east-1:b")) == nil)
    #expect(try await receiver.dataset(for: message(pool: "us-east-1:b")) == nil)
    #expect(try await receiver.dataset(for: message("other")) == nil)
    let found = try #require(try await receiver.dataset(for: message(count: 2)))
    #expect(found.name == "settings")
    // The count of a message is not stored.
    #expect(try await settings.local()?.lastSyncCount == 1)
    try await found.synchronize()
    #expect(try await settings.local()?.lastSyncCount == 1)
    identity.set(nil)
    #expect(try await receiver.dataset(for: message()) == nil)
  }

  @Test func manyMessagesAreIgnored() async throws {
    try await client.dataset("settings").put("dark", for: "theme")
    let receiver = PushSyncReceiver(client, burst: 3, interval: .seconds(60))
    func taken(_ count: Int) async throws -> Int {
      var taken = 0
      for _ in 0..<count {
        if try await receiver.dataset(for: message()) != nil { taken += 1 }
      }
      return taken
    }
    #expect(try await taken(10) == 3)
    service.clock.advance(by: .seconds(121))
    #expect(try await taken(10) == 2)
    service.clock.advance(by: .seconds(100_000))
    #expect(try await taken(10) == 3)
    // A clock that is set back does not end it for as long.
    service.clock.advance(by: .seconds(-50_000))
    #expect(try await taken(10) == 0)
    service.clock.advance(by: .seconds(61))
    #expect(try await taken(10) == 1)
  }
}
