internal import CognitoSync
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityTesting

/// The limits of data sets.
@Suite struct QuotaTests {
  @Test func twentyDatasets() async throws {
    let place = try await SyncFixture()
    for number in 1...20 { try await place.update("set\(number)", [.set("a", "1")]) }
    let error = try await refusal { try await place.update("another", [.set("a", "1")]) }
    #expect(error == .datasetsFull(limit: 20) && error.type == "LimitExceededException")
    #expect(error.status == 400)
    // Those that are there can be changed, and a deleted one makes room.
    try await place.update("set1", [.set("b", "1")])
    _ = try await place.call(DeleteDataset.self) { $0 = place.name("set7") }
    try await place.update("another", [.set("a", "1")])
  }

  @Test func aThousandRecords() async throws {
    let place = try await SyncFixture()
    try await place.update("notes", (1...1_024).map { .set("\($0)", "") })
    let full = try await refusal { try await place.update("notes", [.set("more", "")]) }
    #expect(full == .recordsFull(limit: 1_024))
    #expect(try await place.list("notes").count == 1_024)
    // A removal makes room, in the same call too.
    try await place.update("notes", [.set("more", ""), .remove("1", count: 1)])
    #expect(
      try await place.call(DescribeDataset.self) { $0 = place.name("notes") }.dataset?.recordCount == 1_024)
  }

  @Test func removedRecordsAreBounded() async throws {
    var limits = SyncLimits()
    limits.keys = 3
    let place = try await SyncFixture(limits: limits)
    try await place.update("notes", [.set("1", ""), .set("2", ""), .set("3", "")])
    try await place.update("notes", [.remove("1", count: 1), .remove("2", count: 1)])
    let full = try await refusal { try await place.update("notes", [.set("4", "")]) }
    #expect(full == .recordsFull(limit: 3))
    // A change that makes nothing larger is never refused.
    try await place.update("notes", [.remove("3", count: 1)])
    try await place.update("notes", [.set("1", "", count: 2)])
  }

  /// A full data set passes: in a change in memory, in full also in databases, and with text that needs the longest escapes.
  @Test(
    arguments: (TestScale.isFull
      ? [(.memory, "\u{1}"), (.sqlite, "a"), (.postgresql, "a")] : [(.memory, "a")]) as [(SyncStore, String)])
  func aMegabyte(kind: SyncStore, character: String) async throws {
    let place = try await SyncFixture(kind)
    let value = String(repeating: character, count: 1_048_575)
    try await place.update("notes", [.set("k", value)])
    let listed = try #require(try await place.list("notes").records)
    #expect(listed.count == 1 && listed[0].value?.isIdentical(to: value) == true)
    let error = try await refusal { try await place.update("notes", [.set("l", "")]) }
    #expect(error == .datasetTooLarge(size: 1_048_577, limit: 1_048_576))
    // A removed record counts its key.
    try await place.update("notes", [.remove("k", count: 1)])
    let long = String(repeating: character, count: 1_048_574)
    try await place.update("notes", [.set("l", long)])
    let usage = try await place.call(DescribeIdentityUsage.self) {
      $0.poolID = place.poolID
      $0.identityID = place.identityID
    }.usage
    #expect(usage?.size == 1_048_576 && usage?.datasetCount == 1 && usage?.modified == SyncFixture.now)
  }

  /// A page ends after about 1 MiB of JSON, and the next one goes on. Values of control characters have six times their
  /// bytes.
  @Test(arguments: TestScale.isFull ? SyncStore.allCases : [.memory])
  func pagesAreBounded(kind: SyncStore) async throws {
    let place = try await SyncFixture(kind)
    let value = String(repeating: "\u{1}", count: 50_000)
    try await place.update("notes", (1...10).map { .set("\($0)", value) })
    var (keys, sizes, token): ([String], [Int], String?) = ([], [], nil)
    repeat {
      let page = try await place.call(ListRecords.self) {
        $0.dataset = place.name("notes")
        $0.nextToken = token
      }
      let records = try #require(page.records)
      #expect(page.count == Int64(records.count))
      keys += records.compactMap(\.key)
      sizes.append(records.count)
      token = page.nextToken
    } while token != nil
    #expect(sizes == [3, 3, 3, 1] && Set(keys.map { ExactString($0) }).count == 10)
  }

  @Test func namesOfNewDatasets() async throws {
    let place = try await SyncFixture()
    try await place.update(String(repeating: "n", count: 128), [.set("a", "")])
    let error = try await refusal {
      try await place.update(String(repeating: "n", count: 129), [.set("a", "")])
    }
    #expect(error.code == .request && error.codeText == "member_length")
    #expect(try await refusal { _ = try await place.list("a b") }.codeText == "member_pattern")
  }
}
