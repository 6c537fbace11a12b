internal import CognitoSync
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase

/// Records, their counts and conflicts.
@Suite struct RecordTests {
  private let phone = "0b4e3f5a-6a35-4a40-9d1c-2f6f1f0f3a11"

  @Test(arguments: SyncStore.allCases)
  func theFirstUpdateMakesTheDataset(kind: SyncStore) async throws {
    let place = try await SyncFixture(kind)
    let before = try await place.list("notes")
    #expect(before.datasetExists == false && before.datasetSyncCount == 0 && before.count == 0)
    #expect(before.deletedAfterRequestedCount == false)
    let device = Timestamp(seconds: 1_700_000_000)
    var patch = RecordPatch.set("a", "1")
    patch.deviceModified = device
    let changed = try await place.update("notes", [patch, .set("b", "2")], deviceID: phone)
    #expect(changed.map(\.key) == ["a", "b"] && changed.map(\.syncCount) == [1, 1])
    let after = try await place.list("notes", after: 0)
    #expect(after.datasetExists == true && after.datasetSyncCount == 1 && after.modifiedBy == phone)
    let records = try #require(after.records)
    #expect(records.map(\.key) == ["a", "b"] && records.map(\.value) == ["1", "2"])
    #expect(records[0].deviceModified == device && records[1].deviceModified == SyncFixture.now)
    #expect(records.allSatisfy { $0.modified == SyncFixture.now && $0.modifiedBy == phone })
    #expect(try await place.list("notes", after: 1).count == 0)
  }

  /// A call that is repeated after a deletion does not make the data set again, nor change a new one of its name.
  @Test(arguments: SyncStore.allCases)
  func aTokenIsForTheDataSetThatWasListed(kind: SyncStore) async throws {
    let place = try await SyncFixture(kind)
    let token = try #require(try await place.list("notes").sessionToken)
    func send(_ patch: RecordPatch, _ token: String) async throws {
      _ = try await place.call(UpdateRecords.self) {
        $0.dataset = place.name("notes")
        $0.sessionToken = token
        $0.patches = [patch]
      }
    }
    try await send(.set("a", "1"), token)
    // The first update has made the data set. Its token stays valid for it.
    try await send(.set("b", "1"), token)
    _ = try await place.call(DeleteDataset.self) { $0 = place.name("notes") }
    let gone = try await refusal { try await send(.set("a", "1"), token) }
    #expect(gone == .datasetReplaced("notes") && gone.status == 409)
    #expect(gone.codeText == "dataset_replaced" && gone.type == "ResourceConflictException")
    #expect(try await place.list("notes").datasetExists == false)
    try await place.update("notes", [.set("c", "1")])
    #expect(try await refusal { try await send(.set("a", "1"), token) } == .datasetReplaced("notes"))
    #expect(try await place.list("notes").records?.map(\.key) == ["c"])
    // Without changes nothing is made, whatever was listed.
    _ = try await place.call(UpdateRecords.self) {
      $0.dataset = place.name("notes")
      $0.sessionToken = token
    }
  }

  /// Who changed a record is a device or the identity, never another text: it could be the developer's account.
  @Test func aDeviceIsOneThatCanBeRegistered() async throws {
    let place = try await SyncFixture()
    for text in ["123456789012", "phone", phone.uppercased(), phone + " "] {
      let error = try await refusal {
        try await place.update("notes", [.set("a", "1")], deviceID: text)
      }
      #expect(error.code == .parameterRefused && error.description.hasPrefix("DeviceId: "))
    }
    try await place.update("notes", [.set("a", "1")], deviceID: phone)
  }

  @Test(arguments: SyncStore.allCases)
  func aPatchHasThePresentCount(kind: SyncStore) async throws {
    let place = try await SyncFixture(kind)
    try await place.update("notes", [.set("a", "1"), .set("b", "1")])
    try await place.update("notes", [.set("a", "2", count: 1)])
    // All or nothing: the first patch alone would be taken.
    let error = try await refusal {
      try await place.update("notes", [.set("b", "3", count: 1), .set("a", "3", count: 1)])
    }
    #expect(error == .recordConflict(key: "a", current: 2, given: 1))
    #expect(error.publicMessage == "Current SyncCount for: a is: 2 not: 1")
    #expect(error.status == 409 && error.type == "ResourceConflictException")
    let absent = try await refusal { try await place.update("notes", [.set("c", "3", count: 2)]) }
    #expect(absent == .recordConflict(key: "c", current: 0, given: 2))
    let after = try await place.list("notes", after: 0)
    #expect(after.datasetSyncCount == 2)
    #expect(after.records?.map(\.key) == ["b", "a"] && after.records?.map(\.value) == ["1", "2"])
  }

  /// A date that programs cannot read in their time zone would keep them from listing any record.
  @Test func datesAtTheEndsOfTheCalendar() async throws {
    let place = try await SyncFixture()
    let day = Duration.seconds(86_400)
    for (number, date) in [Timestamp.earliest, .latest, .latest + .milliseconds(999)].enumerated() {
      var patch = RecordPatch.set("\(number)", "1")
      patch.deviceModified = date
      let error = try await refusal { try await place.update("notes", [.set("a", "1"), patch]) }
      #expect(error.code == .parameterRefused && error.description.contains("DeviceLastModifiedDate"))
    }
    #expect(try await place.list("notes").datasetExists == false)
    for (number, date) in [Timestamp.earliest + day, .latest - day].enumerated() {
      var patch = RecordPatch.set("\(number)", "1")
      patch.deviceModified = date
      #expect(try await place.update("notes", [patch]).first?.deviceModified == date)
    }
  }

  @Test(arguments: SyncStore.allCases)
  func aRemovedRecordStaysWithoutValue(kind: SyncStore) async throws {
    let place = try await SyncFixture(kind)
    try await place.update("notes", [.set("key", "value"), .set("other", "")])
    let removed = try await place.update("notes", [.remove("key", count: 1)])
    #expect(removed.map(\.syncCount) == [2] && removed[0].value == nil)
    let after = try await place.list("notes", after: 1)
    #expect(after.records?.map(\.key) == ["key"] && after.records?[0].value == nil)
    // An empty value is a value.
    #expect(try await place.list("notes").records?.first?.value == "")
    let dataset = try await place.call(DescribeDataset.self) { $0 = place.name("notes") }.dataset
    #expect(dataset?.recordCount == 1 && dataset?.size == 8)
    // It comes back with the count of its removal.
    try await place.update("notes", [.set("key", "new", count: 2)])
    #expect(try await place.list("notes", after: 2).records?.first?.value == "new")
  }

  /// Records that change while pages are read come later, with their new counts.
  @Test(arguments: SyncStore.allCases)
  func pages(kind: SyncStore) async throws {
    let place = try await SyncFixture(kind)
    for number in 1...5 { try await place.update("notes", [.set("\(number)", "a")]) }
    var keys: [String?] = []
    var token: String?
    var last: Int64?
    for _ in 0..<3 {
      let (known, size) = (token, Int64(2))
      let page = try await place.call(ListRecords.self) {
        $0.dataset = place.name("notes")
        $0.lastSyncCount = 1
        $0.maxResults = size
        $0.nextToken = known
      }
      keys += page.records?.map(\.key) ?? []
      (token, last) = (page.nextToken, page.datasetSyncCount)
      if token == nil { break }
      if keys.count == 2 { try await place.update("notes", [.set("4", "b", count: 4)]) }
    }
    #expect(keys == ["2", "3", "5", "4"] && token == nil && last == 6)
  }

  @Test func pagesBelongToTheirDataset() async throws {
    let place = try await SyncFixture()
    try await place.update("notes", [.set("1", "a"), .set("2", "a")])
    try await place.update("others", [.set("1", "a")])
    let page = try await place.call(ListRecords.self) {
      $0.dataset = place.name("notes")
      $0.maxResults = 1
    }
    let token = try #require(page.nextToken)
    for (name, token) in [
      ("others", token), ("none", token), ("notes", "AAAA"), ("notes", "d"), ("notes", ""),
    ] {
      let error = try await refusal {
        _ = try await place.call(ListRecords.self) {
          $0.dataset = place.name(name)
          $0.nextToken = token
        }
      }
      if token.isEmpty {
        #expect(error.code == .request)
      } else {
        #expect(error == .nextTokenInvalid)
      }
    }
  }

  @Test func countsThatNoDatasetHas() async throws {
    let place = try await SyncFixture()
    try await place.update("notes", [.set("a", "1")])
    let error = try await refusal { _ = try await place.list("notes", after: 37) }
    #expect(error == .syncCountUnknown(37) && error.status == 400)
    #expect(error.publicMessage == "No such SyncCount: 37 exists for this Dataset")
    #expect(try await refusal { _ = try await place.list("notes", after: -1) }.code == .request)
    #expect(try await place.list("notes", after: 1).count == 0)
  }

  /// Keys are bytes: those that Unicode calls equal differ, and long ones too.
  @Test(arguments: SyncStore.allCases)
  func keysAreBytes(kind: SyncStore) async throws {
    let place = try await SyncFixture(kind)
    let long = String(repeating: "東", count: 1_023)
    let keys = ["\u{E9}", "e\u{301}", "a\0b", "a", long + "a", long + "b"]
    try await place.update("notes", keys.map { .set($0, $0) })
    let records = try #require(try await place.list("notes").records)
    #expect(records.count == keys.count)
    for key in keys {
      let found = records.filter { $0.key?.isIdentical(to: key) == true }
      #expect(found.count == 1 && found[0].value?.isIdentical(to: key) == true)
    }
    try await place.update("notes", [.set(long + "b", "", count: 1)])
    #expect(try await place.list("notes", after: 1).count == 1)
  }

  @Test func patchesThatAreNotPossible() async throws {
    let place = try await SyncFixture()
    let twice = try await refusal {
      try await place.update("notes", [.set("a", "1"), .remove("a", count: 0)])
    }
    #expect(twice.code == .parameterRefused && twice.status == 400)
    var empty = RecordPatch.set("a", "")
    empty.value = nil
    #expect(try await refusal { try await place.update("notes", [empty]) }.code == .parameterRefused)
    #expect(try await refusal { try await place.update("notes", [.set("", "")]) }.code == .request)
    let large = RecordPatch.set("a", String(repeating: "a", count: 1_048_576))
    #expect(try await refusal { try await place.update("notes", [large]) }.code == .request)
    // Without patches no data set is made.
    #expect(try await place.update("notes", []).isEmpty)
    #expect(try await place.list("notes").datasetExists == false)
  }
}
