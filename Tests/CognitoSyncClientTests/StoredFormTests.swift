internal import CognitoSyncClient
internal import Testing
internal import TokenLifetime
internal import TokenSecurityVectorFiles

/// The bytes of rows: files of earlier versions have them.
@Suite struct StoredFormTests {
  private static let time = Timestamp(seconds: 1_700_000_000)
  private static let id = DatasetID(identityID: "us-east-1:1", name: "notes")

  private func mistakes(_ dataset: LocalDataset, _ form: StoredForm) throws -> [String] {
    try form.mistakes(dataset, write: { DatasetCoding.bytes($0) }, read: { DatasetCoding.dataset($0) })
  }

  @Test func datasets() throws {
    let moment = try #require(Timestamp(seconds: 1_700_000_000, nanoseconds: 5_000_000))
    let row = LocalDataset(
      id: Self.id, lastSyncCount: 7, isDeletionPending: true, created: Self.time, lastModified: moment)
    let start = #"""
      {"name":"notes","count":7,"isDeletionPending":true,"created":"2023-11-14T22:13:20Z",\#
      "modified":"2023-11-14T22:13:20.005Z"
      """#
    #expect(
      try mistakes(row, StoredForm(start + #","identity":"us-east-1:1"}"#, optional: ["identity"])) == [])
    let guest = LocalDataset(
      id: DatasetID(identityID: nil, name: "notes"), lastSyncCount: 7, isDeletionPending: true,
      created: Self.time, lastModified: moment)
    #expect(try mistakes(guest, StoredForm(start + "}")) == [])
    let damaged = start.replacing(#""count":7"#, with: #""count":-1"#) + "}"
    #expect(DatasetCoding.dataset(Array(damaged.utf8)) == nil)
  }

  /// A line of JSON, and the value after it.
  @Test(arguments: ["a\n\"b", "", nil]) func records(value: String?) throws {
    let moment = try #require(Timestamp(seconds: 1_700_000_000, nanoseconds: 5_000_000))
    let row = DatasetRecord(
      key: "k\n", value: value, syncCount: 7, lastModified: Self.time, lastModifiedBy: "phone",
      deviceLastModified: moment, isModified: true)
    let line = #"""
      {"name":"notes","key":"k\n","count":7,"isModified":true,"deviceModified":"2023-11-14T22:13:20.005Z",\#
      "hasValue":\#(value != nil),"identity":"us-east-1:1","modified":"2023-11-14T22:13:20Z",\#
      "modifiedBy":"phone"}
      """#
    let ending = Array("\n\(value ?? "")".utf8)
    let form = StoredForm(line, optional: ["identity", "modified", "modifiedBy"])
    let mistakes = try form.mistakes(
      row,
      write: { row in
        let bytes = DatasetCoding.bytes(row, in: Self.id)
        return bytes.suffix(ending.count) == ending[...] ? bytes.dropLast(ending.count) : nil
      },
      read: { DatasetCoding.record($0 + ending)?.record })
    #expect(mistakes == [])
    #expect(DatasetCoding.record(Array(line.utf8) + ending)?.id == Self.id)
    #expect(DatasetCoding.record(Array(line.utf8) + ending)?.record == row)
    #expect(DatasetCoding.record(Array(line.utf8)) == nil)
    #expect(DatasetCoding.record(Array(line.utf8) + [UInt8(ascii: "\n"), 0xFF]) == nil)
    if value == nil { #expect(DatasetCoding.record(Array(line.utf8) + Array("\na".utf8)) == nil) }
  }

  @Test func registrations() throws {
    let row = DeviceRegistration(identityID: "us-east-1:1", platform: .apns, deviceID: "d")
    let form = StoredForm(#"{"identity":"us-east-1:1","platform":"APNS","device":"d"}"#)
    let mistakes = try form.mistakes(
      row, write: { DatasetCoding.bytes($0) }, read: { DatasetCoding.registration($0) })
    #expect(mistakes == [])
  }
}
