internal import CognitoSync
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase

/// Data sets: lists, deletion, tokens of synchronisations.
@Suite struct DatasetTests {
  @Test(arguments: SyncStore.allCases)
  func lists(kind: SyncStore) async throws {
    let place = try await SyncFixture(kind)
    for name in ["c", "a", "b"] { try await place.update(name, [.set("k", "v")]) }
    // Those of another identity are not in the list.
    let other = try await place.identities.resolveIdentity(poolID: place.poolID, at: SyncFixture.now)
    var names: [String?] = []
    var token: String?
    repeat {
      let known = token
      let page = try await place.call(ListDatasets.self) {
        $0.poolID = place.poolID
        $0.identityID = place.identityID
        $0.maxResults = 2
        $0.nextToken = known
      }
      #expect(page.count == page.datasets.map { Int64($0.count) })
      names += page.datasets?.map(\.name) ?? []
      token = page.nextToken
    } while token != nil
    #expect(names == ["a", "b", "c"])
    let none = try await place.call(ListDatasets.self, by: place.session(place.poolID, other)) {
      $0.poolID = place.poolID
      $0.identityID = other
    }
    #expect(none.count == 0 && none.nextToken == nil)
    let error = try await refusal {
      _ = try await place.call(ListDatasets.self) {
        $0.poolID = place.poolID
        $0.identityID = place.identityID
        $0.nextToken = "AAAA"
      }
    }
    #expect(error == .nextTokenInvalid)
  }

  @Test(arguments: SyncStore.allCases)
  func deletion(kind: SyncStore) async throws {
    let place = try await SyncFixture(kind)
    for value in ["1", "2", "3"] {
      let count = try await place.list("notes").records?.first?.syncCount ?? 0
      try await place.update("notes", [.set("a", value, count: count)])
    }
    let deleted = try await place.call(DeleteDataset.self) { $0 = place.name("notes") }.dataset
    #expect(deleted?.name == "notes" && deleted?.recordCount == 1)
    for operation in 0..<2 {
      let error = try await refusal {
        if operation == 0 {
          _ = try await place.call(DescribeDataset.self) { $0 = place.name("notes") }
        } else {
          _ = try await place.call(DeleteDataset.self) { $0 = place.name("notes") }
        }
      }
      #expect(error == .datasetUnknown("notes") && error.status == 404)
    }
    let gone = try await place.list("notes", after: 2)
    #expect(gone.datasetExists == false && gone.deletedAfterRequestedCount == true)
    #expect(gone.datasetSyncCount == 0)
    #expect(try await place.list("notes").deletedAfterRequestedCount == false)
    // Made anew, its counts begin above the old ones, so that an old count shows the deletion. The next count of the
    // old data set is left out.
    let new = try await place.update("notes", [.set("b", "1")])
    #expect(new.map(\.syncCount) == [5])
    for (count, isDeleted) in [(Int64(0), false), (1, true), (3, true), (5, false)] {
      let listed = try await place.list("notes", after: count)
      #expect(listed.deletedAfterRequestedCount == isDeleted && listed.datasetExists == true)
      #expect(listed.records?.map(\.key) == (count == 5 ? [] : ["b"]))
    }
  }

  /// Records of deleted data sets are removed in portions.
  @Test(arguments: SyncStore.allCases)
  func recordsOfDeletedDatasetsAreRemoved(kind: SyncStore) async throws {
    let place = try await SyncFixture(kind)
    try await place.update("kept", [.set("a", "1")])
    try await place.update("notes", (1...1_000).map { .set("\($0)", "") })
    try await place.update("notes", [.set("more", "")])
    _ = try await place.call(DeleteDataset.self) { $0 = place.name("notes") }
    func left() async throws -> Int {
      try await place.store.read(at: SyncFixture.now, .fresh) { rows throws(SyncError) in
        try rows.count(SyncTables.records, limit: 10_000)
      }
    }
    #expect(try await left() == 1_002)
    #expect(try await place.service.continueRemovals())
    #expect(try await left() == 2)
    while try await place.service.continueRemovals() {}
    #expect(try await left() == 1)
    #expect(try await place.list("kept").count == 1)
  }

  @Test func tokensOfSynchronisations() async throws {
    let place = try await SyncFixture()
    let token = try #require(try await place.list("notes").sessionToken)
    let later = SyncFixture.now + .seconds(599)
    func update(_ name: String, _ token: String, at now: Timestamp = SyncFixture.now) async throws {
      _ = try await place.call(UpdateRecords.self, at: now) {
        $0.dataset = place.name(name)
        $0.sessionToken = token
        $0.patches = [.set("k\(now.seconds)", "v")]
      }
    }
    try await update("notes", token)
    try await update("notes", token, at: later)
    for (name, token, now) in [
      ("others", token, SyncFixture.now), ("notes", token, later + .seconds(1)),
      ("notes", token + "A", SyncFixture.now), ("notes", "token", SyncFixture.now),
    ] {
      let error = try await refusal { try await update(name, token, at: now) }
      #expect(error == .sessionTokenInvalid && error.status == 400)
      #expect(error.publicMessage == "SyncSessionToken not valid for these inputs")
    }
    let error = try await refusal {
      _ = try await place.call(ListRecords.self) {
        $0.dataset = place.name("others")
        $0.sessionToken = token
      }
    }
    #expect(error == .sessionTokenInvalid)
    let other = try await place.identities.resolveIdentity(poolID: place.poolID, at: SyncFixture.now)
    let stolen = try await refusal {
      _ = try await place.call(UpdateRecords.self, by: place.session(place.poolID, other)) {
        $0.dataset = place.name("notes", of: other)
        $0.sessionToken = token
        $0.patches = [.set("k", "v")]
      }
    }
    #expect(stolen == .sessionTokenInvalid)
  }
}
