internal import CognitoSyncClient
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityTesting

/// Data sets on a device, without a network.
@Suite struct DatasetTests {
  private let identity = TestIdentity(nil)
  private let store = MemoryDatasetStore()
  private let service: LocalSync

  init() async throws { service = try await LocalSync() }

  private func dataset(_ name: String = "settings") throws -> Dataset {
    try service.client(identity, store: store).dataset(name)
  }

  @Test func valuesArePutAndRemoved() async throws {
    let settings = try dataset()
    #expect(try await settings.value(for: "theme") == nil)
    #expect(try await settings.local() == nil)
    #expect(try await !settings.isModified())
    try await settings.put("dark", for: "theme")
    try await settings.put(["size": "12", "font": ""])
    #expect(try await settings.value(for: "theme") == "dark")
    #expect(try await settings.value(for: "font") == "")
    #expect(try await settings.records().map(\.key) == ["font", "size", "theme"])
    #expect(try await settings.size() == 4 + 4 + 2 + 5 + 4)
    #expect(try await settings.isModified())

    try await settings.remove("size")
    try await settings.remove("unknown")
    #expect(try await settings.records().map(\.key) == ["font", "theme"])
    #expect(try await settings.record(for: "size")?.value == nil)
    #expect(try await settings.record(for: "size")?.isModified == true)
    #expect(try await settings.record(for: "unknown") == nil)
    #expect(service.takeOperations().isEmpty)
  }

  /// To put the same value again changes nothing.
  @Test func equalValuesAreNoChange() async throws {
    let settings = try dataset()
    try await settings.put("dark", for: "theme")
    let before = try await settings.record(for: "theme")
    try await settings.put("dark", for: "theme")
    #expect(try await settings.record(for: "theme") == before)
    // Unicode calls these equal.
    try await settings.put("\u{e9}", for: "theme")
    try await settings.put("e\u{301}", for: "theme")
    #expect(try await settings.value(for: "theme")?.utf8.count == 3)
  }

  @Test func boundsAreChecked() async throws {
    let client = try service.client(identity, store: store)
    for name in ["", "a/b", "a b", "é", ".", "..", String(repeating: "a", count: 185)] {
      await expectSyncError(.inputInvalid) { _ = try client.dataset(name) }
    }
    let settings = try dataset("a.B_c:d-1")
    await expectSyncError(.inputInvalid) { try await settings.put("v", for: "") }
    await expectSyncError(.inputInvalid) {
      try await settings.put("v", for: String(repeating: "k", count: 129))
    }
    await expectSyncError(.inputInvalid) {
      try await settings.put(String(repeating: "v", count: 1_048_576), for: "k")
    }
    // All or none.
    await expectSyncError(.inputInvalid) { try await settings.put(["a": "1", "": "2"]) }
    #expect(try await settings.records().isEmpty)
    try await settings.put(
      String(repeating: "v", count: 1_048_575), for: String(repeating: "k", count: 128))
  }

  @Test func dataFromBeforeThereWasAnIdentity() async throws {
    let (settings, scores) = (try dataset(), try dataset("scores"))
    try await settings.put("dark", for: "theme")
    try await scores.put("7", for: "best")
    identity.set("us-east-1:a")
    #expect(try await settings.value(for: "theme") == "dark")
    let client = try service.client(identity, store: store)
    #expect(try await client.localDatasets().map(\.id.name) == ["scores", "settings"])
    #expect(try await store.names(of: nil).isEmpty)
    #expect(try await store.names(of: "us-east-1:a") == ["scores", "settings"])
    // Another identity does not see it, and has data of its own.
    identity.set("us-east-1:b")
    #expect(try await settings.value(for: "theme") == nil)
    try await settings.put("light", for: "theme")
    identity.set("us-east-1:a")
    #expect(try await settings.value(for: "theme") == "dark")
  }

  /// Where the identity has the data set already, the later change of each record counts.
  @Test func dataOfBothAreMerged() async throws {
    identity.set("us-east-1:a")
    let settings = try dataset()
    try await settings.put(["first": "own", "same": "x", "last": "own"])
    identity.set(nil)
    try await settings.put(["same": "x", "last": "guest", "new": "guest"])
    try await settings.remove("last")
    try await settings.put("guest", for: "last")
    identity.set("us-east-1:a")
    let records = try await settings.records()
    #expect(records.map(\.key) == ["first", "last", "new", "same"])
    #expect(records.map(\.value) == ["own", "guest", "guest", "x"])
    #expect(records.allSatisfy { $0.isModified })
  }

  /// Stores a synchronised record of the identity, as another process that did not know of the guest's data does it.
  private func storeTheme(_ value: String) async throws -> DatasetRecord {
    let id = DatasetID(identityID: "us-east-1:a", name: "settings")
    let record = DatasetRecord(
      key: "theme", value: value, syncCount: 3, deviceLastModified: service.clock.tick, isModified: false)
    let local = LocalDataset(id: id, lastSyncCount: 3, created: service.clock.tick)
    try await store.write { rows throws(SyncClientError) in
      try rows.put(local)
      try rows.put(record, in: id)
    }
    return record
  }

  @Test func earlierDataDoNotReplaceLaterOnes() async throws {
    let settings = try dataset()
    try await settings.put("guest", for: "theme")
    let record = try await storeTheme("own")
    identity.set("us-east-1:a")
    #expect(try await settings.record(for: "theme") == record)
    #expect(try await settings.local()?.lastSyncCount == 3)
  }

  /// An equal value of a later time is a later change: another device may have a change of a time between.
  @Test func laterEqualDataKeepTheirTime() async throws {
    let record = try await storeTheme("dark")
    let settings = try dataset()
    try await settings.put("dark", for: "theme")
    identity.set("us-east-1:a")
    let adopted = try #require(try await settings.record(for: "theme"))
    #expect(adopted.isModified && adopted.syncCount == 3)
    #expect(adopted.deviceLastModified > record.deviceLastModified)
  }

  @Test func deletedWithoutAnIdentity() async throws {
    let settings = try dataset()
    try await settings.put("dark", for: "theme")
    try await settings.delete()
    #expect(try await settings.local() == nil)
    #expect(try await settings.records().isEmpty)
    try await settings.delete()
    #expect(try await settings.local() == nil)
  }

  @Test func everythingIsRemoved() async throws {
    let (settings, client) = (try dataset(), try service.client(identity, store: store))
    try await settings.put("dark", for: "theme")
    identity.set("us-east-1:a")
    try await settings.put("dark", for: "theme")
    try await client.removeAll()
    #expect(try await client.localDatasets().isEmpty)
    #expect(try await settings.records().isEmpty)
  }
}
