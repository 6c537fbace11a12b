internal import CognitoIdentity
@testable internal import CognitoSync
internal import Foundation
@testable internal import Records
internal import RecordsSQLite
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityPlatform
internal import TokenSecurityTesting

/// Messages and endpoints that a clock wrote which was ahead for a moment, and rows that cannot be read.
@Suite struct PushClockTests {
  private static let start = PushFixture.start
  /// The wrong clock.
  private static let ahead = start + .seconds(5 * 3_600)

  /// A message that is being sent.
  private func leased(_ f: PushFixture) async throws -> PushRow {
    try await f.change("profile")
    _ = try await f.device("phone", subscribedTo: ["profile"])
    try await f.change("profile")
    let rows = try await f.store.write(at: Self.start) { rows throws(SyncError) in
      try rows.leasePushes(FreeSlots(8), for: .seconds(30)).leased
    }
    return try #require(rows.first)
  }

  /// A pause that begins while the clock is ahead delays the next message for no longer than a pause.
  @Test(arguments: SyncStore.allCases)
  func aPauseOfAWrongClockIsAPause(kind: SyncStore) async throws {
    let f = try await PushFixture(kind.make())
    let row = try await leased(f)
    try await f.store.write(at: Self.ahead) { rows throws(SyncError) in try rows.notePushSent(row) }
    try await f.change("profile", later: .seconds(3))
    #expect(try await f.delivery().sendDue(at: Self.start + .seconds(4)) == 0)
    #expect(try await f.delivery().sendDue(at: Self.start + .seconds(5)) == 1)
    #expect(f.sender.messages.map(\.syncCount) == [3])
  }

  /// A message that waits since the clock was ahead is due, whether a change or a failure made it wait.
  @Test(arguments: SyncStore.allCases, [true, false])
  func aMessageOfAWrongClockIsDue(kind: SyncStore, isSent: Bool) async throws {
    let f = try await PushFixture(kind.make())
    let row = try await leased(f)
    try await f.change("profile", later: .seconds(1))
    try await f.store.write(at: Self.ahead) { rows throws(SyncError) in
      if isSent { try rows.notePushSent(row) } else { try rows.retryPush(row, at: rows.now + row.pause) }
    }
    // Changes of the right clock leave it as it is.
    try await f.change("profile", later: .seconds(2))
    #expect(try await f.waiting(.seconds(2)).count == 1)
    #expect(try await f.delivery().sendDue(at: Self.start + .seconds(2)) == 1)
    #expect(f.sender.messages.map(\.syncCount) == [4])
    #expect(try await f.waiting(.seconds(2)).isEmpty)
  }

  /// Pauses and leases by a right clock last.
  @Test func aMessageOfARightClockWaits() async throws {
    let f = try await PushFixture()
    let row = try await leased(f)
    try await f.store.write(at: Self.start) { rows throws(SyncError) in
      try rows.retryPush(row, at: rows.now + .seconds(120))
    }
    #expect(try await f.delivery().sendDue(at: Self.start + .seconds(119)) == 0)
    #expect(try await f.delivery().sendDue(at: Self.start + .seconds(120)) == 1)
  }

  @Test(arguments: SyncStore.allCases)
  func anEndpointOfAWrongClockIsDue(kind: SyncStore) async throws {
    var limits = SyncLimits()
    limits.devices = 1
    let f = try await PushFixture(kind.make(), limits: limits)
    for token in ["phone", "tablet"] { _ = try await f.device(token) }
    try await f.store.write(at: Self.start + .seconds(10)) { rows throws(SyncError) in
      let leased = try rows.leaseEndpoints(FreeSlots(8), for: .seconds(30), except: []).leased
      for row in leased { try rows.retryRemoval(row, at: Self.ahead) }
    }
    #expect(try await f.delivery().removeDueEndpoints(at: Self.start + .seconds(20)) == 1)
    #expect(f.sender.removed.count == 1)
  }

  // MARK: Rows that cannot be read

  /// The table of messages as a program writes it whose rows this one cannot read.
  private static let foreign = Table<PushRow>(
    "sync_push", key: { $0.key }, indexes: [PushTable.byDue, PushTable.waiting],
    encoding: RowEncoding(
      encode: { row, version in PushRow.encoding.encode(row, version).map { [0] + $0 } },
      decode: { bytes, version in PushRow.encoding.decode(Array(bytes.dropFirst()), version) }),
    expires: PushTable.expires)

  private static func rows(_ count: Int, pools: Int, _ name: String, due: Duration) -> [PushRow] {
    (0..<count).map { number in
      var row = PushRow()
      (row.poolID, row.identityID) = ("us-east-1:\(name)\(number % pools)", "us-east-1:x")
      (row.datasetName, row.deviceID) = ("profile", "\(number)")
      row.isWaiting = true
      row.due = start + due
      row.deadline = row.due + .seconds(600)
      return row
    }
  }

  /// Rows that cannot be read, as many as there are slots, are passed over. Without others no transaction writes.
  @Test func rowsThatCannotBeReadBlockNoOthers() async throws {
    let folder = FileManager.default.temporaryDirectory.path + "/data-sets-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = folder + "/identities.sqlite"
    let store = try SQLiteRecordStore(path: path, tables: SyncStore.tables)
    let other = try SQLiteRecordStore(
      path: path,
      tables: SyncStore.tables.map { $0.layout.name == "sync_push" ? Self.foreign : $0 })
    try await other.write(at: Self.start) { rows throws(SyncError) in
      for row in Self.rows(16, pools: 4, "foreign", due: .zero) { try rows.put(row, in: Self.foreign) }
    }
    try await other.close()
    let now = Self.start + .seconds(2)
    func hasDue() async throws -> Bool {
      try await store.read(at: now, .fresh) { rows throws(SyncError) in
        try rows.hasDuePushes(FreeSlots(8), except: [])
      }
    }
    #expect(try await !hasDue())
    try await store.write(at: Self.start) { rows throws(SyncError) in
      for row in Self.rows(3, pools: 1, "own", due: .seconds(1)) { try rows.put(row, in: PushTable.rows) }
    }
    #expect(try await hasDue())
    let leased = try await store.write(at: now) { rows throws(SyncError) in
      try rows.leasePushes(FreeSlots(8), for: .seconds(30)).leased
    }
    #expect(leased.map(\.poolID) == Array(repeating: "us-east-1:own0", count: 3))
    #expect(try await !hasDue())
    try await store.close()
  }
}
