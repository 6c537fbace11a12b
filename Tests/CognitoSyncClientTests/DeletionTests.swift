internal import CognitoSyncClient
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase

/// Data sets that are deleted or merged.
@Suite struct DeletionTests {
  private let service: LocalSync
  private let identityID: String
  private let mine, other: Dataset

  init() async throws {
    service = try await LocalSync()
    identityID = try await service.addIdentity()
    mine = try service.client(TestIdentity(identityID)).dataset("settings")
    other = try service.client(TestIdentity(identityID)).dataset("settings")
    try await mine.put(["a": "1", "b": "1"])
    try await mine.synchronize()
    try await other.synchronize()
    _ = service.takeOperations()
  }

  @Test func theServiceIsTold() async throws {
    try await mine.delete()
    #expect(try await mine.records().isEmpty)
    #expect(try await mine.isModified())
    try await mine.synchronize()
    #expect(service.takeOperations() == ["DeleteDataset"])
    #expect(try await mine.local() == nil)
    try await mine.synchronize()
    #expect(service.takeOperations() == ["ListRecords"])
  }

  @Test func aLostResponse() async throws {
    try await mine.delete()
    service.loseResponse(of: "DeleteDataset")
    await expectSyncError(.unreachable) { try await mine.synchronize() }
    #expect(try await mine.isModified())
    // The service has deleted it.
    try await mine.synchronize()
    #expect(try await mine.local() == nil)
  }

  @Test func recordsOfANewDataset() async throws {
    try await mine.delete()
    try await mine.put("2", for: "c")
    try await mine.synchronize()
    #expect(try await mine.records().map(\.key) == ["c"])
    #expect(try await !mine.isModified())
    let handler = TestHandler()
    try await other.synchronize(handler)
    #expect(handler.deletions == ["settings"])
    #expect(try await other.records() == mine.records())
  }

  /// Another process synchronises the data set while the handler of this one decides.
  @Test func anotherProcessDecidesFirst() async throws {
    let store = MemoryDatasetStore()
    let first = try service.client(TestIdentity(identityID), store: store).dataset("settings")
    let second = try service.client(TestIdentity(identityID), store: store).dataset("settings")
    try await first.synchronize()
    try await other.delete()
    try await other.synchronize()
    try await first.synchronize(
      DecidingHandler {
        _ = try? await second.synchronize()
        try? await second.put("new", for: "fresh")
      })
    #expect(try await first.records().map(\.key) == ["fresh"])
    try await other.synchronize()
    #expect(try await other.value(for: "fresh") == "new")
  }

  /// A user signs out during a synchronisation: nothing comes back.
  @Test(arguments: ["ListRecords", "UpdateRecords", "RegisterDevice"])
  func everythingIsRemovedDuringACall(_ operation: String) async throws {
    let client = try service.client(TestIdentity(identityID))
    let settings = try client.dataset("settings")
    try await settings.put("2", for: "c")
    service.after(operation) { try? await client.removeAll() }
    await expectSyncError(.cancelled) {
      if operation == "RegisterDevice" {
        try await client.registerDevice(.gcm, token: "token")
      } else {
        try await settings.synchronize()
      }
    }
    #expect(try await client.localDatasets().isEmpty)
    #expect(try await settings.records().isEmpty)
    #expect(try await !client.isDeviceRegistered())
    // Later ones store again.
    try await settings.synchronize()
    #expect(try await settings.value(for: "a") == "1")
  }

  /// A data set that is deleted while it is synchronised is deleted on the service too.
  @Test(arguments: ["ListRecords", "UpdateRecords"])
  func deletedDuringASynchronisation(_ operation: String) async throws {
    let mine = self.mine
    try await mine.put("2", for: "a")
    service.after(operation) { try? await mine.delete() }
    try await mine.synchronize()
    #expect(try await mine.local() == nil)
    let client = try service.client(TestIdentity(identityID))
    #expect(try await client.remoteDatasets().isEmpty)
  }

  /// The data set is deleted and made anew between pull and push, so that no record has another count than the push
  /// expects.
  @Test func madeAnewDuringASynchronisation() async throws {
    let mine = self.mine
    service.before("UpdateRecords") {
      try? await mine.delete()
      _ = try? await mine.synchronize()
    }
    try await other.put("2", for: "c")
    let handler = TestHandler()
    try await other.synchronize(handler)
    #expect(handler.deletions == ["settings"])
    try await mine.synchronize()
    #expect(try await other.records() == mine.records())
    #expect(try await other.isModified() == false)
  }

  /// The first push was stored, and the pull after it failed. The records have counts, the data set has none.
  @Test(arguments: [true, false]) func deletedBeforeThereWasACount(isMadeAnew: Bool) async throws {
    // New data sets begin above this one.
    try await mine.delete()
    try await mine.synchronize()
    try await other.delete()
    try await other.synchronize()
    try await other.put("1", for: "d")
    service.after("UpdateRecords") { [service] in service.loseRequest(of: "ListRecords") }
    await expectSyncError(.unreachable) { try await other.synchronize() }
    #expect(try await other.local()?.lastSyncCount == 0)
    #expect(try await other.record(for: "d")?.isModified == false)
    try await mine.delete()
    if isMadeAnew { try await mine.put("1", for: "e") }
    try await mine.synchronize()
    let handler = TestHandler()
    try await other.synchronize(handler)
    #expect(handler.deletions == (isMadeAnew ? [] : ["settings"]))
    #expect(try await other.records() == mine.records())
    #expect(try await other.records().map(\.key) == (isMadeAnew ? ["e"] : []))
  }

  @Test func anotherDevicePurges() async throws {
    try await mine.delete()
    try await mine.synchronize()
    try await other.put("2", for: "a")
    let handler = TestHandler(deletion: .purge)
    try await other.synchronize(handler)
    #expect(handler.deletions == ["settings"])
    #expect(try await other.local() == nil)
    #expect(try await other.records().isEmpty)
    try await other.synchronize(handler)
    #expect(handler.deletions == ["settings"])
  }

  @Test func anotherDeviceRestores() async throws {
    try await other.remove("b")
    try await other.put("2", for: "c")
    try await mine.delete()
    try await mine.synchronize()
    let handler = TestHandler(deletion: .restore)
    try await other.synchronize(handler)
    #expect(handler.deletions == ["settings"])
    #expect(try await other.records().map(\.key) == ["a", "c"])
    #expect(try await !other.isModified())
    try await mine.synchronize()
    #expect(try await mine.records() == other.records())
  }

  @Test func anotherDeviceStops() async throws {
    try await mine.delete()
    try await mine.synchronize()
    let handler = TestHandler(deletion: .stop)
    await expectSyncError(.stopped) { try await other.synchronize(handler) }
    #expect(handler.failures == [.stopped])
    #expect(try await other.records().map(\.key) == ["a", "b"])
    #expect(try await other.local()?.lastSyncCount == 1)
  }

  /// The data set was deleted and made anew, with a record of a key that the device has.
  @Test(arguments: [DeletionResponse.purge, .restore])
  func madeAnew(_ deletion: DeletionResponse) async throws {
    try await mine.delete()
    try await mine.put("new", for: "a")
    try await mine.synchronize()
    try await other.put("2", for: "c")
    let handler = TestHandler(deletion: deletion)
    try await other.synchronize(handler)
    try await mine.synchronize()
    #expect(handler.deletions == ["settings"])
    #expect(try await mine.records() == other.records())
    let keys = try await mine.records().map(\.key)
    #expect(keys == (deletion == .purge ? ["a"] : ["a", "b", "c"]))
    #expect(handler.conflicts.map(\.key) == (deletion == .purge ? [] : ["a"]))
    #expect(try await mine.value(for: "a") == "new")
  }

  /// The token of a page names a data set that is gone: the pull begins anew.
  @Test func madeAnewBetweenPages() async throws {
    let mine = self.mine
    let keys = (1_000..<2_400).map { "\($0)" }
    try await mine.put([String: String](uniqueKeysWithValues: keys[..<700].map { ($0, "v") }))
    try await mine.synchronize()
    for key in keys[..<700] { try await mine.remove(key) }
    try await mine.synchronize()
    try await mine.put([String: String](uniqueKeysWithValues: keys[700...].map { ($0, "v") }))
    try await mine.synchronize()
    _ = service.takeOperations()
    service.after("ListRecords") {
      try? await mine.delete()
      try? await mine.put("1", for: "new")
      _ = try? await mine.synchronize()
    }
    let fresh = try service.client(TestIdentity(identityID)).dataset("settings")
    try await fresh.synchronize()
    #expect(service.takeOperations().first == "ListRecords")
    #expect(try await fresh.records().map(\.key) == ["new"])
    #expect(try await fresh.records() == mine.records())
  }

  /// Only a further page is asked for anew: a refusal of the first one is an error.
  @Test func aFirstPageThatIsRefused() async throws {
    service.refuse("ListRecords", "InvalidParameterException", "DatasetName: it is not allowed")
    await expectSyncError(.refused) { try await mine.synchronize() }
    #expect(service.takeOperations() == ["ListRecords"])
  }

  /// A service that was restored from a backup does not know the count.
  @Test func aCountThatTheServiceDoesNotKnow() async throws {
    service.refuse(
      "ListRecords", "InvalidParameterException", "No such SyncCount: 1 exists for this Dataset")
    let handler = TestHandler(deletion: .restore)
    try await mine.synchronize(handler)
    #expect(handler.deletions == ["settings"])
    #expect(try await mine.records().map(\.value) == ["1", "1"])
    #expect(try await !mine.isModified())
  }

  // MARK: Merged identities

  @Test func mergedDatasets() async throws {
    let guest = try await service.addIdentity(2)
    let guests = try service.client(TestIdentity(guest)).dataset("settings")
    try await guests.put("guest", for: "a")
    try await guests.synchronize()
    try await service.merge(guest, into: identityID)

    let stopping = TestHandler(goesOn: false)
    await expectSyncError(.stopped) { try await mine.synchronize(stopping) }
    let name = "settings.\(guest)"
    #expect(stopping.merges == [[name]])

    let client = try service.client(TestIdentity(identityID))
    let merged = try client.dataset(name)
    try await merged.synchronize()
    #expect(try await merged.value(for: "a") == "guest")

    // They are named until they are deleted.
    let handler = TestHandler()
    try await mine.put("2", for: "a")
    try await mine.synchronize(handler)
    #expect(handler.merges == [[name]])
    #expect(try await mine.value(for: "a") == "2")
    try await merged.delete()
    try await merged.synchronize()
    try await mine.synchronize(handler)
    #expect(handler.merges == [[name]])
  }
}

/// Does something before it decides that a deleted data set is purged.
private struct DecidingHandler: SyncHandler {
  let body: @Sendable () async -> Void

  func onDatasetDeleted(_ dataset: String) async -> DeletionResponse {
    await body()
    return .purge
  }
}
