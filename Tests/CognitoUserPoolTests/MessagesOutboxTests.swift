internal import CognitoUserPool
internal import Foundation
internal import Records
internal import RecordsSQLite
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityCrypto
internal import TokenSecurityTesting

/// Messages that wait to be sent.
@Suite struct MessagesOutboxTests {
  private static let now = MessagesFixture.now

  @Test(arguments: StoreKind.allCases) func aMessageIsSentOnce(_ kind: StoreKind) async throws {
    let fixture = try MessagesFixture(await kind.make())
    let sender = MessageMemory()
    let delivery = MessageDelivery(fixture.service, sender: sender)
    try await fixture.enqueue(.forgotPassword, lifetime: .seconds(3_600))
    #expect(try await delivery.sendDue(at: Self.now) == 1)
    #expect(try await delivery.sendDue(at: Self.now) == 0)
    let message = try #require(sender.messages.first)
    #expect(sender.messages.count == 1)
    #expect(message.destination == "jane@example.com")
    #expect(message.code == MessagesFixture.code)
    #expect(message.body == "Your password reset code is 418273. ")
    #expect(message.subject == "Your verification code")
    #expect(message.userName == "jane")
    #expect(message.clientID == "client1")
    #expect(message.kind == .forgotPassword)
    #expect(message.expires == Self.now + .seconds(3_600))
    #expect(try await fixture.rows().isEmpty)
  }

  @Test func aRowIsSealedForItsPlace() async throws {
    let fixture = try MessagesFixture()
    try await fixture.enqueue()
    let row = try #require(try await fixture.rows().first)
    func opens(_ name: String) throws -> Bool {
      try fixture.service.secrets.open(row.sealed.span, for: .message, name: name) != nil
    }
    #expect(try opens("\(row.poolID)/\(row.id)/EMAIL"))
    #expect(try !opens("\(row.poolID)/\(row.id)/SMS"))
    #expect(try !opens("us-east-1_zzzzzzzzz/\(row.id)/EMAIL"))
  }

  @Test(arguments: StoreKind.allCases) func twoNodesSendEachMessageOnce(_ kind: StoreKind) async throws {
    let store = try await kind.make()
    let fixture = try MessagesFixture(store)
    let codes = (0..<20).map { "\(100_000 + $0)" }
    for code in codes { try await fixture.enqueue(code: code) }
    let sender = MessageMemory()
    let nodes = try [fixture, MessagesFixture(store)].map { MessageDelivery($0.service, sender: sender) }
    await withTaskGroup(of: Void.self) { group in
      // A busy store leaves messages for later.
      for number in 0..<4 { group.addTask { _ = try? await nodes[number % 2].sendDue(at: Self.now) } }
    }
    while try await nodes[0].sendDue(at: Self.now) > 0 {}
    #expect(sender.messages.map(\.code).sorted() == codes)
    #expect(try await fixture.rows().isEmpty)
  }

  @Test func descriptionsLeaveTheCodeOut() async throws {
    let fixture = try MessagesFixture()
    let node = ObservedDelivery(fixture.service)
    node.sender.fail([.unavailable("down")])
    try await fixture.enqueue()
    try await node.delivery.sendDue(at: Self.now)
    try await node.delivery.sendDue(at: Self.now + .seconds(2))
    let message = try #require(node.sender.messages.first)
    var dumped = ""
    dump(message, to: &dumped)
    for text in ["\(message)", String(reflecting: message), dumped, "\(node.events.all)"] {
      #expect(!text.contains(MessagesFixture.code))
      #expect(!text.contains("jane@example.com"))
      #expect(text.contains(message.id))
    }
  }

  @Test(arguments: StoreKind.allCases) func itIsTriedAgainUntilItsCodeEnds(_ kind: StoreKind) async throws {
    let fixture = try MessagesFixture(await kind.make())
    let node = ObservedDelivery(fixture.service)
    let down = MessageError.unavailable("down")
    node.sender.fail([MessageError](repeating: down, count: 100))
    try await fixture.enqueue(.authentication, lifetime: .seconds(180))
    var (time, tries) = (Self.now, [Int64]())
    while time < Self.now + .seconds(200) {
      if try await node.delivery.sendDue(at: time) > 0 { tries.append(time.seconds - Self.now.seconds) }
      time += .seconds(1)
    }
    // 2, 4, 8 … seconds after one another; the next one would be after the code's end.
    #expect(tries == [0, 2, 6, 14, 30, 62, 126])
    #expect(node.events.outcomes.dropLast().allSatisfy { $0 == .delayed(down) })
    #expect(node.events.outcomes.last == .dropped(down))
    // It waits for the end of its code, in case the clock is ahead.
    #expect(try await fixture.rows(at: Self.now + .seconds(179)).count == 1)
    #expect(try await fixture.rows(at: Self.now + .seconds(180)).isEmpty)
    #expect(node.sender.messages.isEmpty)
  }

  @Test func aRefusedMessageIsDropped() async throws {
    let fixture = try MessagesFixture()
    let node = ObservedDelivery(fixture.service)
    node.sender.fail([.refused("no such address")])
    try await fixture.enqueue()
    #expect(try await node.delivery.sendDue(at: Self.now) == 1)
    #expect(node.events.outcomes == [.dropped(.refused("no such address"))])
    #expect(try await fixture.rows().isEmpty)
  }

  @Test func anExpiredMessageIsNotSent() async throws {
    let fixture = try MessagesFixture()
    let sender = MessageMemory()
    try await fixture.enqueue(.authentication, lifetime: .seconds(180))
    #expect(
      try await MessageDelivery(fixture.service, sender: sender).sendDue(at: Self.now + .seconds(180)) == 0)
    #expect(sender.messages.isEmpty)
  }

  @Test func anAddressThatIsNotVerifiedGetsTwentyAnHour() async throws {
    var fixture = try MessagesFixture()
    for _ in 0..<25 { try await fixture.enqueue() }
    let other = Destination(.email, "someone@example.com")
    for _ in 0..<20 { try await fixture.enqueue(to: other) }
    await #expect(throws: UserPoolError.attemptLimitExceeded) { try await fixture.enqueue(to: other) }
    // In other letters it is the same mailbox.
    await #expect(throws: UserPoolError.attemptLimitExceeded) {
      try await fixture.enqueue(to: Destination(.email, "SomeOne@Example.com"))
    }
    // Whoever asks for them.
    fixture.user.sub = "11111111-6b1f-4f0e-9d6c-0e7a5d1d2f10"
    fixture.user.attributes["email"] = "someone@example.com"
    fixture.user.attributes["email_verified"] = "false"
    await #expect(throws: UserPoolError.attemptLimitExceeded) { try await fixture.enqueue(to: other) }
    try await fixture.enqueue(to: Destination(.phoneNumber, "+15550100"))
    try await fixture.enqueue(to: other, at: Self.now + .seconds(3_600))
    #expect(try await fixture.rows(at: Self.now).count == 47)
  }

  @Test(arguments: StoreKind.allCases) func theOutboxIsBoundedInRows(_ kind: StoreKind) async throws {
    let fixture = try MessagesFixture.limited(await kind.make()) { $0.rows = 3 }
    // Rows live at the service's own time.
    for _ in 0..<3 { try await fixture.enqueue(at: .now) }
    await fixture.expectFull()
    // A full medium does not fill the other one.
    try await fixture.enqueue(to: Destination(.phoneNumber, "+15550100"), at: .now)
    try await MessageDelivery(fixture.service, sender: MessageMemory()).sendDue()
    try await fixture.enqueue(at: .now)
  }

  @Test func theOutboxIsBoundedInBytes() async throws {
    var fixture = try MessagesFixture.limited { $0.bytes = 30_000 }
    fixture.pool.texts.emailVerification = "{####}" + String(repeating: "x", count: 11_000)
    try await fixture.enqueue(at: .now)
    try await fixture.enqueue(at: .now)
    await fixture.expectFull()
  }

  /// A pool that fills its part keeps no message of another pool out.
  @Test func aPoolIsBounded() async throws {
    let fixture = try MessagesFixture.limited { $0.poolRows = 3 }
    for _ in 0..<2 { try await fixture.enqueue(at: .now) }
    try await fixture.enqueue(to: Destination(.phoneNumber, "+15550100"), at: .now)
    await fixture.expectFull()
    let other = fixture.inAnotherPool()
    for _ in 0..<3 { try await other.enqueue(at: .now) }
    await other.expectFull()
    try await MessageDelivery(fixture.service, sender: MessageMemory()).sendDue()
    try await fixture.enqueue(at: .now)
  }

  @Test func aPoolIsBoundedInBytes() async throws {
    let timers = SettableClock()
    var fixture = try MessagesFixture.limited(clock: { timers.instant }) { $0.poolBytes = 30_000 }
    fixture.pool.texts.emailVerification = "{####}" + String(repeating: "x", count: 11_000)
    try await fixture.enqueue(at: .now)
    try await fixture.enqueue(at: .now)
    await fixture.expectFull()
    try await fixture.inAnotherPool().enqueue(at: .now)
  }

  @Test func anotherMasterKeyDropsWhatItCannotOpen() async throws {
    let store = try MemoryRecordStore(tables: UserPoolTables.all)
    try await MessagesFixture(store).enqueue()
    let node = ObservedDelivery(try MessagesFixture(store, master: 8).service)
    try await node.delivery.sendDue(at: Self.now)
    #expect(node.events.outcomes == [.dropped(.refused("the service's master key does not open it"))])
    #expect(node.sender.messages.isEmpty)
  }

  @Test func aFilledOutboxSurvivesARestart() async throws {
    let folder = try MessagesFixture.folder()
    let path = folder + "/records.sqlite"
    let first = try SQLiteRecordStore(path: path, tables: UserPoolTables.all)
    let fixture = try MessagesFixture(first)
    for number in 0..<20 { try await fixture.enqueue(code: "\(100_000 + number)") }
    try await first.close()
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      let contents = try Data(contentsOf: URL(filePath: "\(folder)/\(name)"))
      for secret in ["100007", "jane@example.com", "verification code"] {
        #expect(contents.range(of: Data(secret.utf8)) == nil, "\(name) has \(secret)")
      }
    }
    let second = try SQLiteRecordStore(path: path, tables: UserPoolTables.all)
    let sender = MessageMemory()
    try await MessageDelivery(MessagesFixture(second).service, sender: sender).sendDue(at: Self.now)
    #expect(sender.messages.map(\.code).sorted() == (0..<20).map { "\(100_000 + $0)" })
    try await second.close()
  }

  /// The outbox as a program writes it whose rows, numbers of one byte, this one cannot read.
  private static let foreign = Table<UInt8>(
    "outbox", key: { RecordKey("us-east-1_abcdefghi", "\($0)") },
    indexes: [Index("due") { _ in [RecordKey(DeliveryMedium.email.name, now)] }],
    encoding: RowEncoding(encode: { row, _ in [row] }, decode: { bytes, _ in bytes.first }),
    expires: { _ in now + .seconds(600) })

  /// Messages that cannot be read are passed over. Where there are no others, no transaction writes.
  @Test func messagesThatCannotBeReadBlockNoOthers() async throws {
    let folder = try MessagesFixture.folder()
    let path = folder + "/records.sqlite"
    let other = try SQLiteRecordStore(
      path: path, tables: UserPoolTables.all.map { $0.layout.name == "outbox" ? Self.foreign : $0 })
    try await other.write(at: Self.now) { rows throws(UserPoolError) in
      for number in UInt8(0)..<16 { try rows.put(number, in: Self.foreign) }
    }
    try await other.close()
    let store = try SQLiteRecordStore(path: path, tables: UserPoolTables.all)
    let watched = WatchedStore(store)
    let fixture = try MessagesFixture(watched)
    let sender = MessageMemory()
    let delivery = MessageDelivery(fixture.service, sender: sender)
    #expect(try await delivery.sendDue(at: Self.now + .seconds(1)) == 0 && watched.writes == 0)
    try await fixture.enqueue(at: Self.now + .seconds(1))
    #expect(try await delivery.sendDue(at: Self.now + .seconds(2)) == 1)
    // The message is added, leased and removed.
    #expect(sender.messages.count == 1 && watched.writes == 3)
    try await store.close()
  }
}
