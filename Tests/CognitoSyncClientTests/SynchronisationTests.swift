internal import CognitoSyncClient
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityTesting

/// Synchronisations of two devices with the service.
@Suite struct SynchronisationTests {
  private let service: LocalSync
  private let identityID: String
  private let mine, other: Dataset

  init() async throws {
    service = try await LocalSync()
    identityID = try await service.addIdentity()
    mine = try service.client(TestIdentity(identityID)).dataset("settings")
    other = try service.client(TestIdentity(identityID)).dataset("settings")
  }

  @Test func theFirstOneMakesTheDataset() async throws {
    try await mine.put("dark", for: "theme")
    #expect(try await mine.synchronize().isEmpty)
    #expect(service.takeOperations() == ["ListRecords", "UpdateRecords"])
    #expect(service.scopes == ["us-east-1/cognito-sync/aws4_request"])
    #expect(try await mine.local()?.lastSyncCount == 1)
    let record = try #require(try await mine.record(for: "theme"))
    #expect(record.syncCount == 1 && !record.isModified && record.lastModifiedBy == identityID)
    #expect(try await !mine.isModified())
    // There is nothing to send.
    try await mine.synchronize()
    #expect(service.takeOperations() == ["ListRecords"])
  }

  @Test func anEmptyOneMakesNothing() async throws {
    try await mine.synchronize()
    #expect(try await mine.local() == nil)
    let client = try service.client(TestIdentity(identityID))
    #expect(try await client.remoteDatasets().isEmpty)
  }

  @Test func changesReachTheOtherDevice() async throws {
    try await mine.put(["theme": "dark", "size": "12"])
    try await mine.synchronize()
    let handler = TestHandler()
    let taken = try await other.synchronize(handler)
    #expect(taken.map(\.key).sorted() == ["size", "theme"])
    #expect(handler.updated == [["size", "theme"]])
    #expect(try await other.value(for: "theme") == "dark")
    try await other.remove("theme")
    try await other.put("\u{0}\u{1}é\u{2028}\"", for: "text")
    try await other.synchronize()
    try await mine.synchronize()
    #expect(try await mine.value(for: "theme") == nil)
    #expect(try await mine.value(for: "text") == "\u{0}\u{1}é\u{2028}\"")
    #expect(try await mine.local()?.lastSyncCount == 2)
    #expect(try await mine.records() == other.records())
    let client = try service.client(TestIdentity(identityID))
    let remote = try await client.remoteDatasets()
    #expect(remote.map(\.name) == ["settings"] && remote.first?.recordCount == 2)
  }

  @Test func theIdentityIsFoundFirst() async throws {
    let identity = TestIdentity(nil)
    let dataset = try service.client(identity).dataset("settings")
    try await dataset.put("dark", for: "theme")
    let handler = TestHandler()
    await expectSyncError(.identityFailed) { try await dataset.synchronize(handler) }
    #expect(handler.failures == [.identityFailed])
    #expect(service.takeOperations().isEmpty)
    identity.set(nil, next: identityID)
    try await dataset.synchronize()
    #expect(try await dataset.value(for: "theme") == "dark")
    try await mine.synchronize()
    #expect(try await mine.value(for: "theme") == "dark")
  }

  // MARK: Conflicts

  /// Both devices have the record, and both change it: the other one first.
  private func makeConflict() async throws {
    try await mine.put("old", for: "theme")
    try await mine.synchronize()
    try await other.synchronize()
    try await other.put("theirs", for: "theme")
    try await other.synchronize()
    try await mine.put("mine", for: "theme")
  }

  @Test func theLaterChangeWins() async throws {
    try await makeConflict()
    let handler = TestHandler()
    try await mine.synchronize(handler)
    #expect(handler.conflicts.map(\.local.value) == ["mine"])
    #expect(handler.conflicts.map(\.remote.value) == ["theirs"])
    #expect(try await mine.value(for: "theme") == "mine")
    try await other.synchronize()
    #expect(try await other.value(for: "theme") == "mine")
  }

  static let decisions: [(ConflictResolution, String?)] = [
    (.remote, "theirs"), (.local, "mine"), (.value("both"), "both"), (.value(nil), nil),
    (.value("theirs"), "theirs"),
  ]

  @Test(arguments: decisions)
  func decided(_ resolution: ConflictResolution, _ value: String?) async throws {
    try await makeConflict()
    try await mine.synchronize(TestHandler { _ in resolution })
    try await other.synchronize()
    #expect(try await mine.value(for: "theme") == value)
    #expect(try await other.value(for: "theme") == value)
    #expect(try await !mine.isModified())
  }

  /// A decision is not earlier than the changes about which it decides, whatever this device's clock says.
  @Test func aDecisionIsTheLatestChange() async throws {
    service.clock.advance(by: .seconds(1_000))
    try await makeConflict()
    service.clock.advance(by: .seconds(-500))
    let earlier = service.clock.tick
    try await mine.synchronize(TestHandler { _ in .value("both") })
    let record = try #require(try await mine.record(for: "theme"))
    #expect(record.value == "both" && record.deviceLastModified - earlier > .seconds(400))
  }

  @Test func aConflictEndsTheSynchronisation() async throws {
    try await makeConflict()
    try await other.put("12", for: "size")
    try await other.synchronize()
    let handler = TestHandler { _ in .stop }
    await expectSyncError(.stopped) { try await mine.synchronize(handler) }
    #expect(handler.failures == [.stopped])
    // Nothing was taken, and the next one asks again.
    #expect(try await mine.value(for: "size") == nil)
    #expect(try await mine.local()?.lastSyncCount == 1)
    try await mine.synchronize(TestHandler())
    #expect(try await mine.value(for: "size") == "12")
  }

  /// A decision is about the value that was shown.
  @Test func aChangeDuringADecisionIsAskedAbout() async throws {
    let mine = self.mine
    try await makeConflict()
    let handler = TestHandler { conflict in
      guard conflict.local.value == "mine" else { return .local }
      try? await mine.put("newer", for: "theme")
      return .remote
    }
    try await mine.synchronize(handler)
    #expect(handler.conflicts.map(\.local.value) == ["mine", "newer"])
    #expect(try await mine.value(for: "theme") == "newer")
    try await other.synchronize()
    #expect(try await other.value(for: "theme") == "newer")
  }

  /// Former clients kept such a record with its old count, and the service refused it again and again.
  @Test func equalValuesAreNoConflict() async throws {
    try await makeConflict()
    try await mine.put("theirs", for: "theme")
    let handler = TestHandler()
    try await mine.synchronize(handler)
    #expect(handler.conflicts.isEmpty && handler.failures.isEmpty)
    // The later change is sent, on the base of the service's.
    #expect(try await mine.record(for: "theme")?.syncCount == 3)
    #expect(try await !mine.isModified())
    // The other device's change is the earlier one.
    try await other.synchronize()
    #expect(try await other.records() == mine.records())
    try await mine.put("again", for: "theme")
    try await mine.synchronize()
    #expect(try await mine.local()?.lastSyncCount == 4)
  }

  /// Both devices remove the record, and the first one changes it in between. The last of the three changes wins.
  @Test func theLaterOfTwoRemovalsCounts() async throws {
    try await makeConflict()
    try await other.remove("theme")
    try await other.synchronize()
    try await other.put("between", for: "theme")
    try await mine.remove("theme")
    try await mine.synchronize()
    let handler = TestHandler()
    try await other.synchronize(handler)
    #expect(handler.conflicts.map(\.local.value) == ["between"])
    #expect(try await other.value(for: "theme") == nil)
    try await mine.synchronize()
    #expect(try await mine.value(for: "theme") == nil)
  }

  /// The same while the first removal is on its way.
  @Test func aRemovalDuringThePushOfAnEarlierOne() async throws {
    let (mine, other) = (self.mine, self.other)
    try await makeConflict()
    try await mine.synchronize()
    try await other.synchronize()
    try await mine.remove("theme")
    service.after("UpdateRecords") {
      try? await mine.put("again", for: "theme")
      try? await other.put("between", for: "theme")
      try? await mine.remove("theme")
    }
    try await mine.synchronize()
    try await mine.synchronize()
    try await other.synchronize(TestHandler())
    #expect(try await other.value(for: "theme") == nil)
  }

  // MARK: Others at the same time

  @Test func aChangeBetweenPullAndPush() async throws {
    let other = self.other
    try await mine.put("1", for: "a")
    service.before("UpdateRecords") {
      try? await other.put("2", for: "b")
      _ = try? await other.synchronize()
    }
    try await mine.synchronize()
    // The new count is the old one and two: the other's change is taken before it counts.
    #expect(service.takeOperations().filter { $0 == "ListRecords" }.count == 3)
    #expect(try await mine.value(for: "b") == "2")
    #expect(try await mine.local()?.lastSyncCount == 2)
  }

  @Test func aConflictBetweenPullAndPush() async throws {
    let other = self.other
    try await mine.put("1", for: "a")
    service.before("UpdateRecords") {
      try? await other.put("2", for: "a")
      _ = try? await other.synchronize()
    }
    let handler = TestHandler { _ in .local }
    try await mine.synchronize(handler)
    #expect(handler.conflicts.count == 1)
    try await other.synchronize()
    #expect(try await other.value(for: "a") == "1")
  }

  @Test func aChangeDuringThePushIsKept() async throws {
    let mine = self.mine
    try await mine.put(["a": "1", "b": "1"])
    service.after("UpdateRecords") { try? await mine.put("2", for: "a") }
    try await mine.synchronize()
    let record = try #require(try await mine.record(for: "a"))
    #expect(record.value == "2" && record.syncCount == 1 && record.isModified)
    #expect(try await mine.record(for: "b")?.isModified == false)
    try await mine.synchronize()
    try await other.synchronize()
    #expect(try await other.value(for: "a") == "2")
  }

  @Test func synchronisationsOfADatasetFollowOneAnother() async throws {
    let mine = self.mine
    try await mine.put("1", for: "a")
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 { group.addTask { _ = try? await mine.synchronize() } }
    }
    let operations = service.takeOperations()
    #expect(operations.count { $0 == "UpdateRecords" } == 1)
    #expect(operations.count == 9)
    #expect(try await mine.local()?.lastSyncCount == 1)
  }

  @Test func othersThatNeverStop() async throws {
    try await mine.put("mine", for: "a")
    for _ in 0..<5 {
      service.refuse("UpdateRecords", "ResourceConflictException", "Current SyncCount for: a is: 2 not: 1")
    }
    let handler = TestHandler()
    await expectSyncError(.triesExhausted) { try await mine.synchronize(handler) }
    #expect(handler.failures == [.triesExhausted])
    try await mine.synchronize()
    #expect(try await mine.local()?.lastSyncCount == 1)
  }

  // MARK: Failures

  @Test(arguments: ["ListRecords", "UpdateRecords"])
  func lostResponses(of operation: String) async throws {
    try await mine.put(["a": "1", "b": "1"])
    try await mine.synchronize()
    try await mine.put("2", for: "a")
    try await mine.remove("b")
    service.loseResponse(of: operation)
    await expectSyncError(.unreachable) { try await mine.synchronize() }
    #expect(try await mine.isModified())
    let handler = TestHandler()
    try await mine.synchronize(handler)
    #expect(handler.conflicts.isEmpty)
    #expect(try await mine.local()?.lastSyncCount == 2)
    #expect(try await mine.value(for: "a") == "2")
    #expect(try await mine.value(for: "b") == nil)
  }

  /// The service took the first change, and this device does not know.
  @Test func aChangeAfterALostResponse() async throws {
    try await mine.put("1", for: "a")
    service.loseResponse(of: "UpdateRecords")
    await expectSyncError(.unreachable) { try await mine.synchronize() }
    try await mine.remove("a")
    try await mine.synchronize()
    try await other.synchronize()
    #expect(try await mine.value(for: "a") == nil)
    #expect(try await other.value(for: "a") == nil)
  }

  @Test func refusalsEndTheSynchronisation() async throws {
    try await mine.put("1", for: "a")
    service.refuse("UpdateRecords", "LimitExceededException")
    await expectSyncError(.refused) { try await mine.synchronize() }
    service.refuse("ListRecords", "NotAuthorizedException")
    await expectSyncError(.refused) { try await mine.synchronize() }
    #expect(service.takeOperations() == ["ListRecords", "UpdateRecords", "ListRecords"])
    #expect(try await mine.isModified())
  }

  @Test func aTokenThatHasExpired() async throws {
    try await mine.put("1", for: "a")
    let clock = service.clock
    service.before("UpdateRecords") { clock.advance(by: .seconds(601)) }
    try await mine.synchronize()
    #expect(service.takeOperations() == ["ListRecords", "UpdateRecords", "ListRecords", "UpdateRecords"])
    #expect(try await mine.local()?.lastSyncCount == 1)
  }

  @Test func aCancelledTask() async throws {
    let mine = self.mine
    try await mine.put("1", for: "a")
    let task = Task {
      await untilCancelled()
      try await mine.synchronize()
    }
    task.cancel()
    await expectSyncError(.cancelled) { _ = try await task.value }
    #expect(service.takeOperations().isEmpty)
  }

  @Test func aCancelledTaskDoesNotWaitForItsTurn() async throws {
    let mine = self.mine
    let gate = Gate()
    service.before("ListRecords") { await gate.pass() }
    let first = Task { try await mine.synchronize() }
    try await eventually { gate.waiting == 1 }
    let second = Task { try await mine.synchronize() }
    second.cancel()
    await expectSyncError(.cancelled) { _ = try await second.value }
    // The second one made no call, and the turn goes on.
    #expect(service.takeOperations() == ["ListRecords"])
    gate.open()
    _ = try await first.value
    _ = try await mine.synchronize()
  }

  // MARK: Size

  /// A full data set, in which each character of the values needs an escape.
  @Test func aFullDataset() async throws {
    let value = String(repeating: "\u{1}", count: 1_020)
    var values: [String: String] = [:]
    for number in 1_000..<2_024 { values["\(number)"] = value }
    try await mine.put(values)
    #expect(try await mine.size() == 1 << 20)
    try await mine.synchronize()
    try await other.synchronize()
    #expect(try await other.records().count == 1_024)
    #expect(try await other.records() == mine.records())
    try await mine.put("", for: "one more")
    await expectSyncError(.refused) { try await mine.synchronize() }
  }

  /// Removed records count no more, and are sent in several calls.
  @Test func manyRemovedRecords() async throws {
    let keys = (10_000..<11_200).map { "\($0)" }
    for part in [keys[..<500], keys[500...]] {
      try await mine.put([String: String](uniqueKeysWithValues: part.map { ($0, "v") }))
      if part.startIndex == 0 { try await mine.synchronize() }
      for key in part { try await mine.remove(key) }
    }
    _ = service.takeOperations()
    try await mine.synchronize()
    #expect(service.takeOperations().count { $0 == "UpdateRecords" } == 2)
    #expect(try await mine.local()?.lastSyncCount == 3)
    try await other.synchronize()
    #expect(service.takeOperations() == ["ListRecords", "ListRecords"])
    #expect(try await other.records().isEmpty)
    #expect(try await other.record(for: "10000")?.syncCount == 2)
    #expect(try await other.record(for: "11199")?.syncCount == 3)
  }

  /// Removed records make room for new ones, also where all changes are more than one call takes.
  @Test func anotherThousandRecords() async throws {
    try await mine.put(Self.values(1_000))
    try await mine.synchronize()
    for number in 1_000..<2_024 { try await mine.remove("\(number)") }
    // Their keys come first.
    try await mine.put(Self.values(100))
    try await mine.synchronize()
    #expect(try await !mine.isModified())
    try await other.synchronize()
    #expect(try await other.records().count == 1_024)
  }

  /// A full data set of keys of equal length.
  private static func values(_ first: Int) -> [String: String] {
    [String: String](uniqueKeysWithValues: (0..<1_024).map { ("\(first + $0)", "v") })
  }
}

/// Services that do not keep to the protocol.
@Suite struct FaultyServiceTests {
  private func dataset(_ service: FaultyService) throws -> Dataset {
    try SyncDatasets(
      identity: TestIdentity("us-east-1:22222222-2222-4222-8222-222222222222"),
      endpoint: try SyncEndpoint(address: LocalSync.address, region: "us-east-1"), transport: service,
      store: MemoryDatasetStore(), clock: { .now }
    ).dataset("settings")
  }

  /// More changes than one call takes, none of which the service's answer has.
  @Test func changesWithoutAnswer() async throws {
    let service = FaultyService(pages: { _ in "" })
    let dataset = try dataset(service)
    try await dataset.put([String: String](uniqueKeysWithValues: (0..<1_100).map { ("\($0)", "v") }))
    await expectSyncError(.triesExhausted) { try await dataset.synchronize() }
    #expect(service.calls == 10)
  }

  /// Pages that have ever more records.
  @Test func pagesWithoutEnd() async throws {
    let value = String(repeating: "v", count: 1_000_000)
    let service = FaultyService { number in
      #"{"Key": "\#(number)", "Value": "\#(value)", "SyncCount": 1}"#
    }
    let dataset = try dataset(service)
    await expectSyncError(.responseMalformed) { try await dataset.synchronize() }
    #expect(service.calls == 34)
    #expect(try await dataset.records().isEmpty)
  }

  @Test func manySmallRecords() async throws {
    let service = FaultyService { number in
      (0..<1_000).map { #"{"Key": "\#(number)-\#($0)", "SyncCount": 1}"# }.joined(separator: ",")
    }
    let dataset = try dataset(service)
    await expectSyncError(.responseMalformed) { try await dataset.synchronize() }
    #expect(service.calls < 150)
  }
}
