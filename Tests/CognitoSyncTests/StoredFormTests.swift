internal import CognitoSync
internal import Records
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityVectorFiles

/// The bytes of rows: data of earlier versions has them.
@Suite struct StoredFormTests {
  private func expect<Row: Sendable>(
    _ row: Row, _ encoding: RowEncoding<Row>, _ json: String, optional: Set<String> = [],
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    let mistakes = try StoredForm(json, optional: optional).mistakes(
      row, write: { encoding.encode($0, 1) }, read: { encoding.decode($0, 1) })
    #expect(mistakes == [], sourceLocation: location)
  }

  private static let time = Timestamp(seconds: 1_700_000_000)
  private static let identity = IdentityKey(poolID: "us-east-1:0", identityID: "us-east-1:1")

  @Test func datasets() throws {
    let moment = try #require(Timestamp(seconds: 1_700_000_000, nanoseconds: 7))
    var row = StoredDataset(
      id: "d", identity: Self.identity, name: "notes", created: Self.time, modified: moment,
      modifiedBy: "phone", count: 9, base: 4)
    (row.recordCount, row.removedCount, row.size) = (1, 2, 3)
    let start = #"""
      {"id":"d","pool":"us-east-1:0","identity":"us-east-1:1","name":"notes","created":[1700000000,0],\#
      "modified":[1700000000,7],"modifiedBy":"phone","count":9,"base":4,"records":1,"removed":2,"size":3
      """#
    try expect(row, StoredDataset.encoding, start + "}")
    row.mergedBeside = "other"
    try expect(
      row, StoredDataset.encoding, start + #","mergedBeside":"other"}"#, optional: ["mergedBeside"])
    try expect(RemovedDataset(id: "d"), RemovedDataset.encoding, #"{"id":"d"}"#)
    try expect(
      DatasetFloor(identity: Self.identity, count: 5), DatasetFloor.encoding,
      #"{"pool":"us-east-1:0","identity":"us-east-1:1","count":5}"#)
  }

  /// A time is two numbers, of which the second one has a range.
  @Test(arguments: ["[1]", "[1,-1]", "[1,1000000000]", "[1,2,3]", #"["1",2]"#])
  func timesOfAnotherFormAreDamaged(_ time: String) {
    func row(_ time: String) -> StoredRecord? {
      StoredRecord.encoding.decode(
        Array(
          #"{"dataset":"d","key":"k","hasValue":true,"count":2,"modified":\#(time),"modifiedBy":"p","deviceModified":[0,0]}"#
            .utf8) + Array("\n".utf8), 1)
    }
    #expect(row("[1,2]") != nil)
    #expect(row(time) == nil)
  }

  /// Numbers that could not be counted on from, and sizes that are none.
  @Test(arguments: [
    #""count":9223372036854775807"#, #""records":-1"#, #""removed":-1"#, #""size":-1"#,
    #""size":9223372036854775807"#,
  ])
  func numbersOutOfRangeAreDamaged(_ member: String) throws {
    func bytes(_ member: String) throws -> [UInt8] {
      let row = #"""
        {"id":"d","pool":"p","identity":"i","name":"n","created":[1,0],"modified":[1,0],"modifiedBy":"m",\#
        "count":9,"base":4,"records":1,"removed":2,"size":3}
        """#
      var object = try #require(try JSONValue(parsing: row).object)
      let other = try #require(try JSONValue(parsing: "{\(member)}").object)
      for name in other.names { object[name] = other[name] }
      return Array(JSONValue.object(object).description.utf8)
    }
    #expect(StoredDataset.encoding.decode(try bytes(#""count":9223372036854775806"#), 1) != nil)
    #expect(StoredDataset.encoding.decode(try bytes(member), 1) == nil)
  }

  @Test func aFloorHasANextCount() {
    func floor(_ count: Int64) -> DatasetFloor? {
      DatasetFloor.encoding.decode(Array(#"{"pool":"p","identity":"i","count":\#(count)}"#.utf8), 1)
    }
    #expect(floor(Int64.max - 1)?.count == Int64.max - 1)
    #expect(floor(Int64.max) == nil)
    #expect(floor(-1) == nil)
  }

  /// What would be lost when it is written again is damage.
  @Test func aRecordWithoutAValueHasNoTextAfterItsLine() {
    func row(_ text: String) -> StoredRecord? {
      StoredRecord.encoding.decode(
        Array(
          #"{"dataset":"d","key":"k","hasValue":false,"count":2,"modified":[0,0],"modifiedBy":"p","deviceModified":[0,0]}"#
            .utf8) + Array(("\n" + text).utf8), 1)
    }
    #expect(row("") != nil && row("")?.value == nil)
    #expect(row("text") == nil)
  }

  /// A line of JSON, and the value after it.
  @Test func records() throws {
    let moment = try #require(Timestamp(seconds: 1_700_000_000, nanoseconds: 7))
    let row = StoredRecord(
      datasetID: "d", key: "k\n", value: "a\n\"b", count: 2, modified: Self.time, modifiedBy: "phone",
      deviceModified: moment)
    func line(_ hasValue: Bool) -> String {
      #"""
      {"dataset":"d","key":"k\n","hasValue":\#(hasValue),"count":2,"modified":[1700000000,0],\#
      "modifiedBy":"phone","deviceModified":[1700000000,7]}
      """#
    }
    for value in ["a\n\"b", "", nil] {
      var row = row
      row.value = value
      let ending = Array("\n\(value ?? "")".utf8)
      let mistakes = try StoredForm(line(value != nil)).mistakes(
        row,
        write: { row in
          guard let bytes = StoredRecord.encoding.encode(row, 1), bytes.suffix(ending.count) == ending[...]
          else { return nil }
          return bytes.dropLast(ending.count)
        }, read: { StoredRecord.encoding.decode($0 + ending, 1) })
      #expect(mistakes == [])
      let read = try #require(StoredRecord.encoding.decode(Array(line(value != nil).utf8) + ending, 1))
      #expect(read.value == value)
    }
    for ending in [[], [UInt8(ascii: "\n"), 0xFF]] as [[UInt8]] {
      #expect(StoredRecord.encoding.decode(Array(line(true).utf8) + ending, 1) == nil)
    }
  }

  @Test func devices() throws {
    try expect(
      SyncDevice(
        identity: Self.identity, id: "x", platform: .apns, token: "t", endpoint: "arn:e",
        registered: Self.time), SyncDevice.encoding,
      #"""
      {"pool":"us-east-1:0","identity":"us-east-1:1","id":"x","platform":"APNS","token":"t",\#
      "endpoint":"arn:e","registered":[1700000000,0]}
      """#)
    try expect(
      SyncSubscription(datasetID: "d", identity: Self.identity, deviceID: "x"), SyncSubscription.encoding,
      #"{"dataset":"d","pool":"us-east-1:0","identity":"us-east-1:1","device":"x"}"#)
    try expect(
      PushConfiguration(poolID: "us-east-1:0", applicationARNs: ["arn:a", "arn:b"], roleARN: "arn:r"),
      PushConfiguration.encoding,
      #"{"pool":"us-east-1:0","applications":["arn:a","arn:b"],"role":"arn:r"}"#)
    try expect(
      PushConfiguration(poolID: "us-east-1:0", applicationARNs: [], roleARN: "arn:r"),
      PushConfiguration.encoding, #"{"pool":"us-east-1:0","applications":[],"role":"arn:r"}"#)
  }

  @Test func endpoints() throws {
    var row = EndpointRow()
    (row.poolID, row.platform, row.endpoint) = ("us-east-1:0", .gcm, "arn:e")
    (row.due, row.leases, row.attempts, row.end) = (Self.time, 1, 2, Self.time + .seconds(60))
    let start = #"""
      {"pool":"us-east-1:0","platform":"GCM","endpoint":"arn:e","due":1700000000,"leases":1,"attempts":2,\#
      "end":1700000060
      """#
    try expect(row, EndpointRow.encoding, start + "}")
    (row.isWaiting, row.isGivenUp, row.isLeased) = (true, true, true)
    let flags: Set = ["waiting", "givenUp", "leased"]
    try expect(
      row, EndpointRow.encoding, start + #","waiting":true,"givenUp":true,"leased":true}"#, optional: flags)
    for flag in flags {
      row.isWaiting = flag == "waiting"
      row.isGivenUp = flag == "givenUp"
      row.isLeased = flag == "leased"
      try expect(row, EndpointRow.encoding, start + ",\"\(flag)\":true}", optional: flags)
    }
    try expect(
      RemovedPoolRole(poolID: "us-east-1:0", arn: "arn:r", end: Self.time), RemovedPoolRole.encoding,
      #"{"pool":"us-east-1:0","role":"arn:r","end":1700000000}"#)
  }

  @Test func messages() throws {
    var row = PushRow()
    (row.poolID, row.identityID, row.datasetName) = ("us-east-1:0", "us-east-1:1", "notes")
    (row.deviceID, row.count, row.leases, row.attempts) = ("x", 3, 1, 2)
    row.due = Self.time
    row.deadline = Self.time + .seconds(1)
    row.pausedUntil = Self.time + .seconds(2)
    let start = #"""
      {"pool":"us-east-1:0","identity":"us-east-1:1","dataset":"notes","device":"x","count":3,\#
      "due":1700000000,"leases":1,"attempts":2,"deadline":1700000001,"paused":1700000002
      """#
    try expect(row, PushRow.encoding, start + "}")
    for flag in ["waiting", "givenUp"] {
      (row.isWaiting, row.isGivenUp) = (flag == "waiting", flag == "givenUp")
      try expect(row, PushRow.encoding, start + ",\"\(flag)\":true}", optional: [flag])
    }
    (row.isWaiting, row.isGivenUp) = (true, true)
    try expect(
      row, PushRow.encoding, start + #","waiting":true,"givenUp":true}"#, optional: ["waiting", "givenUp"])
  }
}
