internal import Records
internal import Testing
internal import TokenSecurityTesting

/// The portions in which ended rows are removed: their size, where they begin, and the pauses between them.
@Suite struct RemovalPortionTests {
  typealias Failure = RecordStoreError

  private static let start = Timestamp(seconds: 1_800_000_000)
  private static let tables: [any DeclaredTable] = [Person.table, Counter.table, Person.invented]

  /// Rows are removed that have ended by the last sighting, which are ten minutes apart.
  private static func rule(_ uptime: SettableClock) -> RemovalRule {
    var rule = RemovalRule()
    rule.memory = .zero
    rule.uptime = { uptime.elapsed }
    return rule
  }

  private func put(
    _ store: any RecordStore, _ ids: Range<Int>, end: Timestamp, at now: Timestamp,
    in table: Table<Person> = Person.table
  ) async throws(Failure) {
    try await store.write(at: now) { rows throws(Failure) in
      for id in ids {
        var person = Person("a", id, tags: ["t"])
        person.expires = end
        try rows.put(person, in: table)
      }
    }
  }

  private func stored(
    _ store: any RecordStore, in table: Table<Person> = Person.table
  ) async throws(Failure) -> [Int] {
    try await store.read(at: .earliest, .fresh) { rows throws(Failure) in
      try rows.scan(table, limit: 1_000).map(\.id)
    }
  }

  // MARK: Where they begin

  /// A portion begins where the last one has ended. A row that is written with an earlier end waits for ten minutes.
  @Test(arguments: EngineKind.allCases) func anEarlierEndWaitsForTenMinutes(_ kind: EngineKind) async throws {
    let uptime = SettableClock()
    let f = try await StoreFixture(kind, removal: Self.rule(uptime))
    let now = Self.start
    try await put(f.store, 0..<20, end: now - .seconds(300), at: now)
    #expect(try await f.store.removeExpired(from: Person.table, at: now, portion: 7) == 20)
    try await put(f.store, 0..<20, end: now - .seconds(600), at: now)
    uptime.advance(by: .seconds(599))
    #expect(try await f.store.removeExpired(from: Person.table, at: now, portion: 7) == 0)
    uptime.advance(by: .seconds(1))
    #expect(try await f.store.removeExpired(from: Person.table, at: now, portion: 7) == 20)
    #expect(try await stored(f.store).isEmpty)
    await f.remove()
  }

  /// While more rows end than are removed, portions begin at the start again each ten minutes.
  @Test(arguments: EngineKind.allCases) func aBacklogHidesNoRowForEver(_ kind: EngineKind) async throws {
    let uptime = SettableClock()
    let f = try await StoreFixture(kind, removal: Self.rule(uptime))
    let now = Self.start
    func portion() async throws -> Int {
      try await f.store.removeExpired(from: Person.table, at: now, portion: 4, limit: 4)
    }
    try await put(f.store, 0..<300, end: now - .seconds(300), at: now)
    #expect(try await portion() == 4)
    try await put(f.store, 0..<1, end: now - .seconds(600), at: now)
    for pass in 1...20 {
      uptime.advance(by: .seconds(60))
      #expect(try await portion() == 4)
      #expect(try await stored(f.store).contains(0) == (pass < 10), "pass \(pass)")
    }
    await f.remove()
  }

  /// A clock that was ahead is corrected: the next portion may remove less, and begins at the start.
  @Test(arguments: EngineKind.allCases) func aCorrectedClockBeginsAnew(_ kind: EngineKind) async throws {
    let uptime = SettableClock()
    let f = try await StoreFixture(kind, removal: Self.rule(uptime))
    let (now, ahead) = (Self.start, Self.start + .seconds(86_400))
    try await put(f.store, 0..<20, end: now + .seconds(3_600), at: ahead)
    #expect(try await f.store.removeExpired(from: Person.table, at: ahead, portion: 7) == 20)
    try await put(f.store, 0..<20, end: now - .seconds(300), at: now)
    #expect(try await f.store.removeExpired(from: Person.table, at: now, portion: 7) == 20)
    await f.remove()
  }

  /// A removal that is not committed did not happen.
  @Test(arguments: EngineKind.allCases) func aFailedPortionMovesNoPosition(_ kind: EngineKind) async throws {
    let uptime = SettableClock()
    let f = try await StoreFixture(kind, removal: Self.rule(uptime))
    let now = Self.start
    try await put(f.store, 0..<20, end: now - .seconds(300), at: now)
    #expect(try await f.store.removeExpired(from: Person.table, at: now, portion: 4, limit: 4) == 4)
    await #expect(throws: RuleError.refused) {
      try await f.store.write(at: now) { rows throws(RuleError) in
        #expect(try rows.removeExpired(from: Person.table, limit: 4) == 4)
        throw .refused
      }
    }
    #expect(try await f.store.removeExpired(from: Person.table, at: now, portion: 7) == 16)
    await f.remove()
  }

  // MARK: Their size

  /// A portion is one for all tables together: each has its share, and the rest goes to those that need it.
  @Test(arguments: EngineKind.allCases) func tablesShareAPortion(_ kind: EngineKind) async throws {
    let uptime = SettableClock()
    let f = try await StoreFixture(kind, tables: Self.tables, removal: Self.rule(uptime))
    let now = Self.start
    try await put(f.store, 0..<60, end: now - .seconds(300), at: now)
    try await put(f.store, 0..<8, end: now - .seconds(300), at: now, in: Person.invented)
    func portion() async throws(Failure) -> Bool {
      try await f.store.write(at: now) { rows throws(Failure) in
        try rows.removeExpired(from: Self.tables, limit: 10)
      }
    }
    func left() async throws(Failure) -> [Int] {
      [try await stored(f.store).count, try await stored(f.store, in: Person.invented).count]
    }
    // Five each.
    #expect(try await portion())
    #expect(try await left() == [55, 3])
    #expect(try await portion())
    #expect(try await left() == [48, 0])
    var portions = 2
    while try await portion() { portions += 1 }
    #expect(try await left() == [0, 0])
    #expect(portions == 6)
    await f.remove()
  }

  private static let thirds = (0..<3).map { number in
    Table<Person>(
      "third_\(["a", "b", "c"][number])", key: { $0.key }, encoding: Person.encoding(version: 2),
      expires: { $0.expires })
  }

  /// The part of a portion that a table does not need is shared by all others that need more.
  @Test(arguments: EngineKind.allCases) func tablesShareTheRestEvenly(_ kind: EngineKind) async throws {
    let f = try await StoreFixture(kind, tables: Self.thirds, removal: Self.rule(SettableClock()))
    let now = Self.start
    for table in Self.thirds.prefix(2) {
      try await put(f.store, 0..<60, end: now - .seconds(300), at: now, in: table)
    }
    func portion() async throws(Failure) -> Bool {
      try await f.store.write(at: now) { rows throws(Failure) in
        try rows.removeExpired(from: Self.thirds, limit: 24)
      }
    }
    for left in [48, 36, 24] {
      #expect(try await portion())
      for table in Self.thirds.prefix(2) { #expect(try await stored(f.store, in: table).count == left) }
    }
    // A portion that is smaller than the number of tables.
    #expect(
      try await f.store.write(at: now) { rows throws(Failure) in
        try rows.removeExpired(from: Self.thirds, limit: 1)
      })
    #expect(try await stored(f.store, in: Self.thirds[0]).count == 23)
    #expect(try await stored(f.store, in: Self.thirds[1]).count == 24)
    await f.remove()
  }

  // MARK: Pauses

  /// After a portion the writer is free for as long as the portion took.
  @Test func aPauseIsAsLongAsThePortion() async throws {
    let (timers, portions) = (SettableClock(), Tally())
    let paced = PacedRemoval(timers: timers)
    let removal = Task {
      await paced.run { () async throws(Never) -> Bool in
        // The third one finds nothing more.
        timers.advance(by: .milliseconds(40))
        portions.add()
        return portions.value < 3
      }
    }
    for portion in 1...2 {
      try await eventually { portions.value == portion && timers.sleepers == 1 }
      timers.advance(by: .milliseconds(39))
      await letOthersRun()
      #expect(portions.value == portion)
      timers.advance(by: .milliseconds(1))
    }
    await removal.value
    #expect(portions.value == 3 && timers.sleepers == 0)
  }

  /// A portion waits for the writer where calls keep it busy.
  @Test func aPauseLastsATenthOfASecondAtMost() async throws {
    let (timers, portions) = (SettableClock(), Tally())
    let paced = PacedRemoval(timers: timers)
    let removal = Task {
      await paced.run { () async throws(Never) -> Bool in
        timers.advance(by: .seconds(3_600))
        portions.add()
        return portions.value < 2
      }
    }
    try await eventually { timers.sleepers == 1 }
    timers.advance(by: .milliseconds(100))
    await removal.value
    #expect(portions.value == 2)
  }

  /// A cancellation ends it in the pause, and the error of a portion at once.
  @Test func aCancellationOrAnErrorEndsIt() async throws {
    let (timers, portions) = (SettableClock(), Tally())
    let paced = PacedRemoval(timers: timers)
    let removal = Task {
      await paced.run { () async throws(Never) -> Bool in
        timers.advance(by: .seconds(1))
        portions.add()
        return true
      }
    }
    try await eventually { timers.sleepers == 1 }
    removal.cancel()
    await removal.value
    #expect(portions.value == 1)
    await #expect(throws: RuleError.refused) {
      try await paced.run { () async throws(RuleError) -> Bool in throw .refused }
    }
  }
}
