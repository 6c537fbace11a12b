internal import CognitoSyncClient
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityVectorFiles

/// Push messages as platforms deliver them.
@Suite struct PushMessageVectorTests {
  static let cases = (try? VectorFile.load("sync-messages").cases) ?? []

  @Test func theFileIsThere() { #expect(Self.cases.count == 67) }

  @Test(arguments: cases) func messages(_ vector: VectorFile.Case) async throws {
    try VectorFile.Case.check(vector.input, knows: ["platform", "payload", "own"])
    let platform = try #require(PushPlatform(name: vector.input["platform"]?.string ?? ""))
    let payload = Array(try #require(vector.input["payload"]?.string).utf8)
    guard let expect = vector.expect else {
      let error = #expect(throws: SyncClientError.self) { _ = try PushSyncMessage(payload, from: platform) }
      #expect(error?.codeText == vector.reject)
      return
    }
    try VectorFile.Case.check(expect, knows: ["synchronize"])
    let message = try PushSyncMessage(payload, from: platform)
    let own = try #require(vector.input["own"]?.object)
    let position = DatasetPosition(
      identityPoolID: try #require(own["identityPoolId"]?.string),
      identityID: try #require(own["identityId"]?.string),
      datasetName: try #require(own["datasetName"]?.string),
      lastSyncCount: try #require(own["lastSyncCount"]?.int64))
    #expect(message.shouldSynchronize(against: position) == expect["synchronize"]?.bool)
  }

  /// Applications get the keys and texts themselves from some platforms.
  @Test func fields() throws {
    let fields = [
      "source": "cognito-sync", "identityPoolId": "us-east-1:1", "identityId": "us-east-1:2",
      "datasetName": "settings", "syncCount": "7", "collapse_key": "do_not_collapse",
    ]
    let message = try PushSyncMessage(fields: fields)
    #expect(message.identityID == "us-east-1:2")
    #expect(message.syncCount == 7)
    let rest = fields.filter { $0.key != "datasetName" }
    let error = #expect(throws: SyncClientError.self) { _ = try PushSyncMessage(fields: rest) }
    #expect(error?.code == .messageInvalid)
  }
}

/// Resolution of records that two devices changed.
@Suite struct ConflictVectorTests {
  static let cases = (try? VectorFile.load("sync-conflicts").cases) ?? []

  @Test func theFileIsThere() { #expect(Self.cases.count == 22) }

  @Test(arguments: cases) func conflicts(_ vector: VectorFile.Case) throws {
    try VectorFile.Case.check(vector.input, knows: ["local", "remote"])
    let expect = try #require(vector.expect)
    try VectorFile.Case.check(expect, knows: ["merge", "latest"])
    let remote = try record(try #require(vector.input["remote"]?.object))
    let local = try vector.input["local"]?.object.map { try record($0) }
    #expect("\(RecordMerge(local: local, remote: remote))" == expect["merge"]?.string)
    guard let latest = expect["latest"]?.string else { return }
    let conflict = RecordConflict(local: try #require(local), remote: remote)
    #expect("\(conflict.latest)" == latest)
  }

  private func record(_ object: JSONObject) throws -> DatasetRecord {
    try VectorFile.Case.check(object, knows: ["value", "syncCount", "deviceLastModified", "isModified"])
    return DatasetRecord(
      key: "key", value: object["value"]?.string, syncCount: try #require(object["syncCount"]?.int64),
      deviceLastModified: Timestamp(since1970: .seconds(try #require(object["deviceLastModified"]?.int64))),
      isModified: try #require(object["isModified"]?.bool as Bool?))
  }

  /// A decision makes a record that is based on the service's.
  @Test func decisions() throws {
    var local = DatasetRecord(
      key: "key", value: "mine", syncCount: 1, deviceLastModified: 100, isModified: true)
    let remote = DatasetRecord(
      key: "key", value: "theirs", syncCount: 4, lastModified: 210, lastModifiedBy: "device",
      deviceLastModified: 200, isModified: false)
    let conflict = RecordConflict(local: local, remote: remote)
    #expect(conflict.resolved(.remote, at: 300) == remote)
    #expect(conflict.resolved(.stop, at: 300) == nil)

    local.syncCount = 4
    local.lastModified = 210
    local.lastModifiedBy = "device"
    // This device's value wins, also over changes of other devices that are earlier than the service's.
    local.deviceLastModified = 200
    #expect(conflict.resolved(.local, at: 300) == local)

    var other = remote
    other.value = "both"
    other.deviceLastModified = 300
    other.isModified = true
    #expect(conflict.resolved(.value("both"), at: 300) == other)
    other.value = nil
    #expect(conflict.resolved(.value(nil), at: 300) == other)
    // The service has this value, but not the time of the decision.
    other.value = "theirs"
    #expect(conflict.resolved(.value("theirs"), at: 300) == other)
    // By the clock of another device the service's change is later than both.
    let ahead = RecordConflict(
      local: local,
      remote: DatasetRecord(
        key: "key", value: "theirs", syncCount: 4, deviceLastModified: 400, isModified: false))
    #expect(ahead.resolved(.local, at: 300)?.deviceLastModified == 400)
    #expect(ahead.resolved(.value("both"), at: 300)?.deviceLastModified == 400)
  }
}

/// Meaning of a data set's counts.
@Suite struct CountVectorTests {
  static let cases = (try? VectorFile.load("sync-counts").cases) ?? []

  @Test func theFileIsThere() { #expect(Self.cases.count == 18) }

  @Test(arguments: cases) func counts(_ vector: VectorFile.Case) throws {
    let expect = try #require(vector.expect)
    try VectorFile.Case.check(expect, knows: ["lastSyncCount", "pullFirst", "isDeleted"])
    if let base = vector.input["base"]?.int64 {
      try VectorFile.Case.check(vector.input, knows: ["base", "accepted"])
      let accepted = try #require(vector.input["accepted"]?.array).compactMap(\.int64)
      let count = SyncCounts.afterPush(base: base, accepted: accepted)
      #expect(count == expect["lastSyncCount"]?.int64)
      #expect((count == nil) == (expect["pullFirst"]?.bool ?? false))
    } else {
      try VectorFile.Case.check(vector.input, knows: ["lastSyncCount", "hasRecords", "exists", "wasDeleted"])
      let isDeleted = SyncCounts.isDeleted(
        lastSyncCount: try #require(vector.input["lastSyncCount"]?.int64),
        hasRecords: try #require(vector.input["hasRecords"]?.bool as Bool?),
        exists: try #require(vector.input["exists"]?.bool as Bool?),
        wasDeleted: try #require(vector.input["wasDeleted"]?.bool as Bool?))
      #expect(isDeleted == expect["isDeleted"]?.bool)
    }
  }
}
